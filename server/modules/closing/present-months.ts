import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { changedSince } from './changed.ts';
import { presentChart, readChart } from './chart.ts';
import type { MonthCheck } from './checks.ts';
import { presentJournal } from './journal.ts';
import { findMonth, listMonths, readChecks, readMonth } from './months.ts';
import type { ClosingRow, Month } from './months.ts';
import { differenceOf } from './position.ts';
import { presentReopening } from './reopenings.ts';

type ShownMonth = RouteReply<'adminGetMonth'>;

/** Name of each status on the wire. */
function statusOf({ status, former }: Month, checks: readonly MonthCheck[]): ShownMonth['status'] {
  if (status !== 'over') return status;
  if (former !== null) return 'waits';
  return checks.every(({ isDone }) => isDone) ? 'ready' : 'blocked';
}

export async function getMonths(
  reader: Reader,
  services: Pick<Services, 'clock'>,
): Promise<RouteReply<'adminListMonths'>> {
  const months = await listMonths(reader, services);
  const next = months.findLast(({ status }) => status === 'over');
  const checks = next === undefined ? [] : await readChecks(reader, next);
  return {
    months: months.map((one) => ({
      month: one.month.slice(0, 7),
      status: statusOf(one, checks),
      lastDay: one.lastDay,
      checked:
        one === next
          ? { done: checks.filter(({ isDone }) => isDone).length, all: checks.length }
          : null,
      closed:
        one.closing === null
          ? null
          : { by: one.closing.closedByName, at: one.closing.closedAt.toISOString() },
    })),
  };
}

export async function getMonth(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { month: asked, actorId }: { month: string; actorId: string },
): Promise<ShownMonth> {
  const month = await findMonth(reader, services, asked);
  const { lines, position, checks, hash } = await readMonth(reader, month);
  const { currency, closing } = month;
  const difference = differenceOf(position);
  const { rows: banks } = await sql<{ bankName: string }>`
    SELECT bank_name FROM company_bank_account ORDER BY added_at LIMIT 1`.execute(reader);
  return {
    month: asked,
    status: statusOf(month, checks),
    lastDay: month.lastDay,
    checks,
    bankName: banks[0]?.bankName ?? null,
    closing: closing === null ? null : await presentClosing(reader, closing, currency),
    reopening: await presentReopening(reader, services, { closing, actorId }),
    changed: await changedSince(reader, { month, lines }),
    position:
      month.status === 'open'
        ? null
        : {
            owed: money(position.owedMinor, currency),
            difference: difference === null ? null : money(difference, currency),
          },
    journal: presentJournal(lines, currency),
    accounts: presentChart(await readChart(reader), lines),
    hash,
  };
}

async function presentClosing(
  reader: Reader,
  row: ClosingRow,
  currency: Month['currency'],
): Promise<NonNullable<ShownMonth['closing']>> {
  const exports = await reader
    .selectFrom('journalExport')
    .select('format')
    .where('closingId', '=', row.id)
    .orderBy('format')
    .execute();
  const { bankMinor, wayMinor, root, rootHeight } = row;
  return {
    closedBy: row.closedByName,
    closedAt: row.closedAt.toISOString(),
    entries: Number(row.entryCount),
    owed: money(row.owedMinor, currency),
    bank:
      bankMinor === null || wayMinor === null
        ? null
        : { atBank: money(bankMinor, currency), onItsWay: money(wayMinor, currency) },
    root:
      root === null || rootHeight === null
        ? null
        : { height: Number(rootHeight), root: root.toString('hex') },
    corrections: await correctionsOf(reader, row, currency),
    isLast: row.isLast,
    exported: exports.map(({ format }) => format),
  };
}

/** Reversals in later months of what was posted in a closed one. Each names the posting that it reverses. */
async function correctionsOf(
  reader: Reader,
  { beginsAt, endsAt }: ClosingRow,
  currency: Month['currency'],
): Promise<NonNullable<ShownMonth['closing']>['corrections']> {
  const { rows } = await sql<{ month: string; count: number; minor: bigint }>`
    SELECT to_char(reversal.effective_at AT TIME ZONE calendar.time_zone, 'YYYY-MM') AS month, count(*)::int AS count,
           sum(moved.minor)::bigint AS minor
      FROM ledger_calendar AS calendar
      JOIN ledger_transaction AS reversal ON reversal.kind = 'reversal' AND reversal.effective_at >= ${endsAt}
      JOIN ledger_transaction AS original ON original.id = reversal.reverses_id
           AND original.effective_at >= ${beginsAt} AND original.effective_at < ${endsAt}
     CROSS JOIN LATERAL (SELECT sum(amount) AS minor FROM ledger_entry
                          WHERE transaction_id = reversal.id AND amount > 0) AS moved
     GROUP BY 1 ORDER BY 1`.execute(reader);
  return rows.map(({ minor, ...row }) => ({ ...row, total: money(minor, currency) }));
}
