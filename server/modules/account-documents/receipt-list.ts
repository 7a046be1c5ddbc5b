import { sql } from 'kysely';
import { receiptList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { endOfDay, presentEvent, readOwnRows, startOfDay } from '#server/modules/history/index.ts';
import type { EventRow, HistoryScope } from '#server/modules/history/index.ts';

const NEWEST = descending(key(sql`event.at`, 'instant'), key(sql`event.id`, 'text'));

/** A person may have no account; a list without a source would be no statement. */
const NOTHING = sql`(SELECT '' AS id, now() AS at WHERE false) AS event`;

/**
 * Everything posted to a person's accounts that has a receipt, which is all but payroll. An account that
 * has had nothing but payroll is not read.
 */
export const ownReceipts = readsList(receiptList, {
  from: (_view, { accounts }: HistoryScope) => [
    ...accounts
      .filter(({ kinds }) => kinds.some((kind) => kind !== 'payroll'))
      .map(
        ({ type, ledgerAccountId }) => sql`(
          SELECT entry.transaction_id::text || ${`.${type}`}::text AS id, entry.effective_at AS at
            FROM ledger_entry AS entry
            JOIN ledger_transaction AS one ON one.id = entry.transaction_id
           WHERE entry.account_id = ${ledgerAccountId} AND one.kind <> 'payroll') AS event`,
      ),
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
