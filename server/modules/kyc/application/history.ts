import { z } from 'zod';
import type { KycEvent } from '#contract/kyc.ts';
import { answerChange, resubmissionItem } from '#contract/routes/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { DB } from '#server/db/schema.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { unlessDestroyed } from '#server/vault/vault.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import type { Selectable } from 'kysely';

export type ApplicationRow = Selectable<DB['kycApplication']>;

/** Text written with an action. */
const words = z.object({
  notes: z.string().nullable(),
  items: resubmissionItem.array(),
  // Words that were written before addresses could be corrected have none.
  changes: answerChange.array().default([]),
});
export type ActionWords = z.output<typeof words>;

export const NO_WORDS: ActionWords = { notes: null, items: [], changes: [] };

type History = KycApplication['history'];

/**
 * Enters in an application's history what was done to it, after it was done: `row` has the version
 * that came of it. The words are encrypted under the key of the person they are about.
 */
export async function enterAction(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  by: CommandContext,
  row: Pick<ApplicationRow, 'id' | 'userId' | 'version'>,
  { action, written }: { action: KycEvent; written: ActionWords },
): Promise<void> {
  const now = clock.now();
  const id = newId(now.getTime());
  const isWordless = written.notes === null && written.items.length === 0;
  await tx
    .insertInto('kycAction')
    .values({
      id,
      applicationId: row.id,
      applicationVersion: row.version,
      action,
      actorId: by.actor.id,
      wordsEncrypted: isWordless
        ? null
        : await vault.seal(tx, row.userId, placeOf(id), JSON.stringify(written)),
      createdAt: now,
    })
    .execute();
}

/** Actions on an application, oldest first, with their texts unless these are destroyed. */
export async function readHistory(
  reader: Reader,
  vault: Vault,
  { id, userId }: Pick<ApplicationRow, 'id' | 'userId'>,
): Promise<History> {
  const rows = await reader
    .selectFrom('kycAction')
    .innerJoin('appUser', 'appUser.id', 'kycAction.actorId')
    .select(['kycAction.id', 'kycAction.action', 'wordsEncrypted', 'kycAction.createdAt'])
    .select('appUser.name')
    .where('kycAction.applicationId', '=', id)
    .orderBy('kycAction.applicationVersion')
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      action: row.action,
      by: row.name,
      ...(await openWords(reader, vault, { ...row, userId })),
      at: row.createdAt.toISOString(),
    })),
  );
}

async function openWords(
  reader: Reader,
  vault: Vault,
  { id, userId, wordsEncrypted }: { id: string; userId: string; wordsEncrypted: Buffer | null },
): Promise<ActionWords> {
  if (wordsEncrypted === null) return NO_WORDS;
  const plain = await unlessDestroyed(vault.open(reader, userId, placeOf(id), wordsEncrypted));
  return plain === null ? NO_WORDS : words.parse(JSON.parse(plain.toString('utf8')));
}

/** Destroys what was written with the actions of these applications; that they were taken stays. */
export async function destroyWords(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  if (applicationIds.length === 0) return;
  await tx
    .updateTable('kycAction')
    .set({ wordsEncrypted: null })
    .where('applicationId', 'in', applicationIds)
    .execute();
}

function placeOf(actionId: string) {
  return { table: 'kyc_action', column: 'words_encrypted', rowId: actionId };
}
