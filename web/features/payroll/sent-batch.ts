import type { PayrollPreview } from '#contract/api.ts';
import type { Problem } from '#contract/errors.ts';
import { CURRENCIES, formatMoney } from '#contract/money.ts';
import { PAYROLL_STATUSES } from '#contract/statuses.ts';
import type { Moment, MomentLook } from '#web/lib/format.ts';
import { employeesWords } from './words.ts';

/** A sent batch whose recipients may overlap with the order's. */
export type SentBatch = NonNullable<PayrollPreview['recentBatch']>;

/**
 * The batch sent after the preview, from the details of a refused confirmation. Null if there was
 * none.
 */
export function readSentMeanwhile({ details = {} }: Problem): SentBatch | null {
  const { number, name, sentBy, sentAt, employees, totalMinor } = details;
  const status = PAYROLL_STATUSES.find((known) => known === details['status']);
  const currency = CURRENCIES.find((known) => known === details['currency']);
  const isNamed =
    typeof number === 'string' &&
    typeof name === 'string' &&
    typeof sentBy === 'string' &&
    typeof sentAt === 'string' &&
    typeof employees === 'number' &&
    typeof totalMinor === 'string';
  if (!isNamed || status === undefined || currency === undefined) return null;
  const total = { minor: totalMinor, currency };
  return { number, name, status, sentBy, sentAt, employees, total };
}

/**
 * "Sent today at 2:02 PM by Ana Ruiz: Salary Wallet - 12/8/2026 (batch 0049), $1,234.00 to 42
 * employees."
 *
 * @param write see `useMoments`
 */
export function sentWords(
  batch: SentBatch,
  write: (at: Moment, look: MomentLook) => string,
  now: Date,
): string {
  const { name, number, sentBy, sentAt, employees, total, status } = batch;
  const isToday = write(sentAt, 'date') === write(now, 'date');
  const day = isToday ? 'today' : `on ${write(sentAt, 'short')}`;
  const when = `${day} at ${write(sentAt, 'time')}`;
  const what = `${formatMoney(total)} to ${employeesWords(employees)}`;
  const failed = status === 'failed' ? ' Nobody was paid by it yet.' : '';
  return `Sent ${when} by ${sentBy}: ${name} (batch ${number}), ${what}.${failed}`;
}
