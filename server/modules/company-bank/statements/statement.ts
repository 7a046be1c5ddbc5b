import type { Currency } from '#contract/money.ts';
import { decimalAmount } from '#contract/money.ts';
import { lineText } from '#contract/rules.ts';
import { AppError } from '#server/lib/errors.ts';
import type { NotBooked } from './line-words.ts';

/** Most lines of one file. */
export const STATEMENT_MAX_LINES = 50_000;
/** Longest text of a line that is kept, in characters. */
const MAX_TEXT = 500;

/** A bank's statement, whatever its format. Days are `2026-12-08`. */
export interface Statement {
  /** Null where the format does not name it: somebody chooses the account. */
  readonly account: StatementAccount | null;
  readonly currency: Currency;
  /**
   * Balances before the first line and after the last, in minor units; both null where the file has no balance.
   * OFX has no opening balance: it is the closing one less the lines.
   */
  readonly opening: StatementBalance | null;
  readonly closing: StatementBalance | null;
  /** As the file orders them; a CSV file with the newest first is turned around. */
  readonly lines: readonly StatementLine[];
  /** Lines of the file that are left out because they are not booked. */
  readonly notBooked: readonly NotBooked[];
}

/** An account by its IBAN, or by its number with the bank's routing number where the format has one. */
export interface StatementAccount {
  readonly iban: string | null;
  readonly routingNumber: string | null;
  readonly accountNumber: string | null;
}

export interface StatementBalance {
  readonly day: string;
  readonly amountMinor: bigint;
}

/** Words of the bank and the parties about one payment. */
interface PaymentWords {
  /** Reference that the payer gave and every bank passes on (EndToEndId). */
  readonly endToEndReference: string | null;
  /** Number in the clearing system: a NACHA trace number, or TxId. */
  readonly trace: string | null;
  readonly text: string;
  readonly counterparty: string | null;
}

export interface StatementLine extends PaymentWords {
  /** Place in the file, for errors: `Line 12`. */
  readonly place: string;
  readonly bookingDay: string;
  /** Day on which it bears interest; null where the file does not say it. */
  readonly valueDay: string | null;
  /** Minor units, above zero for money in. Never zero. */
  readonly amountMinor: bigint;
  /** The bank's own number of the line; null where it has none. */
  readonly bankReference: string | null;
  /** Number of the payment file that the line books as a whole; null if it has none. */
  readonly batchReference: string | null;
  /** True where it takes an earlier line back. */
  readonly isReversal: boolean;
  /** Payments of a batch that is booked as one line; empty for other lines. */
  readonly parts: readonly StatementPart[];
}

export interface StatementPart extends PaymentWords {
  /** Minor units with the sign of the line; null where the file does not say it in the account's currency. */
  readonly amountMinor: bigint | null;
}

/** Refusal of a file. @param why in words without a full stop */
export function statementProblem(place: string, why: string): AppError {
  return new AppError('statement_unreadable', { place, why });
}

/** Text of a file on one line, cut to what is kept. */
export function statementText(parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null && part !== '').join(' ');
  return lineText(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).slice(0, MAX_TEXT);
}

/** As `statementText`; null where nothing is left. */
export function statementWord(text: string | null): string | null {
  return (text === null ? '' : statementText([text])) || null;
}

/** Sum of amounts in minor units. */
export function sumMinor(items: readonly { readonly amountMinor: bigint }[]): bigint {
  return items.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/**
 * Checks that nothing of a statement is later than a day: a bank far ahead of its calendar would end the account's
 * statements there.
 *
 * @param latest tomorrow, for a bank in an earlier time zone
 * @throws {AppError} `statement_unreadable`
 */
export function checkDays(statements: readonly Statement[], latest: string): void {
  for (const [index, { opening, closing, lines }] of statements.entries()) {
    const late = lines.find(({ bookingDay }) => bookingDay > latest);
    if (late !== undefined) {
      throw statementProblem(
        late.place,
        `it was booked on ${late.bookingDay}, which is in the future`,
      );
    }
    for (const [verb, balance] of Object.entries({ opens: opening, closes: closing })) {
      if (balance === null || balance.day <= latest) continue;
      const why = `it ${verb} on ${balance.day}, which is in the future`;
      throw statementProblem(`Statement ${index + 1}`, why);
    }
  }
}

/** Checks that all statements are of one account. @throws {AppError} `statement_unreadable` with the ends of their numbers */
export function checkOneAccount(statements: readonly Statement[]): void {
  const numbers = new Set(
    statements.flatMap(({ account }) => account?.iban ?? account?.accountNumber ?? []),
  );
  if (numbers.size < 2) return;
  const ends = [...numbers].map((number) => `••${number.slice(-4)}`);
  const shown = ends.slice(0, 5).join(', ') + (ends.length > 5 ? ' and others' : '');
  const why = `it has statements of several accounts (${shown}). Download that of each account alone`;
  throw statementProblem('The file', why);
}

/**
 * Checks that each statement closes with its opening balance and its lines, and opens as the one before of the same
 * account closed.
 *
 * @throws {AppError} `statement_unreadable`; also where there is no statement, or there are too many lines
 */
export function checkStatements(statements: readonly Statement[]): void {
  if (statements.length === 0) throw statementProblem('The file', 'it has no statement');
  const lineCount = statements.reduce((count, { lines }) => count + lines.length, 0);
  if (lineCount > STATEMENT_MAX_LINES) {
    throw statementProblem('The file', `it has more than ${STATEMENT_MAX_LINES} lines`);
  }
  const closings = new Map<string, bigint>();
  for (const [index, statement] of statements.entries()) {
    const place = `Statement ${index + 1}`;
    const { opening, closing, lines, account, currency } = statement;
    if (opening === null || closing === null) continue;
    const expected = opening.amountMinor + sumMinor(lines);
    if (expected !== closing.amountMinor) {
      const figures = `${decimalAmount(opening.amountMinor)} and its lines make ${decimalAmount(expected)}`;
      throw statementProblem(
        place,
        `${figures}, but it closes with ${decimalAmount(closing.amountMinor)} ${currency}`,
      );
    }
    const key = JSON.stringify([account, currency]);
    const former = closings.get(key);
    if (former !== undefined && former !== opening.amountMinor) {
      const figures = `it opens with ${decimalAmount(opening.amountMinor)} ${currency}`;
      throw statementProblem(
        place,
        `${figures}, but the one before closed with ${decimalAmount(former)}`,
      );
    }
    closings.set(key, closing.amountMinor);
  }
}
