import type { Reader } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import {
  lastReturnBooker,
  requireOther,
  requireSecondPerson,
} from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { LockedWithdrawal } from './withdrawal.ts';

type Approval = Pick<
  LockedWithdrawal,
  'amountMinor' | 'bankAccountId' | 'userId' | 'walletId' | 'requestedAt' | 'requestedBy'
>;
type Completion = Pick<LockedWithdrawal, 'amountMinor' | 'userId' | 'approvedBy'>;

/**
 * The admin who verified the bank account approves no payout to it, the one who set the address of its
 * owner none of theirs, and the one who booked the return of their last payout not the next
 * one: that return need not have happened.
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
    .innerJoin('appUser', 'appUser.id', 'bankAccount.userId')
    .select(['decidedBy', 'emailSetBy'])
    .where('bankAccount.id', '=', bankAccountId)
    .executeTakeFirstOrThrow();
  await requireSecondPerson(reader, by, 'bankAccount', {
    amountMinor,
    notBy,
    doneBy: [bank.decidedBy],
  });
  await requireSecondPerson(reader, by, 'address', {
    amountMinor,
    notBy,
    doneBy: [bank.emailSetBy],
  });
  await requireSecondPerson(reader, by, 'payoutAgain', {
    amountMinor,
    notBy,
    doneBy: [await lastReturnBooker(reader, withdrawal)],
  });
  await requireOtherThanRequester(reader, by, withdrawal);
}

/**
 * A person who left can no longer prove their identity. Where the company asks for an approved one, two
 * admins stand in for it: one requests what is theirs, another approves it.
 *
 * @throws {AppError} `second_person_needed`
 */
async function requireOtherThanRequester(
  reader: Reader,
  by: CommandContext,
  { requestedBy, userId }: Approval,
): Promise<void> {
  if (requestedBy === null) return;
  const { requireApprovedIdentity } = await readSettings(reader);
  if (!requireApprovedIdentity || (await isIdentityApproved(reader, userId))) return;
  await requireOther(reader, by, {
    did: 'you requested it and the identity of its owner is not approved',
    doneBy: [requestedBy],
    notBy: userId,
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
