import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { addDays, addMonths } from '#contract/calendar.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkMonth } from './checks.ts';
import type { MonthCheck } from './checks.ts';
import { computeJournal, keptJournal } from './journal.ts';
import type { JournalLine, MonthSpan } from './journal.ts';
import { positionAt } from './position.ts';
import type { EndPosition } from './position.ts';

/** A closing that was not opened again, with who closed it. */
export interface ClosingRow {
  id: string;
  month: string;
  closedByName: string;
  closedAt: Date;
  entryCount: bigint;
  owedMinor: bigint;
  bankMinor: bigint | null;
  wayMinor: bigint | null;
  rootHeight: bigint | null;
  root: Buffer | null;
  isLast: boolean;
  beginsAt: Date;
  endsAt: Date;
}

/** Months that are closed, newest first. */
export async function closedMonths(reader: Reader): Promise<ClosingRow[]> {
  const { rows } = await sql<ClosingRow>`
    SELECT closing.id, month::text AS month, app_user.name AS closed_by_name, closed_at, entry_count, owed_minor,
           bank_minor, way_minor, root_height, root, begins_at, ends_at,
           ends_at = (SELECT closed_until FROM ledger_calendar) AS is_last
      FROM month_closing AS closing JOIN app_user ON app_user.id = closed_by
     WHERE reopened_at IS NULL ORDER BY month DESC`.execute(reader);
  return rows;
}

export interface Month extends MonthSpan {
  timeZone: string;
  status: 'open' | 'over' | 'closed';
  closing: ClosingRow | null;
  /** Month that has to be closed first; null where there is none. */
  former: string | null;
}

/**
 * Months from that of the first posting to the present one, newest first; the present one alone before any posting. The
 * first money came from an account of the system: only these few are read.
 */
export async function listMonths(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<Month[]> {
  const { timeZone, currency } = await readSettings(reader);
  const closings = await closedMonths(reader);
  const { rows } = await sql<{ month: string; beginsAt: Date; endsAt: Date }>`
    SELECT one::date::text AS month, one AT TIME ZONE time_zone AS begins_at,
           (one + interval '1 month') AT TIME ZONE time_zone AS ends_at
      FROM ledger_calendar AS calendar
     CROSS JOIN LATERAL (SELECT date_trunc('month', ${clock.now()}::timestamptz AT TIME ZONE time_zone) AS month) AS present
     CROSS JOIN (
       SELECT min(total.month)::timestamp AS month
         FROM ledger_account AS account
        CROSS JOIN LATERAL (SELECT month FROM ledger_total WHERE account_id = account.id ORDER BY month LIMIT 1) AS total
        WHERE account.code IS NOT NULL) AS first
     CROSS JOIN LATERAL generate_series(
       least(first.month, present.month), present.month, interval '1 month') AS one
     ORDER BY one DESC`.execute(reader);
  const next = closings[0] === undefined ? rows.at(-1)?.month : addMonths(closings[0].month, 1);
  return rows.map((row, index) => {
    const closing = closings.find(({ month }) => month === row.month) ?? null;
    return {
      ...row,
      timeZone,
      currency,
      closing,
      lastDay: addDays(addMonths(row.month, 1), -1),
      status: closing !== null ? 'closed' : index === 0 ? 'open' : 'over',
      former: closing !== null || next === undefined || next >= row.month ? null : next,
    };
  });
}

/** @throws {AppError} `month_not_found` */
export async function findMonth(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  month: string,
): Promise<Month> {
  const found = (await listMonths(reader, services)).find((one) => one.month === `${month}-01`);
  if (found === undefined) throw new AppError('month_not_found');
  return found;
}

/** A month as it is now, before it is presented. */
export interface MonthState {
  month: Month;
  lines: JournalLine[];
  position: EndPosition;
  checks: MonthCheck[];
  /** SHA-256 over journal and position: what somebody who closes the month has seen. */
  hash: string;
}

/**
 * The conditions of a month that is over, without its journal: the list of months shows how many are done, and the
 * journal of a month is read with the month alone.
 */
export async function readChecks(reader: Reader, month: Month): Promise<MonthCheck[]> {
  const position = await positionAt(reader, month);
  return checkMonth(reader, { ...month, position, lines: null });
}

export async function readMonth(reader: Reader, month: Month): Promise<MonthState> {
  const { closing } = month;
  if (closing !== null) {
    const { owedMinor, bankMinor, wayMinor } = closing;
    const bank = bankMinor === null || wayMinor === null ? null : { bankMinor, wayMinor };
    const lines = await keptJournal(reader, closing.id);
    const position = { owedMinor, bank };
    return { month, lines, position, checks: [], hash: hashOf(month, lines, position) };
  }
  const lines = await computeJournal(reader, month);
  const position = await positionAt(reader, month);
  const checks =
    month.status === 'over' ? await checkMonth(reader, { ...month, position, lines }) : [];
  return { month, lines, position, checks, hash: hashOf(month, lines, position) };
}

function hashOf(
  { month }: Month,
  lines: readonly JournalLine[],
  { owedMinor, bank }: EndPosition,
): string {
  const parts = [
    month,
    owedMinor,
    bank?.bankMinor ?? '',
    bank?.wayMinor ?? '',
    ...lines.flatMap((line) => [
      line.kind,
      line.account,
      line.department,
      line.debitMinor,
      line.creditMinor,
      line.count,
    ]),
  ];
  return createHash('sha256')
    .update(JSON.stringify(parts.map(String)))
    .digest('hex');
}
