import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { CAME_BACK_SHOWN } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import { momentIn } from '#server/lib/calendar.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import type { FileRow } from './file-rows.ts';

type CameBack = RouteReply<'adminGetPayouts'>['files'][number]['cameBack'][number];

interface CameBackRow extends Omit<CameBack, 'employee' | 'amount' | 'at'> {
  fileId: string;
  amountMinor: bigint;
  at: Date;
  ownerId: string;
  ownerName: string;
  employeeNumber: string | null;
}

/** SQL condition that an `entry` is the one by which an `item` came back. The bank can ask for other details of a micro-deposit before. */
const IS_ITS_RETURN = sql.raw(`entry.item_id = item.id AND entry.status = 'booked'
  AND (entry.kind = 'return' OR item.deposit_number IS NULL)`);

/** The first payments that came back of each of these files, by the id of the file. */
export async function readCameBack(
  reader: Reader,
  files: readonly FileRow[],
): Promise<ReadonlyMap<string, CameBack[]>> {
  const returned = files.filter((file) => file.returned.count > 0);
  const [first] = returned;
  if (first === undefined) return new Map();
  const { rows } = await sql<CameBackRow>`
    SELECT * FROM (
      SELECT item.id, item.file_id, item.amount_minor, entry.code,
             coalesce(entry.moved_at, withdrawal.moved_at, bill.moved_at, bank.moved_at) AS at,
             coalesce(bill.payee_name, owner.name) AS pay_to,
             coalesce(withdrawal.bank_name, bank.bank_name) AS bank_name,
             coalesce(withdrawal.bank_last4, bill.payee_last4, bank.last4) AS last4,
             owner.id AS owner_id, owner.name AS owner_name, owner.employee_number,
             row_number() OVER (PARTITION BY item.file_id ORDER BY item.trace_number) AS place
        FROM payout_file_item AS item
        LEFT JOIN return_entry AS entry ON ${IS_ITS_RETURN}
        LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
        LEFT JOIN bill ON bill.id = item.bill_id
        LEFT JOIN bank_account AS bank ON bank.id = item.bank_account_id
        JOIN app_user AS owner ON owner.id = coalesce(withdrawal.user_id, bill.user_id, bank.user_id)
       WHERE item.file_id = ANY (${returned.map(({ id }) => id)}::uuid[]) AND NOT item.is_live) AS back
     WHERE place <= ${CAME_BACK_SHOWN} ORDER BY file_id, place`.execute(reader);
  const shown = rows.map(({ fileId, amountMinor, ownerId, ownerName, ...row }) => ({
    fileId,
    id: row.id,
    payTo: row.payTo,
    bankName: row.bankName,
    last4: row.last4,
    code: row.code,
    employee: { id: ownerId, name: ownerName, employeeId: row.employeeNumber },
    amount: money(amountMinor, first.currency),
    at: row.at.toISOString(),
  }));
  return Map.groupBy(shown, ({ fileId }) => fileId);
}

/**
 * Payments of payout files that came back in this month of the company, and today: by a returns file, or typed in by an
 * administrator.
 */
export async function readReturned(
  reader: Reader,
  { timeZone, currency }: { timeZone: string; currency: Currency },
  now: Date,
): Promise<Pick<RouteReply<'adminGetPayouts'>, 'returnedThisMonth' | 'returnedToday'>> {
  const today = dayIn(timeZone, now);
  const startOf = (day: string) => momentIn(timeZone, day, '0000');
  const { rows } = await sql<{
    number: number;
    count: number;
    minor: bigint;
    today: number;
    todayMinor: bigint;
  }>`
    SELECT file.number, count(*)::int AS count, sum(item.amount_minor)::bigint AS minor,
           count(*) FILTER (WHERE came_back.at >= ${startOf(today)})::int AS today,
           coalesce(sum(item.amount_minor) FILTER (WHERE came_back.at >= ${startOf(today)}), 0)::bigint AS today_minor
      FROM payout_file AS file
      JOIN payout_file_item AS item ON item.file_id = file.id AND NOT item.is_live
      LEFT JOIN return_entry AS entry ON ${IS_ITS_RETURN}
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id AND withdrawal.status = 'returned'
      LEFT JOIN bill ON bill.id = item.bill_id AND bill.status = 'returned'
     CROSS JOIN LATERAL (SELECT coalesce(entry.moved_at, withdrawal.moved_at, bill.moved_at) AS at) AS came_back
     WHERE file.status IN ('sent', 'settled') AND came_back.at >= ${startOf(`${today.slice(0, 8)}01`)}
     GROUP BY file.number ORDER BY file.number`.execute(reader);
  const sumOf = (some: readonly { number: number; count: number; minor: bigint }[]) => ({
    count: some.reduce((sum, { count }) => sum + count, 0),
    total: money(
      some.reduce((sum, { minor }) => sum + minor, 0n),
      currency,
    ),
    fileNumbers: some.map(({ number }) => fileNumber(number)),
  });
  const ofToday = rows.filter(({ today: count }) => count > 0);
  return {
    returnedThisMonth: sumOf(rows),
    returnedToday: sumOf(
      ofToday.map((row) => ({ number: row.number, count: row.today, minor: row.todayMinor })),
    ),
  };
}
