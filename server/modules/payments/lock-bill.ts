import { sql } from 'kysely';
import { billCan } from '#contract/bills.ts';
import type { BillAction, BillStatus } from '#contract/bills.ts';
import { can } from '#contract/can.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { coolingOff, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** What a command needs to know of the bill it changes. */
export interface LockedBill {
  id: string;
  reference: string;
  userId: string;
  walletId: string;
  payeeId: string;
  payeeName: string;
  payeeLast4: string;
  amountMinor: bigint;
  currency: Currency;
  status: BillStatus;
  holdId: string;
  ledgerTransactionId: string | null;
  requestedAt: Date;
  sentBy: string | null;
  paidBy: string | null;
  /** The ledger account of the wallet it comes from. */
  walletAccountId: string;
}

/**
 * Locks a bill until the transaction ends: of two commands at once the second sees what the first has
 * made of it.
 *
 * @param ownerId only this person's
 * @throws {AppError} `bill_not_found`; `bill_wrong_status` when the action is not legal in its status
 */
export async function lockBill(
  tx: Tx,
  { id, action, ownerId }: { id: string; action: BillAction; ownerId?: string },
): Promise<LockedBill> {
  const bill = await tx
    .selectFrom('bill')
    .innerJoin('wallet', 'wallet.id', 'bill.walletId')
    .selectAll('bill')
    .select('wallet.ledgerAccountId as walletAccountId')
    .where('bill.id', '=', id)
    .forNoKeyUpdate('bill')
    .executeTakeFirst();
  if (bill === undefined || (ownerId !== undefined && bill.userId !== ownerId)) {
    throw new AppError('bill_not_found');
  }
  if (!can(billCan, action, bill.status)) {
    throw new AppError('bill_wrong_status', { status: bill.status });
  }
  return bill;
}

/**
 * Locks a bill for an admin's decision.
 *
 * @throws {AppError} as `lockBill`; `own_request` when it is the admin's own from the time as an employee
 */
export async function lockForDecision(
  tx: Tx,
  by: CommandContext,
  decision: { id: string; action: BillAction },
): Promise<LockedBill> {
  const bill = await lockBill(tx, decision);
  checkNotOwn(by, bill.userId);
  return bill;
}

/**
 * Refuses to let the money of a bill leave while it might not be its owner who asked.
 *
 * @throws {AppError} `payouts_stopped` while the books are not sound, `payouts_frozen`,
 *   `payout_cooling_off` after the payee was entered or the password was reset
 */
export async function checkMayLeave(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  { userId, payeeId }: Pick<LockedBill, 'userId' | 'payeeId'>,
): Promise<void> {
  const settings = await readSettings(tx);
  if (settings.payoutsStoppedAt !== null) throw new AppError('payouts_stopped');
  const { frozenAt, changedAt } = await tx
    .selectFrom('payee')
    .innerJoin('appUser as owner', 'owner.id', 'payee.userId')
    .select([
      'owner.payoutsFrozenAt as frozenAt',
      sql<Date>`greatest(payee.created_at, owner.password_reset_at)`.as('changedAt'),
    ])
    .where('payee.id', '=', payeeId)
    .where('payee.userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (frozenAt !== null) throw new AppError('payouts_frozen');
  const cooling = coolingOff(settings, { changedAt, now: clock.now() });
  if (cooling !== null) throw new AppError('payout_cooling_off', cooling);
}
