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
  bankAccountId: string;
  userId: string;
  withdrawalId: string;
  /** `WD-` and eight digits. */
  reference: string;
  /** Time of the request: an account that was handed in again since is another one. */
  requestedAt: Date;
  at: Date;
}

/**
 * Marks a bank account that the bank sent a payout back from: nothing can be requested or sent to it until
 * its owner confirms or edits it and an admin verifies it again. One that was removed, changed or marked
 * since the request stays as it is. The owner's row has been locked.
 */
export async function markReturned(
  tx: Tx,
  by: CommandContext,
  { bankAccountId, userId, withdrawalId, reference, requestedAt, at }: ReturnedPayout,
): Promise<void> {
  const marked = await tx
    .updateTable('bankAccount')
    .set({
      status: 'returned',
      isPrimary: false,
      returnedWithdrawalId: withdrawalId,
      ...movedBy(by, at),
      updatedAt: at,
    })
    .where('id', '=', bankAccountId)
    .where('status', '=', 'verified')
    .where('removedAt', 'is', null)
    .where('submittedAt', '<=', requestedAt)
    .returning('last4')
    .executeTakeFirst();
  if (marked === undefined) return;
  await ensurePrimary(tx, userId);
  journal(tx, by, bankAccount, 'return', {
    id: bankAccountId,
    userId,
    at,
    details: { last4: marked.last4, withdrawal: reference },
    words: {},
  });
}
