import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { REQUEST_TYPES, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionStatus } from '#contract/activity.ts';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { startOfDay } from '../days.ts';
import { inTransit } from '../request-kinds.ts';
import { MOST_BATCHES } from './find-batches.ts';
import { logScope } from './scope.ts';
import type { LogFilter, LogScope } from './scope.ts';
import { isOfSearchedAmount, LOG_CONDITIONS, postedSources, requestSources } from './sources.ts';
import { splitIntoMonths } from './split-into-months.ts';
import type { Days, Months } from './split-into-months.ts';
import { originalHasText } from './text-sources.ts';

/**
 * Maximum rows of a source that are added up. If there are more, the reply says that it is
 * incomplete.
 */
export const MOST_ADDED = 100_000;

type Figures = NonNullable<RouteReply<'adminTransactionStats'>['figures']>;

/**
 * Figure that a completed event belongs to. A payment that was partly taken back belongs to two of them. A reversal that
 * is in one view with its payout or payment belongs to none.
 */
type Part = 'moved' | 'partly' | 'between' | 'own' | 'returned' | 'repeated';

interface SumRow {
  type: string;
  status: TransactionStatus;
  part: Part;
  count: bigint;
  inCount: bigint;
  inMinor: bigint;
  /** Without the sign. */
  outMinor: bigint;
  /** Part of the sum of payments that was taken back, where a part was. */
  takenMinor: bigint;
  /** True if there are more rows than were added up. */
  isCut: boolean;
}

/**
 * Number and sums of the events that pass a filter; null figures where there are too many. Whole
 * months of everyone come from the ledger's totals, however many rows they have. Days before and
 * after them, and all narrower filters, are added up from the rows, up to a number that is quick
 * enough for a waiting person.
 *
 * @param mostAdded maximum rows of each source to add up
 */
export async function transactionStats(
  reader: Reader,
  filter: LogFilter,
  mostAdded: number = MOST_ADDED,
): Promise<RouteReply<'adminTransactionStats'>> {
  const scope = await logScope(reader, filter);
  // With this many people, their events can only be found by reading past everyone else's.
  const newestBatches = scope.isBatchesCut ? MOST_BATCHES : null;
  if (scope.words !== null) return { figures: null, newestBatches };
  const { months, rest } = hasTotals(filter, scope)
    ? splitIntoMonths(filter)
    : { months: null, rest: [filter] };
  const adding: Adding = { days: filter, filter, scope, mostAdded };
  const parts: SumRow[] = [];
  if (months !== null) {
    parts.push(...(await sumTotals(reader, filter, months)));
    // Totals do not have the direction of a reversal, nor its original. There are few reversals.
    parts.push(...(await sumReversals(reader, { ...adding, days: months })));
    parts.push(...(await moveReversed(reader, { ...adding, days: months })));
    parts.push(...(await moveInTransit(reader, { ...adding, days: months })));
  }
  for (const days of rest) {
    parts.push(...(await sumRows(reader, { ...adding, days }, postedSources(filter, scope))));
  }
  parts.push(...(await sumRows(reader, adding, requestSources(filter, scope))));
  const isCut = parts.some((part) => part.isCut);
  return { figures: isCut ? null : presentSums(parts, scope), newestBatches };
}

/** True if the ledger's totals have all that a filter needs. */
function hasTotals({ least, most, status }: LogFilter, scope: LogScope): boolean {
  const isOfEveryone =
    scope.people === null && scope.words === null && scope.ids === null && scope.amount === null;
  return (
    isOfEveryone && least === '' && most === '' && (status === 'all' || status === 'completed')
  );
}

/** Kinds of postings between a person and the company, without reversals. A settlement has no side of a person. */
const ONE_SIDED = TRANSACTION_TYPES.filter(
  (type) => type !== 'transfer' && type !== 'move' && type !== 'reversal',
);

/**
 * These postings have one side on an account of the company. Both sides of a payment between people and of a move
 * between accounts of one person are on people's accounts.
 */
async function sumTotals(
  reader: Reader,
  { type }: LogFilter,
  { first, before }: Months,
): Promise<SumRow[]> {
  const isOfMonths = sql`
    ${first === null ? sql`true` : sql`month >= ${first}::date`}
    AND ${before === null ? sql`true` : sql`month < ${before}::date`}`;
  const isOfType = type === 'all' ? sql`true` : sql`kind = ${type}`;
  const { rows } = await sql<Omit<SumRow, 'status' | 'takenMinor' | 'isCut'>>`
    SELECT kind AS type, 'moved' AS part, sum(count)::bigint AS count,
           coalesce(sum(count) FILTER (WHERE debit > 0), 0)::bigint AS in_count,
           sum(debit)::bigint AS in_minor, sum(credit)::bigint AS out_minor
      FROM ledger_total
     WHERE account_id = ANY (ARRAY(SELECT id FROM ledger_account WHERE code IS NOT NULL))
       AND kind = ANY (${ONE_SIDED}) AND ${isOfMonths} AND ${isOfType}
     GROUP BY kind
    UNION ALL
    SELECT 'transfer', 'between', (sum(count) / 2)::bigint, 0, 0, sum(debit)::bigint
      FROM ledger_total WHERE kind = 'transfer' AND ${isOfMonths} AND ${isOfType}
    HAVING count(*) > 0
    UNION ALL
    SELECT 'move', 'own', (sum(count) / 2)::bigint, 0, 0, sum(debit)::bigint
      FROM ledger_total WHERE kind = 'move' AND ${isOfMonths} AND ${isOfType}
    HAVING count(*) > 0`.execute(reader);
  return rows.map((row) => ({ ...row, status: 'completed', takenMinor: 0n, isCut: false }));
}

interface Adding {
  /** Days to add up: a part of the filter's. */
  days: Days;
  filter: LogFilter;
  scope: LogScope;
  mostAdded: number;
}

async function sumReversals(reader: Reader, adding: Adding): Promise<SumRow[]> {
  const { filter, scope } = adding;
  if (filter.type !== 'all' && filter.type !== 'reversal') return [];
  return sumRows(reader, adding, postedSources({ ...filter, type: 'reversal' }, scope));
}

/** Subtracts reversed events from those that the totals count as moved. */
async function moveReversed(reader: Reader, adding: Adding): Promise<SumRow[]> {
  const { filter, scope } = adding;
  // A reversal is never older than its original.
  const since =
    adding.days.from === ''
      ? sql`true`
      : sql`reversal.effective_at >= ${startOfDay(adding.days.from, scope.settings.timeZone)}`;
  const isOfType = filter.type === 'all' ? sql`true` : sql`one.kind = ${filter.type}`;
  const reversed = sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           entry.amount AS signed_minor
      FROM ledger_transaction AS reversal
      JOIN ledger_transaction AS one ON one.id = reversal.reverses_id
      JOIN ledger_entry AS entry ON entry.transaction_id = one.id
      JOIN ledger_account AS account ON account.id = entry.account_id
     WHERE reversal.kind = 'reversal' AND account.owner_id IS NOT NULL AND one.kind NOT IN ('transfer', 'move')
       AND ${since} AND ${isOfType}) AS event`;
  const partly = sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           partly.amount_minor AS signed_minor
      FROM partly JOIN ledger_transaction AS one ON one.id = partly.id
     WHERE ${isOfType}) AS event`;
  const rows = await sumRows(reader, adding, [reversed, partly]);
  return rows.flatMap((row): SumRow[] => [row, withoutMoved(row)]);
}

/** Payments on their way in a payout file wait, as their rows say: subtracts them from what the totals count as moved. */
async function moveInTransit(reader: Reader, adding: Adding): Promise<SumRow[]> {
  const { type, status } = adding.filter;
  const isOfType = type === 'all' ? sql`true` : sql`one.kind = ${type}`;
  const sent = sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           entry.amount AS signed_minor
      FROM in_transit
      JOIN ledger_transaction AS one ON one.id = in_transit.id
      JOIN ledger_entry AS entry ON entry.transaction_id = one.id
      JOIN ledger_account AS account ON account.id = entry.account_id
     WHERE account.owner_id IS NOT NULL AND ${isOfType}) AS event`;
  const rows = await sumRows(reader, adding, [sent]);
  const moved = rows.map(withoutMoved);
  return status === 'completed' ? moved : [...rows, ...moved];
}

/** The row that takes another one out of what moved. */
function withoutMoved(row: SumRow): SumRow {
  return {
    ...row,
    status: 'completed',
    part: 'moved',
    count: -row.count,
    takenMinor: 0n,
    inCount: -row.inCount,
    inMinor: -row.inMinor,
    outMinor: -row.outMinor,
  };
}

/** Each source has its own plan, and returns no more rows than can be added up. */
async function sumRows(
  reader: Reader,
  adding: Adding,
  sources: readonly RawBuilder<unknown>[],
): Promise<SumRow[]> {
  if (sources.length === 0) return [];
  const { mostAdded } = adding;
  const conditions = conditionsOf(adding);
  const parts = sources.map(
    (source) => sql`
      (SELECT type, CASE WHEN in_transit.id IS NULL THEN status ELSE 'pending' END AS status,
              ${partOf(adding)} AS part, count(*) AS count,
              sum(count(*)) OVER () > ${mostAdded} AS is_cut,
              count(*) FILTER (WHERE signed_minor > 0) AS in_count,
              coalesce(sum(greatest(signed_minor, 0)), 0)::bigint AS in_minor,
              coalesce(-sum(least(signed_minor, 0)), 0)::bigint AS out_minor,
              coalesce(sum(partly.taken_minor), 0)::bigint AS taken_minor
         FROM (SELECT event.id, event.type, event.status, event.signed_minor FROM ${source}
                WHERE ${conditions} LIMIT ${mostAdded} + 1) AS event
         LEFT JOIN partly ON partly.id = event.id
         LEFT JOIN in_transit ON in_transit.id = event.id
        GROUP BY 1, 2, 3)`,
  );
  const { rows } = await sql<SumRow>`
    WITH partly AS MATERIALIZED (${PARTLY_TAKEN_BACK}), in_transit AS MATERIALIZED (${inTransit()})
    ${sql.join(parts, sql` UNION ALL `)}`.execute(reader);
  return rows;
}

/**
 * Postings of lines of which a part was taken back, which the ledger does not know as reversed (decision 060): the id,
 * the amount, and the sum of the parts. There are few.
 */
const PARTLY_TAKEN_BACK = sql`
  SELECT DISTINCT line.ledger_transaction_id AS id, line.amount_minor,
         line.reversed_minor AS taken_minor
    FROM payroll_reversal AS part
    JOIN payroll_line AS line ON line.id = part.line_id
   WHERE part.amount_minor < line.amount_minor`;

/**
 * The {@link Part} of a row named `event`, joined with what was `partly` taken back. A reversal whose payout or payment
 * also passes the filter is counted with that.
 */
function partOf({ filter: { from, type, least, most }, scope }: Adding): RawBuilder<Part> {
  const { ids, settings, amount, namedType } = scope;
  // A search for an amount with its sign matches only one of the two.
  const leavesBoth = (amount?.sign ?? null) === null;
  // The amount of a part is not that of its payment.
  const bounds = amount === null ? { least, most } : { least: amount.minor, most: amount.minor };
  const isOfAmount = sql`
    ${bounds.least === '' ? sql`true` : sql`line.amount_minor >= ${bounds.least}::bigint`}
    AND ${bounds.most === '' ? sql`true` : sql`line.amount_minor <= ${bounds.most}::bigint`}`;
  const hasOriginal = sql`${leavesBoth} AND EXISTS (
    SELECT FROM ledger_transaction AS reversal
      LEFT JOIN payroll_line AS line ON line.id = reversal.subject_id
      JOIN ledger_transaction AS one
        ON one.id = coalesce(reversal.reverses_id, line.ledger_transaction_id)
     WHERE reversal.id = event.id AND (reversal.reverses_id IS NOT NULL OR ${isOfAmount})
       AND ${originalHasText(scope)}
       AND ${ids === null ? sql`true` : sql`one.id = ANY (${ids}::uuid[])`}
       AND ${from === '' ? sql`true` : sql`one.effective_at >= ${startOfDay(from, settings.timeZone)}`})`;
  return sql`CASE event.type
    WHEN 'transfer' THEN 'between'
    WHEN 'move' THEN 'own'
    WHEN 'reversal' THEN CASE WHEN ${type === 'all' && namedType !== 'reversal'} AND ${hasOriginal} THEN 'repeated' ELSE 'returned' END
    ELSE CASE
      WHEN partly.taken_minor < partly.amount_minor THEN 'partly'
      WHEN partly.id IS NOT NULL THEN 'returned'
      WHEN event.status = 'completed' AND EXISTS (
        SELECT FROM ledger_transaction AS reversal WHERE reversal.reverses_id = event.id)
      THEN 'returned' ELSE 'moved' END END`;
}

function conditionsOf({ filter, days, scope }: Adding): RawBuilder<unknown> {
  const view = { ...filter, from: days.from, to: days.to };
  const names = ['from', 'to', 'least', 'most'] as const;
  const set = names.filter((name) => view[name] !== '');
  return sql.join(
    [isOfSearchedAmount(scope), ...set.map((name) => LOG_CONDITIONS[name](view[name], scope))],
    sql` AND `,
  );
}

function presentSums(parts: readonly SumRow[], { people, settings }: LogScope): Figures {
  const counts = { completed: 0, pending: 0, failed: 0, cancelled: 0 };
  const pendingCounts = { deposit: 0, withdrawal: 0, bill: 0 };
  const nothing = () => ({ count: 0, minor: 0n });
  const sums = {
    in: nothing(),
    out: nothing(),
    returned: nothing(),
    between: nothing(),
    own: nothing(),
  };
  let pendingMinor = 0n;
  const add = (to: { count: number; minor: bigint }, count: bigint, minor: bigint) => {
    to.count += Number(count);
    to.minor += minor;
  };
  for (const { type, status, part, count, inCount, inMinor, outMinor, takenMinor } of parts) {
    counts[status] += Number(count);
    if (status === 'pending') {
      pendingMinor += inMinor + outMinor;
      const requested = REQUEST_TYPES.find((one) => one === type);
      if (requested !== undefined) pendingCounts[requested] += Number(count);
    }
    if (status !== 'completed') continue;
    if (part === 'moved') {
      add(sums.in, inCount, inMinor);
      add(sums.out, count - inCount, outMinor);
    }
    if (part === 'partly') {
      add(sums.in, inCount, inMinor - takenMinor);
      add(sums.returned, count, takenMinor);
    }
    if (part === 'returned') add(sums.returned, count, inMinor + outMinor);
    // A log of everyone has a payment as its payer's; a log of one person has it from their side.
    const netMinor = people?.isOwnSide === true ? inMinor - outMinor : inMinor + outMinor;
    if (part === 'between') add(sums.between, count, netMinor);
    if (part === 'own') add(sums.own, count, outMinor);
  }
  const present = ({ count, minor }: { count: number; minor: bigint }) => ({
    count,
    amount: money(minor, settings.currency),
  });
  return {
    counts,
    moneyIn: present(sums.in),
    moneyOut: present(sums.out),
    returned: present(sums.returned),
    betweenEmployees: present(sums.between),
    betweenOwnAccounts: present(sums.own),
    pending: { amount: money(pendingMinor, settings.currency), counts: pendingCounts },
  };
}
