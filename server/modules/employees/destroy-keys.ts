import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { person } from '#contract/things/person.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { countEach } from '#server/lib/each-alone.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { deleteAvatar } from './avatars.ts';

const DAY_MS = 86_400_000;
/** People in one run at most; the rest is left to the next. */
const MOST_PEOPLE = 500;

/**
 * Destroys the keys of people whose accounts were closed longer ago than identity material is kept,
 * once nothing needs their keys: their images and answers are destroyed, they have no money and no
 * request in progress. Account numbers, instructions and what else is sealed for them cannot be read
 * from then on, also not in the files that are left; the ledger, requests and the audit trail stay.
 * Safe to run anywhere, any time, and to be killed. One that fails keeps no other from it.
 *
 * @returns how many keys were destroyed
 * @throws AggregateError once all that could be destroyed are
 */
export async function sweepKeys(db: Db, services: Services): Promise<number> {
  const { kycRetentionDays } = await readSettings(db);
  const endedBefore = new Date(services.clock.now().getTime() - kycRetentionDays * DAY_MS);
  const { rows } = await sql<{ id: string }>`
    SELECT person.id FROM app_user AS person
     WHERE ${isOver(endedBefore)} ORDER BY person.id LIMIT ${MOST_PEOPLE}`.execute(db);
  return countEach(rows, 'could not be destroyed', ({ id }) =>
    withTx(db, (tx) => destroyKey(tx, services, { id, endedBefore, kycRetentionDays })),
  );
}

async function destroyKey(
  tx: Tx,
  { clock, vault }: Services,
  {
    id,
    endedBefore,
    kycRetentionDays,
  }: { id: string; endedBefore: Date; kycRetentionDays: number },
): Promise<boolean> {
  // Against an admin who reactivates the person concurrently.
  await lockUser(tx, id);
  const { rows } = await sql<{ deactivatedAt: Date }>`
    SELECT deactivated_at FROM app_user AS person
     WHERE id = ${id} AND ${isOver(endedBefore)}`.execute(tx);
  const [leaver] = rows;
  if (leaver === undefined) return false;
  await deleteAvatar(tx, id);
  const at = clock.now();
  await vault.destroyKey(tx, id, at);
  journal(tx, { actor: 'system' }, person, 'destroyKey', {
    id,
    at,
    details: {
      deactivatedAt: leaver.deactivatedAt.toISOString(),
      retentionDays: kycRetentionDays,
    },
  });
  return true;
}

/** Condition that nothing still needs the key of `person`. A withdrawal in progress holds money. */
function isOver(endedBefore: Date): RawBuilder<unknown> {
  return sql`
    person.deactivated_at < ${endedBefore}
    AND EXISTS (SELECT FROM data_key WHERE user_id = person.id AND destroyed_at IS NULL)
    AND NOT EXISTS (SELECT FROM kyc_application
                     WHERE user_id = person.id AND answers_encrypted IS NOT NULL)
    AND NOT EXISTS (SELECT FROM kyc_document
                     WHERE user_id = person.id AND destroyed_at IS NULL)
    AND NOT EXISTS (SELECT FROM deposit_image
                     WHERE user_id = person.id AND destroyed_at IS NULL)
    AND NOT EXISTS (SELECT FROM deposit WHERE user_id = person.id AND moved_at IS NULL)
    AND NOT EXISTS (SELECT FROM ledger_account
                     WHERE owner_id = person.id AND (posted <> 0 OR held <> 0))`;
}
