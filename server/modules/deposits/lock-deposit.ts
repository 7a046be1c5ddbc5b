import { can } from '#contract/can.ts';
import { depositCan } from '#contract/deposits.ts';
import type { DepositAction, DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { selectRows } from './rows.ts';

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
 * @throws {AppError} `deposit_not_found`, `own_request`, `deposit_already_decided` naming who was faster,
 *   `deposit_wrong_status` where its owner cancelled it
 */
export async function lockForDecision(
  tx: Tx,
  by: CommandContext,
  { id, action }: { id: string; action: DepositAction },
): Promise<LockedDeposit> {
  const deposit = await lockDeposit(tx, id);
  checkNotOwn(by, deposit.userId);
  const { status } = deposit;
  if (can(depositCan, action, status)) return deposit;
  const decider = await deciderOf(tx, id);
  if (decider === null) throw new AppError('deposit_wrong_status', { status });
  throw new AppError('deposit_already_decided', { status, by: decider });
}

/** The admin who approved or rejected it; null for one that its owner ended. */
async function deciderOf(tx: Tx, id: string): Promise<string | null> {
  const row = await selectRows(tx).where('deposit.id', '=', id).executeTakeFirstOrThrow();
  return row.status === 'cancelled' ? null : row.deciderName;
}
