import type { BankAccount } from '#contract/api.ts';
import { bankingToday } from '#contract/banking-days.ts';
import { addDays } from '#contract/calendar.ts';
import { formatMoney } from '#contract/money.ts';
import { formatDay } from '#web/lib/format.ts';

/** Words for a prenote or micro-deposits that an account needs before it can be verified. */
interface OpenProof {
  what: string;
  /** Explanation for the owner of the account. */
  note: string;
  /** Explanation for administrators. */
  state: string;
}

type Proofs = Pick<BankAccount, 'prenote' | 'microDeposits'>;

/**
 * The proof of an account in words; null without one, once its bank can no longer send a prenote back, and once its owner
 * entered the amounts of its micro-deposits.
 */
export function openProof(
  { prenote, microDeposits }: Proofs,
  nowMs = Date.now(),
): OpenProof | null {
  if (microDeposits !== null) return openDeposits(microDeposits, nowMs);
  if (prenote === null) return null;
  const { verifiableFrom } = prenote;
  const state = fileWords(prenote.fileNumber, 'it');
  if (verifiableFrom === null) {
    return {
      what: 'Waiting for a prenote',
      note: 'Your company first sends an entry of $0.00, so that your bank checks the numbers',
      state,
    };
  }
  const from = new Date(verifiableFrom);
  if (from.getTime() <= nowMs) return null;
  const day = formatDay(bankingToday(from, 'USD'), 'short');
  return {
    what: 'Prenote sent',
    note: `Your bank can send it back before ${day}. An administrator verifies the account after that`,
    state,
  };
}

function fileWords(fileNumber: string | null, what: string): string {
  return fileNumber === null ? `Make a payout file with ${what}` : `In payout file ${fileNumber}`;
}

type MicroDeposits = NonNullable<BankAccount['microDeposits']>;

/** "1 of 3 tries used" */
export function triesWords({ triesUsed, triesLeft }: MicroDeposits): string {
  return `${triesUsed} of ${triesUsed + triesLeft} tries used`;
}

function openDeposits(deposits: MicroDeposits, nowMs: number): OpenProof | null {
  const { fileNumber, opensAt, closesAt, isProved } = deposits;
  if (isProved) return null;
  const each = `less than ${formatMoney(deposits.under)}`;
  const inFile = fileWords(fileNumber, 'them');
  if (opensAt === null || closesAt === null) {
    return {
      what: 'Waiting for micro-deposits',
      note: `Your company first sends two deposits of ${each} each to this account`,
      state: inFile,
    };
  }
  const arrives = formatDay(bankingToday(new Date(opensAt), 'USD'), 'short');
  const lastDay = formatDay(addDays(bankingToday(new Date(closesAt), 'USD'), -1), 'short');
  if (new Date(opensAt).getTime() > nowMs) {
    return {
      what: 'Micro-deposits sent',
      note: `Two deposits of ${each} each arrive on ${arrives}. Enter both amounts then`,
      state: `${inFile}, they arrive on ${arrives}`,
    };
  }
  return {
    what: 'Waiting for the two amounts',
    note: `Two deposits of ${each} each arrived on ${arrives}. Enter both amounts by ${lastDay}`,
    state: `${inFile}, arrived on ${arrives}, ${triesWords(deposits)}`,
  };
}
