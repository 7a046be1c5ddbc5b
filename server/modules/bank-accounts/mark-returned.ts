import { sql } from 'kysely';
import { can } from '#contract/can.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { act, movedBy } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { bankAccounts } from './bank-account.ts';
import { ensurePrimary } from './primary.ts';

interface FailedProof {
  bankAccountId: string;
  /** Time at which the account was handed in that the prenote or the micro-deposit was sent to. */
  asOf: Date;
  /** Words for its owner. */
  reason: string;
  details: AuditDetails;
}

/**
 * Marks a bank account as not verified because of its bank's answer to its prenote or to a micro-deposit, also one that was
 * verified since. One that was removed, handed in again or decided on otherwise since stays as it is.
 *
 * @throws {AppError} `own_request`
 */
export async function failProof(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { bankAccountId, asOf, reason, details }: FailedProof,
): Promise<void> {
  const row = await bankAccounts.lock(tx, bankAccountId, 'failTest');
  if (row === undefined || row.submittedAt.getTime() !== asOf.getTime()) return;
  if (!can(bankAccountCan, 'failTest', row.status)) return;
  await act(tx, services, by, bankAccounts, 'failTest', { id: bankAccountId, reason, details });
}

interface ReturnedPayout {
  id: string;
  bankAccountId: string;
  /** `WD-` and eight digits. */
  reference: string;
  /** Time of the request: an account that was handed in again since is another one. */
  requestedAt: Date;
}

/**
 * Marks the bank accounts that the bank sent payouts back from: nothing can be requested or sent to one until
 * its owner confirms or edits it and an admin verifies it again. One that was removed, changed or marked
 * since the request stays as it is. The owners' rows have been locked.
 */
export async function markReturned(
  tx: Tx,
  by: CommandContext,
  { payouts, at }: { payouts: readonly ReturnedPayout[]; at: Date },
): Promise<void> {
  if (payouts.length === 0) return;
  const { movedAt, movedBy: actorId } = movedBy(by, at);
  // The first of several payouts to one account marks it.
  const { rows } = await sql<{ id: string; userId: string; last4: string; reference: string }>`
    WITH returned AS (
      SELECT DISTINCT ON (account.id) account.id, payout.id AS withdrawal_id, payout.reference
        FROM unnest(${payouts.map(({ id }) => id)}::uuid[], ${payouts.map(({ bankAccountId }) => bankAccountId)}::uuid[],
                    ${payouts.map(({ reference }) => reference)}::text[],
                    ${payouts.map(({ requestedAt }) => requestedAt)}::timestamptz[])
             WITH ORDINALITY AS payout (id, bank_account_id, reference, requested_at, place)
        JOIN bank_account AS account ON account.id = payout.bank_account_id
       WHERE account.status = 'verified' AND account.removed_at IS NULL
         AND account.submitted_at <= payout.requested_at
       ORDER BY account.id, payout.place
    )
    UPDATE bank_account AS account
       SET status = 'returned', is_primary = false, returned_withdrawal_id = returned.withdrawal_id,
           moved_at = ${movedAt}, moved_by = ${actorId}, updated_at = ${at}
      FROM returned WHERE account.id = returned.id
    RETURNING account.id, account.user_id, account.last4, returned.reference`.execute(tx);
  if (rows.length === 0) return;
  await ensurePrimary(tx, ...rows.map(({ userId }) => userId));
  for (const { id, userId, last4, reference } of rows) {
    journal(tx, by, bankAccount, 'return', {
      id,
      userId,
      at,
      details: { last4, withdrawal: reference },
      words: {},
    });
  }
}
