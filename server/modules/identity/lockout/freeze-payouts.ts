import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * "This was not me": no money of the acting person leaves from now on, until an admin has looked and
 * released it. Repeating it changes nothing.
 */
export async function freezePayouts(tx: Tx, { clock }: Clocked, by: CommandContext): Promise<void> {
  const userId = by.actor.id;
  const at = clock.now();
  await cancelEmailChanges(tx, userId, at);
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: at, updatedAt: at })
    .where('id', '=', userId)
    .where('payoutsFrozenAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  journal(tx, by, person, 'freezeOwn', { id: userId, at });
}

/**
 * The same by an admin, of another person, with a reason.
 *
 * @throws {AppError} `own_account`, `person_not_found`, `payouts_frozen_already`
 */
export async function freezePayoutsOf(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { name, payoutsFrozenAt } = await lockFrozen(tx, by, id);
  if (payoutsFrozenAt !== null) throw new AppError('payouts_frozen_already');
  const at = clock.now();
  await cancelEmailChanges(tx, id, at);
  await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  journal(tx, by, person, 'freeze', { id, at, details: { reason }, words: { name, reason } });
}

/**
 * Lets the money of a person leave again, once an admin has looked.
 *
 * @throws {AppError} `own_account`, `person_not_found`, `payouts_not_frozen`
 */
export async function releasePayouts(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { payoutsFrozenAt } = await lockFrozen(tx, by, id);
  if (payoutsFrozenAt === null) throw new AppError('payouts_not_frozen');
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: null, updatedAt: at })
    .where('id', '=', id)
    .execute();
  journal(tx, by, person, 'release', { id, at, details: { reason } });
}

/** Another person than the acting one, their row locked. */
async function lockFrozen(
  tx: Tx,
  by: CommandContext,
  id: string,
): Promise<{ name: string; payoutsFrozenAt: Date | null }> {
  if (id === by.actor.id) throw new AppError('own_account');
  const row = await tx
    .selectFrom('appUser')
    .select(['name', 'payoutsFrozenAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  return row;
}
