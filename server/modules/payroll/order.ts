import type { RouteArguments } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { AppError } from '#server/lib/errors.ts';
import { MAX_BATCH_TOTAL_MINOR } from './rules.ts';

type OrderBody = RouteArguments<'previewPayroll'>['body'];

/** What an admin asks for: the same amount to each matching employee. */
export interface PayrollOrder {
  walletType: OrderBody['walletType'];
  department: OrderBody['department'];
  amountMinor: bigint;
  currency: Currency;
  description: string;
}

/** Everyone an order names, counted. */
export interface OrderCounts {
  payableCount: number;
  skippedCount: number;
}

/**
 * The order in a request's body.
 *
 * @throws {AppError} `amount_invalid` when it is not in the company's currency
 */
export function readOrder(body: OrderBody, companyCurrency: Currency): PayrollOrder {
  const { amount, walletType, department, description } = body;
  if (amount.currency !== companyCurrency) throw new AppError('amount_invalid');
  return {
    walletType,
    department,
    amountMinor: BigInt(amount.minor),
    currency: amount.currency,
    description,
  };
}

/**
 * Refuses an order that would pay nobody (spec, section 5), or more than a batch can carry.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`, `amount_invalid`
 */
export function checkPayable(order: PayrollOrder, counts: OrderCounts): void {
  const { payableCount, skippedCount } = counts;
  if (payableCount + skippedCount === 0) throw new AppError('no_employees_in_department');
  if (payableCount === 0) {
    throw new AppError('no_wallets_of_type', { wallet: WALLET_LABELS[order.walletType] });
  }
  if (orderTotal(order, payableCount) > MAX_BATCH_TOTAL_MINOR) throw new AppError('amount_invalid');
}

/** What the order pays in all, in minor units. */
export function orderTotal(order: PayrollOrder, payableCount: number): bigint {
  return order.amountMinor * BigInt(payableCount);
}
