import type { RouteArguments } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { AppError } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

type OrderBody = RouteArguments<'adminPreviewPayroll'>['body'];

/** Order of an admin: the same amount to each matching employee. */
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
  /** Skipped people who are not with the company: not accepted yet, or deactivated. */
  outsideCount: number;
}

/** Most that the company lets a payroll pay, in minor units. */
type Limits = Pick<CompanySettings, 'payrollLineLimitMinor' | 'payrollBatchLimitMinor'>;

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
 * Refuses an order that would pay nobody, or more than the company lets one payroll
 * pay to each employee and in all.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`, `payroll_line_limit`,
 *   `payroll_batch_limit`
 */
export function checkPayable(order: PayrollOrder, counts: OrderCounts, limits: Limits): void {
  const { payableCount, skippedCount, outsideCount } = counts;
  if (payableCount + skippedCount === outsideCount) {
    throw new AppError('no_employees_in_department');
  }
  if (payableCount === 0) {
    throw new AppError('no_wallets_of_type', { wallet: WALLET_LABELS[order.walletType] });
  }
  checkLimits(order, orderTotal(order, payableCount), limits);
}

/**
 * Refuses what would pay more than the company lets one payroll pay to each employee and in all.
 *
 * @param total what it pays in all, in minor units
 * @throws {AppError} `payroll_line_limit`, `payroll_batch_limit`
 */
export function checkLimits(
  { amountMinor, currency }: Pick<PayrollOrder, 'amountMinor' | 'currency'>,
  total: bigint,
  limits: Limits,
): void {
  if (amountMinor > limits.payrollLineLimitMinor) {
    throw new AppError('payroll_line_limit', {
      limit: formatMoney(money(limits.payrollLineLimitMinor, currency)),
    });
  }
  if (total > limits.payrollBatchLimitMinor) {
    throw new AppError('payroll_batch_limit', {
      total: formatMoney(money(total, currency)),
      limit: formatMoney(money(limits.payrollBatchLimitMinor, currency)),
    });
  }
}

/** Total of the order, in minor units. */
export function orderTotal(order: PayrollOrder, payableCount: number): bigint {
  return order.amountMinor * BigInt(payableCount);
}
