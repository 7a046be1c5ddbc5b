import { sql } from 'kysely';
import { JOURNAL_ACCOUNTS, journalKindOrder, journalKindWords } from '#contract/closing.ts';
import type { JournalAccount } from '#contract/closing.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';

/** Sums of a kind of posting on an account, of people of a department. Minor units, neither below zero. */
export interface JournalLine {
  kind: string;
  account: JournalAccount;
  /** Empty for people without one, and for the company's own money. */
  department: string;
  debitMinor: bigint;
  creditMinor: bigint;
  /** Transactions, or statement lines, that debit it. */
  count: bigint;
}

/** Moments between which a month lies, and its days. */
export interface MonthSpan {
  /** First day: `2026-11-01`. */
  month: string;
  lastDay: string;
  beginsAt: Date;
  endsAt: Date;
  currency: Currency;
}

/**
 * Kind in the journal: a reversal is named after what it reverses. A part of a payroll line reverses no whole posting.
 * Originals are looked up one by one, because there are few: for a join, all postings would be read.
 */
const KIND = sql`CASE WHEN posting.kind <> 'reversal' THEN posting.kind
  ELSE coalesce((SELECT kind FROM ledger_transaction WHERE id = posting.reverses_id),
                CASE WHEN posting.reference LIKE 'IF-%' THEN 'funding' ELSE 'payroll' END) || 'Back' END`;

const ACCOUNT = sql`CASE
  WHEN account.owner_id IS NOT NULL THEN 'wallets'
  WHEN account.code = 'payroll_funding' AND posted.reference LIKE 'IF-%' THEN 'individualFunding'
  WHEN account.code = 'payroll_funding' THEN 'payroll'
  WHEN account.code = 'payouts_in_transit' THEN 'payoutsInTransit'
  WHEN account.code = 'account_verification' THEN 'accountVerification'
  ELSE 'companyBank' END`;

/**
 * Lines of a month's payrolls, from the ledger's totals of each account: most of what a month has, and always from the
 * company to one person. Null where a posting of that kind is another one.
 */
async function payrollOfTotals(
  reader: Reader,
  { month, currency }: MonthSpan,
): Promise<JournalLine[] | null> {
  const { rows } = await sql<Omit<JournalLine, 'kind' | 'account'> & { code: string | null }>`
    SELECT account.code, coalesce(person.department, '') AS department, sum(total.debit)::bigint AS debit_minor,
           sum(total.credit)::bigint AS credit_minor, sum(total.count)::bigint AS count
      FROM ledger_total AS total
      JOIN ledger_account AS account ON account.id = total.account_id AND account.currency = ${currency}
      LEFT JOIN app_user AS person ON person.id = account.owner_id
     WHERE total.month = ${month}::date AND total.kind = 'payroll'
     GROUP BY account.code, 2`.execute(reader);
  const ofPeople = rows.filter(({ code }) => code === null);
  const [ofCompany, ...others] = rows.filter(({ code }) => code !== null);
  const { debitMinor, creditMinor } = sumOf(ofPeople);
  const isPlain =
    others.length === 0 &&
    (ofCompany?.code ?? 'payroll_funding') === 'payroll_funding' &&
    (ofCompany?.creditMinor ?? 0n) === 0n &&
    debitMinor === 0n &&
    creditMinor === (ofCompany?.debitMinor ?? 0n) &&
    countOf(ofPeople) === (ofCompany?.count ?? 0n);
  if (!isPlain) return null;
  return ofPeople.flatMap(({ department, creditMinor: minor, count }) => [
    {
      kind: 'payroll',
      account: 'wallets',
      department,
      debitMinor: 0n,
      creditMinor: minor,
      count: 0n,
    },
    { kind: 'payroll', account: 'payroll', department, debitMinor: minor, creditMinor: 0n, count },
  ]);
}

/** Kinds of posting that the ledger has, looked up along the index of kinds and times. */
async function postedKinds(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE kind (name) AS (
      SELECT min(kind) FROM ledger_transaction
      UNION ALL
      SELECT (SELECT min(kind) FROM ledger_transaction WHERE kind > kind.name) FROM kind WHERE kind.name IS NOT NULL
    ) SELECT name FROM kind WHERE name IS NOT NULL`.execute(reader);
  return rows.map(({ name }) => name);
}

/**
 * Adds up the journal of a month, of the ledger and of the company's own money on statements. An entry of the company is
 * of the department of the person on the other side. The index of kinds and times is read, so that no other month is; the
 * kinds are named, so that the planner knows how many postings they have.
 *
 * @param options.addsEntries adds up the entries of payrolls too, in place of the ledger's totals
 */
export async function computeJournal(
  reader: Reader,
  span: MonthSpan,
  { addsEntries = false }: { addsEntries?: boolean } = {},
): Promise<JournalLine[]> {
  const { beginsAt, endsAt, month, lastDay, currency } = span;
  const payroll = addsEntries ? null : await payrollOfTotals(reader, span);
  const kinds = await postedKinds(reader);
  const read = kinds.filter((kind) => payroll === null || kind !== 'payroll');
  const { rows } = await sql<JournalLine>`
    WITH posted AS (
      SELECT posting.id, posting.reference, ${KIND} AS kind
        FROM ledger_transaction AS posting
       WHERE posting.kind = ANY (${read}::text[])
         AND posting.effective_at >= ${beginsAt} AND posting.effective_at < ${endsAt}
    ), entry AS (
      SELECT posted.kind, ${ACCOUNT} AS account, entry.amount,
             coalesce(CASE WHEN account.owner_id IS NULL THEN max(person.department) OVER (PARTITION BY posted.id)
                           ELSE person.department END, '') AS department
        FROM posted JOIN ledger_entry AS entry ON entry.transaction_id = posted.id
        JOIN ledger_account AS account ON account.id = entry.account_id AND account.currency = ${currency}
        LEFT JOIN app_user AS person ON person.id = account.owner_id
      UNION ALL
      SELECT own.kind, side.account, side.amount, ''
        FROM bank_line AS line
        JOIN bank_match AS match ON match.line_id = line.id AND match.undone_at IS NULL
        JOIN (VALUES ('payroll', 'companyTransfers'), ('own', 'companyTransfers'), ('fee', 'bankFees'),
                     ('interest', 'bankInterest')) AS own (item, kind) ON own.item = match.kind
       CROSS JOIN LATERAL (VALUES ('companyBank', -match.amount_minor), (own.kind, match.amount_minor))
               AS side (account, amount)
       WHERE line.booked_on BETWEEN ${month}::date AND ${lastDay}::date
    )
    SELECT kind, account, department,
           sum(greatest(-amount, 0))::bigint AS debit_minor, sum(greatest(amount, 0))::bigint AS credit_minor,
           count(*) FILTER (WHERE amount < 0) AS count
      FROM entry GROUP BY kind, account, department`.execute(reader);
  return [...(payroll ?? []), ...rows].toSorted(inOrder);
}

/** The journal as it was when the month was closed. */
export async function keptJournal(reader: Reader, closingId: string): Promise<JournalLine[]> {
  const rows = await reader
    .selectFrom('monthJournalLine')
    .select(['kind', 'account', 'department', 'debitMinor', 'creditMinor', 'count'])
    .where('closingId', '=', closingId)
    .execute();
  return rows.map((row) => ({ ...row, account: row.account as JournalAccount })).toSorted(inOrder);
}

/** Sorted by kind, account and department; departments by their code units, so that the order depends on no locale. */
function inOrder(one: JournalLine, other: JournalLine): number {
  return (
    journalKindOrder(one.kind) - journalKindOrder(other.kind) ||
    compare(one.kind, other.kind) ||
    accountOrder(one) - accountOrder(other) ||
    compare(one.department, other.department)
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const accountOrder = ({ account }: JournalLine): number => JOURNAL_ACCOUNTS.indexOf(account);

type Journal = RouteReply<'adminGetMonth'>['journal'];

/** The journal as a screen shows it: without departments, in each entry debits before credits. */
export function presentJournal(lines: readonly JournalLine[], currency: Currency): Journal {
  const ofKind = Map.groupBy(lines, ({ kind }) => kind);
  const entries = Array.from(ofKind, ([kind, ofIt]) => {
    const accounts = Array.from(
      Map.groupBy(ofIt, ({ account }) => account),
      ([account, parts]) => ({ account, ...sumOf(parts) }),
    );
    const shown = (minor: bigint) => (minor === 0n ? null : money(minor, currency));
    const debits = accounts.map(({ account, debitMinor }) => ({
      account,
      debit: shown(debitMinor),
      credit: null,
    }));
    const credits = accounts.map(({ account, creditMinor }) => ({
      account,
      debit: null,
      credit: shown(creditMinor),
    }));
    const sides = [...debits, ...credits].filter(({ debit, credit }) => (debit ?? credit) !== null);
    return { kind, ...journalKindWords(kind, countOf(ofIt)), lines: sides };
  });
  return { entries, total: money(sumOf(lines).debitMinor, currency) };
}

function countOf(lines: readonly Pick<JournalLine, 'count'>[]): bigint {
  return lines.reduce((sum, { count }) => sum + count, 0n);
}

type Sums = Pick<JournalLine, 'debitMinor' | 'creditMinor'>;

export function sumOf(lines: readonly Sums[]): Sums {
  return {
    debitMinor: lines.reduce((sum, { debitMinor }) => sum + debitMinor, 0n),
    creditMinor: lines.reduce((sum, { creditMinor }) => sum + creditMinor, 0n),
  };
}
