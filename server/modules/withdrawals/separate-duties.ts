import type { Reader } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { lastReturnBooker, requireSecondPerson } from '#server/modules/security/index.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';

type Approval = Pick<
  LockedWithdrawal,
  'amountMinor' | 'bankAccountId' | 'userId' | 'walletId' | 'requestedAt'
>;
type Completion = Pick<LockedWithdrawal, 'amountMinor' | 'userId' | 'approvedBy'>;

/**
 * Neither who verified the bank account approves what goes to it, nor who booked the return of the last
 * payout from the wallet what leaves it next: that return need not have happened.
 *
 * @throws {AppError} `second_person_needed`
 */
export async function requireApprover(
  reader: Reader,
  by: CommandContext,
  withdrawal: Approval,
): Promise<void> {
  const { amountMinor, bankAccountId, userId: notBy } = withdrawal;
  const bank = await reader
    .selectFrom('bankAccount')
    .select('decidedBy')
    .where('id', '=', bankAccountId)
    .executeTakeFirstOrThrow();
  await requireSecondPerson(reader, by, 'bankAccount', {
    amountMinor,
    notBy,
    doneBy: [bank.decidedBy],
  });
  await requireSecondPerson(reader, by, 'payoutAgain', {
    amountMinor,
    notBy,
    doneBy: [await lastReturnBooker(reader, withdrawal)],
  });
}

/**
 * Who approved a payout does not complete it.
 *
 * @throws {AppError} `second_person_needed`
 */
export async function requireCompleter(
  reader: Reader,
  by: CommandContext,
  { amountMinor, userId, approvedBy }: Completion,
): Promise<void> {
  await requireSecondPerson(reader, by, 'payout', {
    amountMinor,
    notBy: userId,
    doneBy: [approvedBy],
  });
}

/**
 * The step that takes a withdrawal on, in its status now: nothing where this admin may do it.
 *
 * @throws {AppError} `own_request`, `second_person_needed`
 */
export async function requireForNextStep(
  reader: Reader,
  by: CommandContext,
  withdrawal: Approval & Completion & Pick<LockedWithdrawal, 'status'>,
): Promise<void> {
  const { status, userId } = withdrawal;
  if (status !== 'pending' && status !== 'approved' && status !== 'processing') return;
  checkNotOwn(by, userId);
  if (status === 'pending') await requireApprover(reader, by, withdrawal);
  if (status === 'processing') await requireCompleter(reader, by, withdrawal);
}
