import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BankAccount } from '#contract/api.ts';
import { addBankingDays, BANKING_ZONE } from '#contract/calendar.ts';
import { PRENOTE_BANKING_DAYS } from '#contract/bank-accounts.ts';
import { momentIn } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { writeDay } from '#server/lib/write-day.ts';

/** The prenote that a bank account needs before it is verified. */
export interface Prenote {
  /** Number of the payout file with it; null while it is in none. */
  file: number | null;
  /** Day of its settlement, once its file was marked as sent: `2026-12-09`. */
  sentFor: string | null;
}

/**
 * SQL of the prenote of an account as it was handed in last; null if the account does not wait, or the company asks for
 * no prenotes. One that came back, or whose file was cancelled, does not count.
 *
 * @param account name of the table or its alias
 */
export function prenoteOf(account: string): RawBuilder<Prenote | null> {
  return sql.raw(`(
    SELECT json_build_object('file', file.number, 'sentFor',
             CASE WHEN file.status IN ('sent', 'settled') THEN to_char(item.effective_on, 'YYYY-MM-DD') END)
      FROM company_settings AS setting
      LEFT JOIN payout_file_item AS item
        ON item.bank_account_id = ${account}.id AND item.account_as_of = ${account}.submitted_at AND item.is_live
      LEFT JOIN payout_file AS file ON file.id = item.file_id
     WHERE setting.bank_account_proof = 'prenote' AND ${account}.status = 'pending')`);
}

/** SQL condition that an account waits for a prenote, is in no payout file, and has a number: its owner’s key was not destroyed. */
export function lacksPrenote(account: string): RawBuilder<boolean> {
  const owner = sql.ref(`${account}.user_id`);
  return sql`${prenoteOf(account)}::jsonb @> '{"file": null}' AND NOT EXISTS (
    SELECT FROM data_key WHERE user_id = ${owner} AND destroyed_at IS NOT NULL)`;
}

/** The banking day on which money may be sent to an account whose prenote settled on a day and did not come back. */
function verifiableOn(sentFor: string): string {
  return addBankingDays(sentFor, PRENOTE_BANKING_DAYS);
}

function beginOf(day: string): Date {
  return momentIn(BANKING_ZONE, day, '0000');
}

/** The refusal to verify an account whose prenote is not sent, or whose bank can still answer; null if it may be. */
export function refusalOfPrenote(prenote: Prenote | null, now: Date): AppError | null {
  if (prenote === null) return null;
  const { file, sentFor } = prenote;
  if (file === null) return untested('It is not in a payout file yet.');
  if (sentFor === null) return untested(`Payout file ${fileNumber(file)} was not sent yet.`);
  const day = verifiableOn(sentFor);
  if (now >= beginOf(day)) return null;
  return untested(`Its bank can send that back before ${writeDay(day)}.`);
}

function untested(why: string): AppError {
  return new AppError('bank_account_untested', { why });
}

export function presentPrenote(prenote: Prenote | null): BankAccount['prenote'] {
  if (prenote === null) return null;
  const { file, sentFor } = prenote;
  return {
    fileNumber: file === null ? null : fileNumber(file),
    isSent: sentFor !== null,
    verifiableFrom: sentFor === null ? null : beginOf(verifiableOn(sentFor)).toISOString(),
  };
}
