import type { RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { AppError } from './errors.ts';
import { writeDay } from './write-day.ts';

/** Facts that an admin enters when completing a payout; no day means today. */
export type Completion = Partial<RouteArguments<'adminCompleteWithdrawal'>['body']>;

/** Bank facts of a payout, as stored. */
export interface LeftBank {
  leftBankOn: string;
  bankReference: string | null;
}

/** The same for the audit row of its completion. */
export function leftBankDetails({ leftBankOn, bankReference }: LeftBank): Record<string, string> {
  return { leftBankOn, ...(bankReference !== null && { bankReference }) };
}

/**
 * Bank facts of a payout, with days in the company's time zone.
 *
 * @param since time of its approval or of marking it as sent: its money has not left earlier
 * @throws {AppError} `payout_day_invalid` for a day before that or after today
 */
export function readLeftBank(
  { leftBankOn, bankReference = '' }: Completion,
  { since, now, timeZone }: { since: Date; now: Date; timeZone: string },
): LeftBank {
  const today = dayIn(timeZone, now);
  const first = dayIn(timeZone, since);
  const day = leftBankOn ?? today;
  if (day < first || day > today) {
    throw new AppError('payout_day_invalid', { from: writeDay(first), to: writeDay(today) });
  }
  return { leftBankOn: day, bankReference: bankReference === '' ? null : bankReference };
}
