import { sql } from 'kysely';
import { PAYROLL_TYPES } from '#contract/activity.ts';
import type { ViewOf } from '#contract/list.ts';
import { receiptList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import type { Source } from '#server/db/list-definition.ts';
import { readsList } from '#server/db/list.ts';
import { endOfDay, presentEvent, readOwnRows, startOfDay } from '#server/modules/history/index.ts';
import type { EventRow, HistoryScope } from '#server/modules/history/index.ts';

const PAYROLL_KINDS: readonly string[] = PAYROLL_TYPES;

const NEWEST = descending(key(sql`event.at`, 'instant'), key(sql`event.id`, 'text'));

/** A person may have no account, and a list without a source would not be a valid statement. */
const NOTHING = sql`(SELECT '' AS id, now() AS at WHERE false) AS event`;

/**
 * Postings to a person's accounts that have a receipt: all but payroll and individual funding,
 * which have payslips. An account that has had nothing else is not read.
 */
export const ownReceipts = readsList(receiptList, {
  from: (view, { accounts }: HistoryScope) => [
    ...accounts
      .filter(({ kinds }) => kinds.some((kind) => !PAYROLL_KINDS.includes(kind)))
      .map((own) => countedWhereKnown(own, view)),
    NOTHING,
  ],
  id: sql`event.id`,
  where: {
    from: (day, { settings }) => sql`event.at >= ${startOfDay(day, settings.timeZone)}`,
    to: (day, { settings }) => sql`event.at < ${endOfDay(day, settings.timeZone)}`,
  },
  segments: () => [{ order: NEWEST }],
  rows: readOwnRows,
  present: (row: EventRow, _scope: HistoryScope) => presentEvent(row),
});

/** For whole months the ledger's totals have the count. */
function countedWhereKnown(
  { type, ledgerAccountId }: HistoryScope['accounts'][number],
  { from, to }: ViewOf<typeof receiptList>,
): Source {
  const table = sql`(
    SELECT entry.transaction_id::text || ${`.${type}`}::text AS id, entry.effective_at AS at
      FROM ledger_entry AS entry
      JOIN ledger_transaction AS one ON one.id = entry.transaction_id
     WHERE entry.account_id = ${ledgerAccountId} AND NOT one.kind = ANY (${PAYROLL_KINDS}::text[])) AS event`;
  if (!isMonthStart(from) || !isMonthEnd(to)) return table;
  const total = sql<bigint>`coalesce((
    SELECT sum(count) FROM ledger_total
     WHERE account_id = ${ledgerAccountId} AND NOT kind = ANY (${PAYROLL_KINDS}::text[])
       AND month BETWEEN ${from === '' ? '-infinity' : from}::date
                     AND ${to === '' ? 'infinity' : to}::date), 0)::bigint`;
  return { table, total };
}

/** True if no day of a month is before this day; '' is the beginning. */
function isMonthStart(day: string): boolean {
  return day === '' || day.endsWith('-01');
}

/** True if no day of a month is after this day; '' is now. */
function isMonthEnd(day: string): boolean {
  if (day === '') return true;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  // Day 0 of the next month is the last day of this one.
  return new Date(Date.UTC(year, month, 0)).getUTCDate() === date;
}
