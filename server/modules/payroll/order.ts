import type { PayrollPreview, RouteArguments } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { AppError } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

type OrderBody = RouteArguments<'adminPreviewPayroll'>['body'];

/** Order of an admin: the same amount to each matching employee, or what a draft has for each. */
export interface PayrollOrder {
  walletType: OrderBody['walletType'];
  /** `chosen`: the people of the draft. */
  department: OrderBody['department'] | 'chosen';
  /** Paid to each, in minor units; null: each person's own, as the draft has it. */
  amountMinor: bigint | null;
  /** The draft that names the people or their amounts; null: everyone of the department gets the same. */
  draftId: string | null;
  /** Day of the company's calendar on which it is paid; null: as soon as it can no longer be stopped. */
  payOn: string | null;
  currency: Currency;
  description: string;
}

/** Everyone an order names, counted. */
export interface OrderCounts {
  payableCount: number;
  skippedCount: number;
  /** Skipped people who are not with the company: not accepted yet, or deactivated. */
  outsideCount: number;
  /** Minor units of all who are paid, and of the one who gets most. */
  totalMinor: bigint;
  mostMinor: bigint;
}

/** Most that the company lets a payroll pay, in minor units. */
type Limits = Pick<CompanySettings, 'payrollLineLimitMinor' | 'payrollBatchLimitMinor'>;

/**
 * The order in a request's body.
 *
 * @param today in the company's time zone
 * @throws {AppError} `amount_invalid` when it is not in the company's currency; `pay_date_past`
 */
export function readOrder(body: OrderBody, companyCurrency: Currency, today: string): PayrollOrder {
  const { amount, walletType, department, description, payOn = null } = body;
  checkCurrency(amount.currency, companyCurrency);
  checkPayDate(payOn, today);
  return {
    walletType,
    department,
    amountMinor: BigInt(amount.minor),
    draftId: null,
    payOn,
    currency: amount.currency,
    description,
  };
}

/**
 * Refuses amounts of an order or a draft in another currency than that of the company or the draft.
 *
 * @throws {AppError} `amount_invalid`
 */
export function checkCurrency(currency: Currency, expected: Currency): void {
  if (currency !== expected) throw new AppError('amount_invalid');
}

/** @throws {AppError} `pay_date_past` */
export function checkPayDate(payOn: string | null, today: string): void {
  if (payOn !== null && payOn < today) throw new AppError('pay_date_past');
}

/**
 * Refuses an order that would pay nobody.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`
 */
export function checkPayable(
  order: PayrollOrder,
  { payableCount, skippedCount, outsideCount }: OrderCounts,
): void {
  if (payableCount + skippedCount === outsideCount) {
    throw new AppError('no_employees_in_department');
  }
  if (payableCount === 0) {
    throw new AppError('no_wallets_of_type', { wallet: WALLET_LABELS[order.walletType] });
  }
}

/**
 * The limits of the company with what a payment takes of them.
 *
 * @param payment minor units that it pays in all, and to the one who gets most, with the name of that person
 */
export function presentLimits(
  { mostMinor, totalMinor, currency, mostName }: Payment & { mostName: string | null },
  limits: Limits,
): PayrollPreview['limits'] {
  const of = (takesMinor: bigint, allowsMinor: bigint) => ({
    takes: money(takesMinor, currency),
    allows: money(allowsMinor, currency),
    isPassed: takesMinor > allowsMinor,
  });
  return [
    { limit: 'person', ...of(mostMinor, limits.payrollLineLimitMinor), person: mostName },
    { limit: 'payroll', ...of(totalMinor, limits.payrollBatchLimitMinor), person: null },
  ];
}
type Payment = Pick<OrderCounts, 'mostMinor' | 'totalMinor'> & { currency: Currency };

/**
 * Refuses what would pay more than the company lets one payroll pay to each employee and in all.
 *
 * @throws {AppError} `payroll_line_limit`, `payroll_batch_limit`
 */
export function checkLimits(payment: Payment, limits: Limits): void {
  refusePassed(presentLimits({ ...payment, mostName: null }, limits));
}

/** @throws {AppError} `payroll_line_limit`, `payroll_batch_limit` */
export function refusePassed(limits: PayrollPreview['limits']): void {
  const passed = limits.find(({ isPassed }) => isPassed);
  if (passed === undefined) return;
  const { takes, allows } = passed;
  const limit = formatMoney(allows);
  if (passed.limit === 'person') throw new AppError('payroll_line_limit', { limit });
  throw new AppError('payroll_batch_limit', { total: formatMoney(takes), limit });
}
