import { invariant } from '#server/lib/errors.ts';
import { xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import { sumNotBooked } from './line-words.ts';
import { statementProblem, sumMinor } from './statement.ts';
import type { Statement } from './statement.ts';

/* Statements that a bank splits into pages. Source: ISO 20022 message definitions, "Pagination". */

/** Number of a page from 1, and false while another page follows. */
export interface PageOf {
  readonly number: number;
  readonly isLast: boolean;
}

/** A statement of a message that has no pages. */
export const WHOLE: PageOf = { number: 1, isLast: true };

/** A statement of a message, or one page of it. */
export interface StatementPage extends Statement {
  /** Place in the file: `Line 12, Stmt[1]`. */
  readonly place: string;
  /** Id and number that the bank gave the statement; null where it gave none. Pages of one statement share one of them. */
  readonly id: string | null;
  readonly sequenceNumber: string | null;
  readonly page: PageOf;
}

/**
 * Pagination of a statement (`StmtPgntn`) or of a message (`GrpHdr/MsgPgntn`). One that does not say if it is the last
 * page says nothing: some banks write the number of the statement there.
 *
 * @throws what `refuse` returns for a number that is none
 */
export function pageOf(
  pagination: XmlElement | undefined,
  refuse: (element: XmlElement, why: string) => Error,
): PageOf | null {
  const last = pagination && xmlText(pagination, 'LastPgInd');
  if (pagination === undefined || last === undefined || last === null) return null;
  const written = xmlText(pagination, 'PgNb') ?? '';
  const number = /^\d{1,5}$/.test(written) ? Number(written) : 0;
  if (number > 0) return { number, isLast: last !== 'false' && last !== '0' };
  const why = `“${written.slice(0, 40)}” is not the number of a page`;
  throw refuse(xmlAt(pagination, 'PgNb') ?? pagination, why);
}

/**
 * Page of a statement, by that of its message: the first statement may go on from the message before, and the last one in
 * the message after.
 */
export function pageInMessage(
  { number, isLast }: PageOf,
  { index, count }: { index: number; count: number },
): PageOf {
  return { number: index === 0 ? number : 1, isLast: isLast || index < count - 1 };
}

/**
 * Statements of a file, whose pages are joined. Pages without the others of their statement are read where they close with
 * their own opening balance and lines; banks write interim balances (ITBD) for that.
 *
 * @throws {AppError} `statement_unreadable` naming the pages that are not in the file; also for a statement without a balance
 */
export function joinPages(pages: readonly StatementPage[]): Statement[] {
  const groups: StatementPage[][] = [];
  for (const page of pages) {
    const group = groups.findLast((one) => goesOn(one.at(-1), page));
    if (group === undefined) groups.push([page]);
    else group.push(page);
  }
  return groups.map(joined);
}

function goesOn(former: StatementPage | undefined, next: StatementPage): boolean {
  if (former === undefined || former.page.isLast || next.page.number <= former.page.number) {
    return false;
  }
  const isSame = (one: string | null, other: string | null) => one !== null && one === other;
  return (
    JSON.stringify([former.account, former.currency]) ===
      JSON.stringify([next.account, next.currency]) &&
    (isSame(former.id, next.id) || isSame(former.sequenceNumber, next.sequenceNumber))
  );
}

function joined(pages: readonly StatementPage[]): Statement {
  const first = invariant(pages[0], 'a statement has a page');
  const last = invariant(pages.at(-1), 'a statement has a page');
  const lines = pages.flatMap((page) => page.lines);
  const { place, account, currency, opening } = first;
  const { closing } = last;
  const missing = missingPages(pages.map(({ page }) => page));
  const closes = opening !== null && closing !== null;
  const addsUp = closes && opening.amountMinor + sumMinor(lines) === closing.amountMinor;
  if (missing !== null && !addsUp) throw statementProblem(place, missing);
  if (opening === null) throw statementProblem(place, 'it has no opening balance (OPBD or PRCD)');
  if (closing === null) throw statementProblem(place, 'it has no closing balance (CLBD)');
  const notBooked = sumNotBooked(pages.flatMap((page) => page.notBooked));
  return { account, currency, opening, closing, lines, notBooked };
}

/** Pages that are not in the file, in words: "this is page 1 of a statement, and page 2 is not in the file"; null where all are. */
function missingPages(pages: readonly PageOf[]): string | null {
  const absent: string[] = [];
  let former = 0;
  for (const { number } of pages) {
    const [from, to] = [former + 1, number - 1];
    if (from <= to) absent.push(from === to ? `${from}` : `${from} to ${to}`);
    former = number;
  }
  const isEnded = pages.at(-1)?.isLast === true;
  if (!isEnded) absent.push(`${former + 1}`);
  if (absent.length === 0) return null;
  const here = pages.map(({ number }) => String(number));
  const start = here.length === 1 ? 'this is page' : 'these are pages';
  const of = isEnded ? `the ${former} pages of a statement` : 'a statement';
  const isOne = absent.length === 1 && !absent[0]?.includes(' ');
  return (
    `${start} ${inWords(here)} of ${of}, and ${isOne ? 'page' : 'pages'} ${inWords(absent)} ` +
    `${isOne ? 'is' : 'are'} not in the file. Download the whole statement as one file`
  );
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2
    ? parts.join('')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
