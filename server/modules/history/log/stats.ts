import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { REQUEST_TYPES } from '#contract/activity.ts';
import type { TransactionStatus } from '#contract/activity.ts';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { logScope } from './scope.ts';
import type { LogFilter, LogScope } from './scope.ts';
import { LOG_CONDITIONS, postedSources, requestSources } from './sources.ts';
import { splitIntoMonths } from './split-into-months.ts';
import type { Months } from './split-into-months.ts';

/** So many rows of a source are added up; of more the answer says that it is not whole. */
export const MOST_ADDED = 100_000;

type Figures = NonNullable<RouteReply<'adminTransactionStats'>['figures']>;

interface SumRow {
  type: string;
  status: TransactionStatus;
  count: bigint;
  inCount: bigint;
  inMinor: bigint;
  /** Without the sign. */
  outMinor: bigint;
  /** Whether there are more than were added up. */
  isCut: boolean;
}

/**
 * How many events pass a filter, and what they come to; nothing where they are too many. Whole months of everyone come from the
 * ledger's totals, whatever they hold; days before and after them, and all that is filtered further,
 * from the rows, up to a number that can be added up while someone waits.
 *
 * @param mostAdded rows of each source that are added up
 */
export async function transactionStats(
  reader: Reader,
  filter: LogFilter,
  mostAdded: number = MOST_ADDED,
): Promise<RouteReply<'adminTransactionStats'>> {
  const scope = await logScope(reader, filter);
  // So many people that their events are only found by reading past everyone else's.
  if (scope.words !== null) return { figures: null };
  const { months, rest } = hasTotals(filter, scope)
    ? splitIntoMonths(filter)
    : { months: null, rest: [filter] };
  const parts: SumRow[] = [];
  if (months !== null) {
    parts.push(...(await sumTotals(reader, filter, months)));
    // Totals know no direction of a reversal; there are few.
    parts.push(...(await sumReversals(reader, { filter, months, scope, mostAdded })));
  }
  for (const days of rest) {
    const part = { ...filter, from: days.from, to: days.to };
    parts.push(
      ...(await sumRows(reader, { filter: part, scope, mostAdded }, postedSources(filter, scope))),
    );
  }
  parts.push(
    ...(await sumRows(reader, { filter, scope, mostAdded }, requestSources(filter, scope))),
  );
  return { figures: parts.some(({ isCut }) => isCut) ? null : presentSums(parts, scope) };
}

/** Whether the ledger's totals have what a filter asks for. */
function hasTotals({ least, most, status }: LogFilter, scope: LogScope): boolean {
  const isOfEveryone = scope.people === null && scope.words === null && scope.ids === null;
  return (
    isOfEveryone && least === '' && most === '' && (status === 'all' || status === 'completed')
  );
}

/**
 * Every posting but a payment between people has one side on an account of the company; such a payment
 * has two on people's.
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
  const { rows } = await sql<Omit<SumRow, 'status' | 'isCut'>>`
    SELECT kind AS type, sum(count)::bigint AS count,
           coalesce(sum(count) FILTER (WHERE debit > 0), 0)::bigint AS in_count,
           sum(debit)::bigint AS in_minor, sum(credit)::bigint AS out_minor
      FROM ledger_total
     WHERE account_id = ANY (ARRAY(SELECT id FROM ledger_account WHERE code IS NOT NULL))
       AND kind NOT IN ('transfer', 'reversal') AND ${isOfMonths} AND ${isOfType}
     GROUP BY kind
    UNION ALL
    SELECT 'transfer', (sum(count) / 2)::bigint, 0, 0, sum(debit)::bigint
      FROM ledger_total WHERE kind = 'transfer' AND ${isOfMonths} AND ${isOfType}
    HAVING count(*) > 0`.execute(reader);
  return rows.map((row) => ({ ...row, status: 'completed', isCut: false }));
}

interface Adding {
  filter: LogFilter;
  scope: LogScope;
  mostAdded: number;
}

async function sumReversals(
  reader: Reader,
  { months, ...adding }: Adding & { months: Months },
): Promise<SumRow[]> {
  const { filter, scope } = adding;
  if (filter.type !== 'all' && filter.type !== 'reversal') return [];
  const ofMonths = { ...filter, from: months.from, to: months.to };
  const reversals = postedSources({ ...filter, type: 'reversal' }, scope);
  return sumRows(reader, { ...adding, filter: ofMonths }, reversals);
}

/** Each source by its own plan, and of each no more rows than can be added up. */
async function sumRows(
  reader: Reader,
  { filter, scope, mostAdded }: Adding,
  sources: readonly RawBuilder<unknown>[],
): Promise<SumRow[]> {
  if (sources.length === 0) return [];
  const conditions = conditionsOf(filter, scope);
  const parts = sources.map(
    (source) => sql`
      (SELECT type, status, count(*) AS count,
              sum(count(*)) OVER () > ${mostAdded} AS is_cut,
              count(*) FILTER (WHERE signed_minor > 0) AS in_count,
              coalesce(sum(greatest(signed_minor, 0)), 0)::bigint AS in_minor,
              coalesce(-sum(least(signed_minor, 0)), 0)::bigint AS out_minor
         FROM (SELECT event.type, event.status, event.signed_minor FROM ${source}
                WHERE ${conditions} LIMIT ${mostAdded} + 1) AS added
        GROUP BY type, status)`,
  );
  const { rows } = await sql<SumRow>`${sql.join(parts, sql` UNION ALL `)}`.execute(reader);
  return rows;
}

function conditionsOf(filter: LogFilter, scope: LogScope): RawBuilder<unknown> {
  const names = ['from', 'to', 'least', 'most'] as const;
  const set = names.filter((name) => filter[name] !== '');
  return sql.join(
    [sql`true`, ...set.map((name) => LOG_CONDITIONS[name](filter[name], scope))],
    sql` AND `,
  );
}

function presentSums(parts: readonly SumRow[], { settings: { currency } }: LogScope): Figures {
  const reply = {
    counts: { completed: 0, pending: 0, failed: 0, cancelled: 0 },
    pendingCounts: { deposit: 0, withdrawal: 0, bill: 0 },
    in: { count: 0, minor: 0n },
    out: { count: 0, minor: 0n },
    pendingMinor: 0n,
  };
  for (const { type, status, count, inCount, inMinor, outMinor } of parts) {
    reply.counts[status] += Number(count);
    if (status === 'completed') {
      reply.in.count += Number(inCount);
      reply.in.minor += inMinor;
      reply.out.count += Number(count - inCount);
      reply.out.minor += outMinor;
    }
    if (status === 'pending') {
      reply.pendingMinor += inMinor + outMinor;
      const requested = REQUEST_TYPES.find((one) => one === type);
      if (requested !== undefined) reply.pendingCounts[requested] += Number(count);
    }
  }
  const { counts, pendingCounts, pendingMinor } = reply;
  return {
    counts,
    moneyIn: { count: reply.in.count, amount: money(reply.in.minor, currency) },
    moneyOut: { count: reply.out.count, amount: money(reply.out.minor, currency) },
    pending: { amount: money(pendingMinor, currency), counts: pendingCounts },
  };
}
