import { sql } from 'kysely';
import {
  DOCUMENT_SCREEN_ROWS,
  STATEMENT_MAX_ENTRIES,
  statementId,
} from '#contract/account-documents.ts';
import type { AccountDocument } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant, InvariantError } from '#server/lib/errors.ts';
import { endOfDay, postedAs, startOfDay } from '#server/modules/history/index.ts';
import type { DocumentScope } from './scope.ts';
import { lastDayOf, monthAfter, monthIn } from './months.ts';
import { hasMonth, ownWallets } from './own-wallets.ts';
import type { OwnWallet } from './own-wallets.ts';
import { proofOf } from './seals.ts';
import {
  accountWords,
  amountCell,
  companyHead,
  questionsLine,
  writeDay,
  writeMoment,
} from './words.ts';
import type { DocumentTable } from './words.ts';

interface StatementOrder {
  wallet: WalletType;
  /** `2026-11`, of the company's time zone. */
  month: string;
  /** False for the screen, which shows only the first entries. */
  isWhole: boolean;
}

/**
 * Statement of one account and month: the balance before, every entry, and the balance after. For
 * the current month it has the entries so far, and says in each place that it is not final.
 *
 * @throws {AppError} `account_document_not_found` for an account that the person does not have, and
 *   for a month before it was opened, after it was closed or that has not begun;
 *   `statement_too_long` if `isWhole` is true
 */
export async function makeStatement(
  reader: Reader,
  scope: DocumentScope,
  { wallet: type, month, isWhole }: StatementOrder,
): Promise<AccountDocument> {
  const { settings, now, person } = scope;
  const { timeZone } = settings;
  const wallets = await ownWallets(reader, person.id, timeZone);
  const wallet = wallets.find((own) => own.type === type);
  if (wallet === undefined || !hasMonth(wallet, month) || month > monthIn(timeZone, now)) {
    throw new AppError('account_document_not_found');
  }
  const span = await readSpan(reader, wallet, month, timeZone);
  if (isWhole && span.count > STATEMENT_MAX_ENTRIES) {
    throw new AppError('statement_too_long', { entries: span.count, most: STATEMENT_MAX_ENTRIES });
  }
  const limit = isWhole ? STATEMENT_MAX_ENTRIES : DOCUMENT_SCREEN_ROWS;
  const entries = await readEntries(reader, wallet, span, limit);
  if (entries.length === span.count) checkSum(span, entries);
  const { currency } = settings;
  const isFinal = month < monthIn(timeZone, now);
  const last = lastDayOf(month);
  const until = isFinal ? last : dayIn(timeZone, now);
  const closingLabel = isFinal ? 'Closing balance' : 'Balance so far';
  const id = statementId(type, month);
  return {
    id,
    kind: 'statement',
    title: isFinal ? 'Statement' : 'Statement so far',
    subtitle: `${WALLET_LABELS[type]}, ${periodOf(month, until)}`,
    notice: isFinal ? null : notFinal(month, now, timeZone),
    company: companyHead(settings),
    lead: {
      label: closingLabel,
      amount: money(span.closingMinor, currency),
      isSigned: false,
    },
    facts: [
      [
        { label: 'Account holder', value: person.name },
        ...(scope.address.length === 0
          ? []
          : [{ label: 'Address', value: scope.address.join(', ') }]),
        { label: 'Account', value: WALLET_LABELS[type] },
        { label: 'Account number', value: `•••• ${wallet.last4}` },
        { label: 'Entries', value: span.count.toLocaleString('en-US') },
      ],
      [
        { label: 'Opening balance', value: amountCell(span.openingMinor, currency) },
        { label: 'Money in', value: amountCell(span.inMinor, currency, 'signed') },
        { label: 'Money out', value: amountCell(span.outMinor, currency, 'signed') },
        ...(span.returnedMinor === 0n
          ? []
          : [{ label: 'Returned', value: amountCell(span.returnedMinor, currency, 'signed') }]),
        ...(span.movedMinor === 0n
          ? []
          : [
              {
                label: 'Between own accounts',
                value: amountCell(span.movedMinor, currency, 'signed'),
              },
            ]),
        { label: closingLabel, value: amountCell(span.closingMinor, currency) },
      ],
    ],
    tables: [entriesTable({ span, entries, month, until, closingLabel, settings })],
    proof:
      span.count === 0
        ? [isFinal ? 'No entries in this month.' : 'No entries in this month so far.']
        : await proofOf(reader, ofSpan(wallet, span), { timeZone, noun: 'entries' }),
    proves:
      span.lastVersion === null
        ? null
        : { kind: 'balance', account: type, number: span.lastVersion.toString() },
    questions: questionsLine(settings, writeDay(last, 'date')),
    reference: `${accountWords(type, wallet.last4)}, ${writeDay(last, 'month')}${isFinal ? '' : ', not final'}`,
    fileName: `statement-${type}-${month}${isFinal ? '' : '-not-final'}`,
  };
}

/** "Not final. …" */
function notFinal(month: string, now: Date, timeZone: string): string {
  const from = writeDay(`${monthAfter(month)}-01`, 'date');
  return `Not final. This month still runs: entries until ${writeMoment(now, 'moment', timeZone)}. The statement of the whole month can be opened from ${from}.`;
}

/** "November 1 – 30, 2026"; ends at an earlier day of the month if one is given. */
export function periodOf(month: string, last: string = lastDayOf(month)): string {
  const name = writeDay(last, 'month').split(' ')[0];
  if (last.endsWith('-01')) return `${name} 1, ${month.slice(0, 4)}`;
  return `${name} 1 – ${Number(last.slice(8))}, ${month.slice(0, 4)}`;
}

interface Span {
  /** Numbers of the first and last entry, which are consecutive; null where there is none. */
  firstVersion: bigint | null;
  lastVersion: bigint | null;
  count: number;
  inMinor: bigint;
  /** Negative. */
  outMinor: bigint;
  /** Sum of reversals, for example of a payout that came back: neither in nor out. */
  returnedMinor: bigint;
  /**
   * Moved in from the person's other accounts, less the amount moved to them: neither in nor out.
   */
  movedMinor: bigint;
  openingMinor: bigint;
  closingMinor: bigint;
}

/** One statement, so that a concurrent posting is in all of the result or in none. */
async function readSpan(
  reader: Reader,
  { ledgerAccountId }: OwnWallet,
  month: string,
  timeZone: string,
): Promise<Span> {
  const start = startOfDay(`${month}-01`, timeZone);
  const end = endOfDay(lastDayOf(month), timeZone);
  const balanceBefore = (at: typeof start) => sql`coalesce((
    SELECT balance_after FROM ledger_entry
     WHERE account_id = ${ledgerAccountId} AND effective_at < ${at}
     ORDER BY effective_at DESC, account_version DESC LIMIT 1), 0)::bigint`;
  const total = (side: 'credit' | 'debit', ...kinds: readonly string[]) => sql`coalesce((
    SELECT sum(${sql.ref(side)}) FROM ledger_total
     WHERE account_id = ${ledgerAccountId} AND kind IN (${sql.join(kinds)})
       AND month = ${`${month}-01`}::date), 0)`;
  const net = (kind: string) => sql`(${total('credit', kind)} - ${total('debit', kind)})::bigint`;
  const { rows } = await sql<Omit<Span, 'count'> & { count: bigint }>`
    SELECT min(account_version) AS first_version, max(account_version) AS last_version,
           count(*) AS count,
           (coalesce(sum(greatest(amount, 0)), 0) - ${total('credit', 'reversal', 'move')})::bigint AS in_minor,
           (coalesce(sum(least(amount, 0)), 0) + ${total('debit', 'reversal', 'move')})::bigint AS out_minor,
           ${net('reversal')} AS returned_minor, ${net('move')} AS moved_minor,
           ${balanceBefore(start)} AS opening_minor, ${balanceBefore(end)} AS closing_minor
      FROM ledger_entry
     WHERE account_id = ${ledgerAccountId} AND effective_at >= ${start} AND effective_at < ${end}`.execute(
    reader,
  );
  const span = invariant(rows[0], 'an aggregate gave no row');
  return { ...span, count: Number(span.count) };
}

const ofSpan = ({ ledgerAccountId }: OwnWallet, { firstVersion, lastVersion }: Span) =>
  sql<boolean>`entry.account_id = ${ledgerAccountId}
    AND entry.account_version BETWEEN ${firstVersion} AND ${lastVersion}`;

interface Entry {
  amountMinor: bigint;
  balanceAfterMinor: bigint;
  effectiveAt: Date;
  reference: string;
  description: string;
}

/** Selected by number: a later posting is never between them. */
async function readEntries(
  reader: Reader,
  wallet: OwnWallet,
  span: Span,
  limit: number,
): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    SELECT entry.amount AS amount_minor, entry.balance_after AS balance_after_minor,
           entry.effective_at, one.reference,
           ${postedAs(sql`one`, sql`entry`)} AS description
      FROM ledger_entry AS entry JOIN ledger_transaction AS one ON one.id = entry.transaction_id
     WHERE ${ofSpan(wallet, span)}
     ORDER BY entry.account_version LIMIT ${limit}`.execute(reader);
  return rows;
}

/** A statement that does not add up is not shown; it is reported like any other bug. */
function checkSum({ openingMinor, closingMinor }: Span, entries: readonly Entry[]): void {
  const sum = entries.reduce((total, { amountMinor }) => total + amountMinor, openingMinor);
  if (sum !== closingMinor)
    throw new InvariantError('a statement does not sum to its closing balance');
}

interface TableOf {
  span: Span;
  entries: readonly Entry[];
  month: string;
  /** Last day that the statement covers. */
  until: string;
  closingLabel: string;
  settings: DocumentScope['settings'];
}

function entriesTable(of: TableOf): DocumentTable {
  const { span, entries, month, until, closingLabel, settings } = of;
  const { currency, timeZone } = settings;
  const changeMinor = span.closingMinor - span.openingMinor;
  return {
    title: null,
    columns: [
      { label: 'Date', kind: 'text' },
      { label: 'Description', kind: 'text' },
      { label: 'Reference', kind: 'code' },
      { label: 'Amount', kind: 'amount' },
      { label: 'Balance', kind: 'amount' },
    ],
    rows: [
      [
        writeDay(`${month}-01`, 'short'),
        'Opening balance',
        '',
        '',
        amountCell(span.openingMinor, currency),
      ],
      ...entries.map((entry) => [
        writeMoment(entry.effectiveAt, 'short', timeZone),
        entry.description,
        entry.reference,
        amountCell(entry.amountMinor, currency, 'signed'),
        amountCell(entry.balanceAfterMinor, currency),
      ]),
    ],
    total: [
      writeDay(until, 'short'),
      closingLabel,
      '',
      amountCell(changeMinor, currency, 'signed'),
      amountCell(span.closingMinor, currency),
    ],
    omitted: span.count - entries.length,
  };
}
