import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TransactionType } from '#contract/activity.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import type { FundingType } from '#contract/funding.ts';
import { PAYDAY_HOUR } from '#contract/payroll.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/**
 * `Salary Wallet - 12/8/2026`: of the pay date, without one of today by the company's calendar. A payroll of several types
 * of wallet, which names none, is `Payroll - 12/8/2026`.
 */
export function batchName(
  { walletType, payOn }: { walletType?: WalletType; payOn: string | null },
  now: Date,
  timeZone: string,
): string {
  const what = walletType === undefined ? 'Payroll' : WALLET_LABELS[walletType];
  return `${what} - ${dateOf(...payDate(payOn, now, timeZone))}`;
}

/** The pay date, or now, with the time zone in which to write it. */
function payDate(payOn: string | null, now: Date, timeZone: string): [Date, string] {
  return payOn === null ? [now, timeZone] : [new Date(payOn), 'UTC'];
}

/** `Bonus - 12/8/2026`, of a batch that funds one employee. */
export function fundingName(type: FundingType, at: Date, timeZone: string): string {
  return `${FUNDING_TYPES[type].label} - ${dateOf(at, timeZone)}`;
}

function dateOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).format(at);
}

/** `December 2026`: of the pay date, without one of today by the company's calendar. */
export function payPeriod(payOn: string | null, now: Date, timeZone: string): string {
  const [at, zone] = payDate(payOn, now, timeZone);
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'long',
  }).format(at);
}

/**
 * SQL of the moment at which a confirmed or approved payroll is sent: when it can no longer be stopped, and not before
 * `PAYDAY_HOUR` of its pay date.
 */
export function sendsAt(
  { payrollCancelSeconds, timeZone }: Pick<CompanySettings, 'payrollCancelSeconds' | 'timeZone'>,
  payOn: string | null,
  now: Date,
): RawBuilder<Date> {
  const stoppableUntil = new Date(now.getTime() + payrollCancelSeconds * 1000);
  const paidFrom = sql`(${payOn}::date + make_interval(hours => ${PAYDAY_HOUR})) AT TIME ZONE ${timeZone}`;
  return sql`greatest(${stoppableUntil}::timestamptz, ${paidFrom})`;
}

/** SQL of the company's day of a row of `payroll_batch`: its pay date, without one the day on which it was sent. */
export function payDay(timeZone: string): RawBuilder<string> {
  return sql`coalesce(pay_on, (created_at AT TIME ZONE ${timeZone})::date)`;
}

/** Parts of the references of a batch's lines. */
interface Numbered {
  number: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
}

/**
 * `PAY-0049-0148`, of individual funding `IF-0049`: unique in the ledger, which is why no line can be
 * paid twice.
 */
export function lineReference({ number, fundingType }: Numbered, lineNumber: number): string {
  if (fundingType !== null) return fundingReference(number);
  return `PAY-${number}-${String(lineNumber).padStart(4, '0')}`;
}

/** `IF-0049`, of the batch with that number. */
export function fundingReference(number: string): string {
  return `IF-${number}`;
}

/** The kind of a line's posting in the ledger. */
export function postingKind({ fundingType }: Pick<Numbered, 'fundingType'>): TransactionType {
  return fundingType === null ? 'payroll' : 'funding';
}

/** A batch has failed only when nobody could be paid. */
export function finalStatus(paidCount: number): PayrollStatus {
  return paidCount > 0 ? 'completed' : 'failed';
}

/** "1 employee", "58 employees" */
export function employeesOf(count: number): string {
  return count === 1 ? '1 employee' : `${count.toLocaleString('en-US')} employees`;
}
