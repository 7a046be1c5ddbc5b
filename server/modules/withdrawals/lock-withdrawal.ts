import { sql } from 'kysely';
import { can } from '#contract/can.ts';
import type { Currency } from '#contract/money.ts';
import { withdrawalCan } from '#contract/withdrawals.ts';
import type { WithdrawalAction, WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { coolingOff, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** What a command needs to know of the withdrawal it changes. */
export interface LockedWithdrawal {
  id: string;
  reference: string;
  userId: string;
  bankAccountId: string;
  bankName: string;
  bankLast4: string;
  amountMinor: bigint;
  currency: Currency;
  status: WithdrawalStatus;
  holdId: string;
  ledgerTransactionId: string | null;
  requestedAt: Date;
  walletId: string;
  /** Who acted on it so far. */
  approvedBy: string | null;
  completedBy: string | null;
  /** The ledger account of the wallet it comes from. */
  walletAccountId: string;
}

/**
 * Locks a withdrawal until the transaction ends: of two commands at once the second one sees what
 * the first has made of it.
 *
 * @throws {AppError} `withdrawal_not_found`
 */
export async function lockWithdrawal(tx: Tx, id: string): Promise<LockedWithdrawal> {
  const row = await tx
    .selectFrom('withdrawal')
    .innerJoin('wallet', 'wallet.id', 'withdrawal.walletId')
    .select([
      'withdrawal.id',
      'withdrawal.reference',
      'withdrawal.userId',
      'withdrawal.bankAccountId',
      'withdrawal.bankName',
      'withdrawal.bankLast4',
      'withdrawal.amountMinor',
      'withdrawal.currency',
      'withdrawal.status',
      'withdrawal.holdId',
      'withdrawal.ledgerTransactionId',
      'withdrawal.requestedAt',
      'withdrawal.walletId',
      'withdrawal.approvedBy',
      'withdrawal.completedBy',
      'wallet.ledgerAccountId as walletAccountId',
    ])
    .where('withdrawal.id', '=', id)
    .forNoKeyUpdate('withdrawal')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('withdrawal_not_found');
  return row;
}

/**
 * Locks a withdrawal for a decision that lets its money leave.
 *
 * @throws {AppError} as `lockForDecision`; `payouts_stopped` while the books are not sound;
 *   `payouts_frozen` and `payout_cooling_off` while its owner may not be the one who asked
 */
export async function lockForPayout(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  decision: { id: string; action: WithdrawalAction },
): Promise<LockedWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, decision);
  const settings = await readSettings(tx);
  if (settings.payoutsStoppedAt !== null) throw new AppError('payouts_stopped');
  const { frozenAt, changedAt } = await readDestination(tx, withdrawal);
  if (frozenAt !== null) throw new AppError('payouts_frozen');
  const cooling = coolingOff(settings, { changedAt, now: clock.now() });
  if (cooling !== null) throw new AppError('payout_cooling_off', cooling);
  return withdrawal;
}

/** When its owner froze payouts, and when bank account or password were changed last. */
async function readDestination(
  tx: Tx,
  { bankAccountId }: LockedWithdrawal,
): Promise<{ frozenAt: Date | null; changedAt: Date }> {
  return tx
    .selectFrom('bankAccount')
    .innerJoin('appUser as owner', 'owner.id', 'bankAccount.userId')
    .select([
      'owner.payoutsFrozenAt as frozenAt',
      sql<Date>`greatest(bank_account.submitted_at, owner.password_reset_at)`.as('changedAt'),
    ])
    .where('bankAccount.id', '=', bankAccountId)
    .executeTakeFirstOrThrow();
}

/**
 * Locks a withdrawal for an admin's decision.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request` when it is the admin's own from the time
 *   as an employee, `withdrawal_wrong_status` when the action is not legal in its status.
 */
export async function lockForDecision(
  tx: Tx,
  by: CommandContext,
  { id, action }: { id: string; action: WithdrawalAction },
): Promise<LockedWithdrawal> {
  const withdrawal = await lockWithdrawal(tx, id);
  checkNotOwn(by, withdrawal.userId);
  if (!can(withdrawalCan, action, withdrawal.status)) {
    throw new AppError('withdrawal_wrong_status', { status: withdrawal.status });
  }
  return withdrawal;
}
