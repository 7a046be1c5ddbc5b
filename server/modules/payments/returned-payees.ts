import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Payee } from '#contract/api.ts';
import { errorSentence } from '#contract/errors.ts';
import type { DB } from '#server/db/schema.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { loadPayee } from './payees.ts';

type ReturnedBill = Pick<Selectable<DB['bill']>, 'id' | 'payeeId' | 'userId' | 'reference'>;

/**
 * Marks the payees whom the bank sent bills back from, also those that were removed or edited: other bills
 * may be scheduled to the same numbers. The bills and their wallets have been locked.
 */
export async function markReturned(
  tx: Tx,
  by: CommandContext,
  { bills, at }: { bills: readonly ReturnedBill[]; at: Date },
): Promise<void> {
  // The last of several bills to one payee marks it.
  await sql`
    UPDATE payee SET returned_bill_id = returned.bill_id
      FROM (SELECT DISTINCT ON (one.payee_id) one.payee_id, one.bill_id
              FROM unnest(${bills.map(({ payeeId }) => payeeId)}::uuid[], ${bills.map(({ id }) => id)}::uuid[])
                   WITH ORDINALITY AS one (payee_id, bill_id, place)
             ORDER BY one.payee_id, one.place DESC) AS returned
     WHERE payee.id = returned.payee_id`.execute(tx);
  for (const { id, payeeId, userId, reference } of bills) {
    record(tx, by, 'payee.returned', {
      id: payeeId,
      personId: userId,
      at,
      details: { bill: reference, billId: id },
    });
  }
}

/**
 * Notifies the payer of a bill that the payee's bank asked for other details in a notification of change. The payee stays
 * as it is: only its owner edits it. The details are not repeated, because a message of somebody else may have caused them.
 *
 * @param what details that differ: `Account number`
 */
export async function reportPayeeChange(
  tx: Tx,
  by: CommandContext,
  { billId, entryId, what, at }: { billId: string; entryId: string; what: string; at: Date },
): Promise<void> {
  const { payeeId, userId, payeeName, payeeLast4 } = await tx
    .selectFrom('bill')
    .select(['payeeId', 'userId', 'payeeName', 'payeeLast4'])
    .where('id', '=', billId)
    .executeTakeFirstOrThrow();
  record(tx, by, 'payee.change_reported', {
    id: payeeId,
    personId: userId,
    at,
    details: { billId, returnEntry: entryId },
    words: { payee: `${payeeName} ••${payeeLast4}`, what: what.toLowerCase() },
  });
}

/**
 * Confirms one of the caller's payees after the bank sent a bill back from it: bills go there again. One
 * without a mark stays as it is.
 *
 * @throws {AppError} `payee_not_found`, also for another person's, a removed one, and a colleague
 */
export async function confirmPayee(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<Payee> {
  await lockUser(tx, by.actor.id);
  const found = await tx
    .selectFrom('payee')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', by.actor.id)
    .where('kind', '<>', 'colleague')
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('payee_not_found');
  await clearReturned(tx, by, { id, at: clock.now() });
  return loadPayee(tx, id);
}

/** Takes the mark from a payee, if it has one; its owner, who confirms it, has been locked. */
export async function clearReturned(
  tx: Tx,
  by: CommandContext,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  const cleared = await tx
    .updateTable('payee')
    .set({ returnedBillId: null })
    .where('id', '=', id)
    .where('returnedBillId', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (cleared === undefined) return;
  await clearRefusals(tx, { payeeId: id, at });
  record(tx, by, 'payee.confirmed', { id, personId: by.actor.id, at });
}

/** Standing bills no longer say that their payee has to be confirmed. */
export async function clearRefusals(
  tx: Tx,
  { payeeId, at }: { payeeId: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('standingBill')
    .set({ refusal: null, updatedAt: at })
    .where('payeeId', '=', payeeId)
    .where('endedAt', 'is', null)
    .where('refusal', '=', errorSentence('payee_returned'))
    .execute();
}
