import { can } from '#contract/can.ts';
import { depositCan } from '#contract/deposits.ts';
import type { DepositAction, DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';

/** What a decision needs to know of the deposit. */
export interface LockedDeposit {
  id: string;
  reference: string;
  userId: string;
  method: DepositMethodId;
  amountMinor: bigint;
  currency: Currency;
  status: DepositStatus;
  walletType: WalletType;
  /** The ledger account of the wallet it goes to. */
  walletAccountId: string;
}

/** Locks a deposit. @throws {AppError} `deposit_not_found` */
export async function lockDeposit(tx: Tx, id: string): Promise<LockedDeposit> {
  const row = await tx
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .select([
      'deposit.id',
      'deposit.reference',
      'deposit.userId',
      'deposit.method',
      'deposit.amountMinor',
      'deposit.currency',
      'deposit.status',
      'wallet.type as walletType',
      'wallet.ledgerAccountId as walletAccountId',
    ])
    .where('deposit.id', '=', id)
    .forNoKeyUpdate('deposit')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return row;
}

/**
 * Locks a deposit for an admin's decision.
 *
 * @throws {AppError} `deposit_not_found`, `own_request`, `deposit_wrong_status`
 */
export async function lockForDecision(
  tx: Tx,
  by: CommandContext,
  { id, action }: { id: string; action: DepositAction },
): Promise<LockedDeposit> {
  const deposit = await lockDeposit(tx, id);
  checkNotOwn(by, deposit.userId);
  const { status } = deposit;
  if (!can(depositCan, action, status)) throw new AppError('deposit_wrong_status', { status });
  return deposit;
}
