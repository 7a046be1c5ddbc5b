import { dayIn } from '#contract/calendar.ts';
import { sql } from 'kysely';
import { decimalAmount } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { csvLine, plainCell, textCell } from '#server/lib/csv.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { matches } from './list-parts.ts';
import type { WithdrawalFilter } from './list-parts.ts';
import { selectRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';

const CHUNK_ROWS = 1_000;
const HEADER = [
  'Date',
  'Employee',
  'Employee ID',
  'Amount',
  'Urgency',
  'Bank',
  'Reason',
  'Status',
  'Reference',
];

/**
 * The filtered withdrawals as CSV, newest first, a chunk of lines at a time: nothing is held in
 * memory whole, and no chunk costs more the further it is. Days are the company's.
 */
export async function* exportWithdrawals(
  reader: Reader,
  filter: WithdrawalFilter,
  chunkRows: number = CHUNK_ROWS,
): AsyncGenerator<string> {
  const { timeZone } = await readSettings(reader);
  yield csvLine(HEADER);
  let last: WithdrawalRow | undefined;
  do {
    const rows = await nextChunk(reader, filter, last, chunkRows);
    if (rows.length > 0) yield rows.map((row) => line(row, timeZone)).join('');
    last = rows.length < chunkRows ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function nextChunk(
  reader: Reader,
  filter: WithdrawalFilter,
  after: WithdrawalRow | undefined,
  chunkRows: number,
): Promise<WithdrawalRow[]> {
  const query = selectRows(reader)
    .where(matches(filter))
    .orderBy('withdrawal.requestedAt', 'desc')
    .orderBy('withdrawal.id', 'desc')
    .limit(chunkRows);
  if (after === undefined) return query.execute();
  const isLater = sql<boolean>`(withdrawal.requested_at, withdrawal.id)
    < (${after.requestedAt}, ${after.id}::uuid)`;
  return query.where(isLater).execute();
}

function line(row: WithdrawalRow, timeZone: string): string {
  return csvLine([
    plainCell(dayIn(timeZone, row.requestedAt)),
    textCell(row.employeeName),
    textCell(row.employeeNumber ?? ''),
    plainCell(decimalAmount(row.amountMinor)),
    plainCell(row.urgency),
    textCell(bankLabel({ bankName: row.bankName, last4: row.bankLast4 })),
    textCell(row.reason),
    plainCell(row.status),
    plainCell(row.reference),
  ]);
}
