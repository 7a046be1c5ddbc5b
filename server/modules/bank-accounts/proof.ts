import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BankAccount } from '#contract/api.ts';
import { bankingZone } from '#contract/bank-holidays.ts';
import { addBankingDays } from '#contract/banking-days.ts';
import { addDays } from '#contract/calendar.ts';
import {
  MICRO_DEPOSIT_BANKING_DAYS,
  MICRO_DEPOSIT_TRIES,
  MOST_MICRO_DEPOSIT_MINOR,
  PRENOTE_BANKING_DAYS,
} from '#contract/bank-accounts.ts';
import type { BankAccountProof } from '#contract/bank-accounts.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { momentIn } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { writeDay } from '#server/lib/write-day.ts';

/** Companies in other currencies have neither prenotes nor micro-deposits. */
const PROVED_IN = 'USD';
const ZONE = bankingZone(PROVED_IN);

/** The prenote or the micro-deposits that a bank account needs before it is verified. */
export interface Proof {
  kind: Exclude<BankAccountProof, 'none'>;
  /** Number of the payout file with it; null while it is in none. */
  file: number | null;
  /** Day of its settlement, once its file was marked as sent: `2026-12-09`. */
  sentFor: string | null;
  /** The later of that day and the day on which its file was marked as sent; null until then. */
  knownOn: string | null;
  /** Id of the first of two micro-deposits in their file; null of a prenote. */
  depositId: string | null;
  currency: Currency;
  /** Times that the owner entered amounts, and true if the last were right. */
  tries: number;
  isProved: boolean;
}

/**
 * SQL of the proof of an account as it was handed in last; null if the account does not wait, or the company asks for
 * none, which companies in other currencies than USD cannot. A prenote that came back, and one whose file was cancelled,
 * does not count. An account that an administrator entered for a person who left takes no micro-deposits: nobody could enter
 * their amounts, and another administrator verifies it.
 *
 * @param account name of the table or its alias
 */
export function proofOf(account: string): RawBuilder<Proof | null> {
  return sql.raw(`(
    SELECT json_build_object('kind', setting.bank_account_proof, 'currency', setting.currency, 'file', file.number, 'sentFor',
             CASE WHEN file.status IN ('sent', 'settled') THEN to_char(item.effective_on, 'YYYY-MM-DD') END,
             'knownOn', to_char(greatest(item.effective_on, (file.sent_at AT TIME ZONE '${ZONE}')::date), 'YYYY-MM-DD'),
             'depositId', CASE WHEN item.deposit_number = 1 THEN item.id END,
             'tries', (SELECT count(*) FROM micro_deposit_try WHERE item_id = item.id),
             'isProved', EXISTS (SELECT FROM micro_deposit_try WHERE item_id = item.id AND is_right))
      FROM company_settings AS setting
      LEFT JOIN payout_file_item AS item
        ON item.bank_account_id = ${account}.id AND item.account_as_of = ${account}.submitted_at AND item.is_live
       AND item.deposit_number IS NOT DISTINCT FROM CASE setting.bank_account_proof WHEN 'micro_deposits' THEN 1 END
      LEFT JOIN payout_file AS file ON file.id = item.file_id
     WHERE setting.bank_account_proof <> 'none' AND setting.currency = '${PROVED_IN}' AND ${account}.status = 'pending'
       AND (setting.bank_account_proof <> 'micro_deposits' OR ${account}.entered_by IS NULL))`);
}

/**
 * SQL condition that an account waits for a prenote or micro-deposits, is in no payout file, and has a number: its owner’s
 * key was not destroyed.
 */
export function lacksProof(account: string): RawBuilder<boolean> {
  const owner = sql.ref(`${account}.user_id`);
  return sql`${proofOf(account)}::jsonb @> '{"file": null}' AND NOT EXISTS (
    SELECT FROM data_key WHERE user_id = ${owner} AND destroyed_at IS NOT NULL)`;
}

/** The banking day on which money may be sent to an account whose prenote settled on a day and did not come back. */
function verifiableOn(sentFor: string): string {
  return addBankingDays(sentFor, PRENOTE_BANKING_DAYS, PROVED_IN);
}

interface Entering {
  opensAt: Date;
  closesAt: Date;
  /** Last whole day before it closes. */
  lastDay: string;
}

/** Times between which the amounts of micro-deposits can be entered: whole days of New York. Null until they were sent. */
function enteringOf({ sentFor, knownOn }: Proof): Entering | null {
  if (sentFor === null || knownOn === null) return null;
  const lastDay = addBankingDays(knownOn, MICRO_DEPOSIT_BANKING_DAYS, PROVED_IN);
  return { opensAt: beginOf(sentFor), closesAt: beginOf(addDays(lastDay, 1)), lastDay };
}

function beginOf(day: string): Date {
  return momentIn(ZONE, day, '0000');
}

/**
 * The refusal to verify an account whose proof is not sent, whose bank can still answer a prenote, or whose owner has not
 * entered the amounts of its micro-deposits; null if it may be verified.
 */
export function refusalOfProof(proof: Proof | null, now: Date): AppError | null {
  if (proof === null) return null;
  const { kind, file, sentFor, isProved, tries } = proof;
  const unproved = (why: string) =>
    new AppError(kind === 'prenote' ? 'bank_account_untested' : 'bank_account_unproved', { why });
  if (file === null) return unproved('It is not in a payout file yet.');
  if (sentFor === null) return unproved(`Payout file ${fileNumber(file)} was not sent yet.`);
  const entering = kind === 'micro_deposits' ? enteringOf(proof) : null;
  if (entering !== null) {
    if (isProved) return null;
    if (now < entering.opensAt) return unproved(`They arrive on ${writeDay(sentFor)}.`);
    if (now >= entering.closesAt) {
      return unproved(`That could be done until ${writeDay(entering.lastDay)}.`);
    }
    return unproved(`They arrived on ${writeDay(sentFor)}, and ${triesWords(tries)}.`);
  }
  const day = verifiableOn(sentFor);
  if (now >= beginOf(day)) return null;
  return unproved(`Its bank can send that back before ${writeDay(day)}.`);
}

/** "1 of 3 tries is used" */
function triesWords(tries: number): string {
  return `${tries} of ${MICRO_DEPOSIT_TRIES} tries ${tries === 1 ? 'is' : 'are'} used`;
}

/** The refusal to enter the amounts of micro-deposits that have not arrived, or whose time is over; null if they can be entered. */
export function refusalOfAmounts(proof: Proof | null, now: Date): AppError | null {
  const closed = (why: string) => new AppError('micro_deposits_closed', { why });
  if (proof?.kind !== 'micro_deposits') return closed('Your company sends no micro-deposits.');
  const { sentFor, isProved, tries } = proof;
  const entering = enteringOf(proof);
  if (sentFor === null || entering === null) return closed('The deposits were not sent yet.');
  if (isProved) return closed('You entered them. An administrator verifies the account.');
  if (now < entering.opensAt) return closed(`The deposits arrive on ${writeDay(sentFor)}.`);
  if (now >= entering.closesAt || tries >= MICRO_DEPOSIT_TRIES) {
    return closed(`That could be done until ${writeDay(entering.lastDay)}.`);
  }
  return null;
}

/** True once the amounts of micro-deposits were not entered in time. */
export function isOverdue(proof: Proof | null, now: Date): boolean {
  if (proof?.kind !== 'micro_deposits' || proof.isProved) return false;
  const entering = enteringOf(proof);
  return entering !== null && now >= entering.closesAt;
}

export function presentPrenote(proof: Proof | null): BankAccount['prenote'] {
  if (proof?.kind !== 'prenote') return null;
  const { file, sentFor } = proof;
  return {
    fileNumber: file === null ? null : fileNumber(file),
    isSent: sentFor !== null,
    verifiableFrom: sentFor === null ? null : beginOf(verifiableOn(sentFor)).toISOString(),
  };
}

export function presentMicroDeposits(proof: Proof | null): BankAccount['microDeposits'] {
  if (proof?.kind !== 'micro_deposits') return null;
  const { file, tries, isProved, currency } = proof;
  const times = enteringOf(proof);
  return {
    fileNumber: file === null ? null : fileNumber(file),
    opensAt: times?.opensAt.toISOString() ?? null,
    closesAt: times?.closesAt.toISOString() ?? null,
    under: money(BigInt(MOST_MICRO_DEPOSIT_MINOR + 1), currency),
    triesUsed: tries,
    triesLeft: MICRO_DEPOSIT_TRIES - tries,
    isProved,
  };
}
