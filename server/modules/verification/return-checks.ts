import { sql } from 'kysely';
import { faulty, unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changed, columns, isoTime, recordOf } from './records.ts';

const SUMS = sql`(
  SELECT file_id, count(*) AS entries, coalesce(sum(amount_minor) FILTER (WHERE kind = 'return'), 0) AS minor
    FROM return_entry GROUP BY file_id) AS entry`;

/** Status of an entry after the record of a decision on it. */
const DECIDED = `CASE decided.action
  WHEN 'return_entry.found' THEN 'booked' WHEN 'return_entry.not_ours' THEN 'not_ours'
  WHEN 'return_entry.accepted' THEN 'accepted' WHEN 'return_entry.declined' THEN 'declined' END`;

/** The checks of returns files, and that each return gave its money back once, and each change was accepted. */
export const returnChecks: readonly ScopedCheck[] = [
  {
    name: 'return-file',
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`return_file AS thing LEFT JOIN ${SUMS} ON entry.file_id = thing.id
          LEFT JOIN ${recordOf('return_file', 'return_file.booked', 'made')}`,
        where: scope.return_file('thing.id'),
        faults: [
          ['made.subject_id IS NULL', 'has no record of being booked'],
          unequal({
            count: ['thing.entry_count', 'coalesce(entry.entries, 0)'],
            total: ['thing.total_minor', 'coalesce(entry.minor, 0)'],
            booker: ['thing.created_by', 'made.actor_id'],
          }),
          changed('made', {
            ...columns('contentHash'),
            file: 'thing.file_name',
            entries: 'thing.entry_count',
            amountMinor: 'thing.total_minor',
          }),
        ],
      }),
  },
  {
    name: 'return-entry',
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`return_entry AS thing JOIN return_file AS file ON file.id = thing.file_id
          LEFT JOIN payout_file_item AS item ON item.id = thing.item_id
          LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
          LEFT JOIN bill ON bill.id = item.bill_id
          LEFT JOIN ledger_transaction AS reversal ON reversal.id = thing.transaction_id
          LEFT JOIN audit_event AS booked
            ON booked.subject_id = coalesce(withdrawal.id, bill.id)
           AND booked.action IN ('withdrawal.returned', 'bill.returned')
           AND booked.details ->> 'returnEntry' = thing.id::text
          LEFT JOIN audit_event AS corrected
            ON corrected.subject_id = withdrawal.bank_account_id
           AND corrected.action = 'bank_account.corrected'
           AND corrected.details ->> 'returnEntry' = thing.id::text
          LEFT JOIN audit_event AS decided
            ON decided.subject_id = thing.id AND decided.subject_type = 'return_entry'`,
        where: scope.return_file('thing.file_id'),
        faults: [
          [
            `thing.status = 'booked' AND (
               reversal.reverses_id IS DISTINCT FROM CASE WHEN thing.kind = 'return' THEN
                 coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id, item.ledger_transaction_id) END
               OR thing.amount_minor IS DISTINCT FROM CASE WHEN thing.kind = 'return' THEN item.amount_minor ELSE 0 END)`,
            'is booked by %s, which did not give its amount back',
            'thing.transaction_id',
          ],
          [
            `(thing.status = 'booked' AND item.bank_account_id IS NULL) <> (booked.id IS NOT NULL)`,
            'is %s, and the record of its payment says otherwise',
            'thing.status',
          ],
          [
            `thing.status = 'booked' AND item.bank_account_id IS NOT NULL
               AND item.is_live <> (thing.kind = 'change' AND item.deposit_number IS NOT NULL
                                    AND NOT EXISTS (SELECT FROM return_entry AS other
                                                     WHERE other.item_id = item.id AND other.status = 'booked'
                                                       AND other.kind = 'return'))`,
            'is booked, and its prenote or micro-deposit counts',
          ],
          [
            `(thing.status = 'accepted') <> (corrected.id IS NOT NULL)`,
            'is %s, and the record of its bank account says otherwise',
            'thing.status',
          ],
          [
            `thing.status IN ('not_ours', 'accepted', 'declined') AND decided.id IS NULL
               OR decided.id IS NOT NULL AND thing.status <> ${DECIDED}`,
            'is %s, and was recorded as %s',
            'thing.status',
            `coalesce(decided.action, 'nothing')`,
          ],
          unequal({ decider: ['thing.moved_by', 'coalesce(decided.actor_id, file.created_by)'] }),
          changed('decided', {
            at: isoTime('thing.moved_at'),
            code: 'thing.code',
            trace: 'thing.original_trace',
            itemId: 'thing.item_id',
            transactionId: 'thing.transaction_id',
          }),
        ],
      }),
  },
  {
    // The other way: a payment that came back by a file, and an account that a bank corrected, names its entry.
    name: 'return-record',
    query: (scope) =>
      faulty({
        id: 'event.subject_id',
        from: `audit_event AS event
          LEFT JOIN return_entry AS entry ON entry.id::text = event.details ->> 'returnEntry'
          LEFT JOIN payout_file_item AS item ON item.id = entry.item_id`,
        where: sql`event.action = 'bank_account.rejected' AND event.details ? 'returnEntry'
             AND ${scope.bank_account('event.subject_id')}
          OR event.action = 'bank_account.corrected' AND ${scope.bank_account('event.subject_id')}
          OR event.action = 'withdrawal.returned' AND event.details ? 'returnEntry'
             AND ${scope.withdrawal('event.subject_id')}
          OR event.action = 'bill.returned' AND event.details ? 'returnEntry'
             AND ${scope.bill('event.subject_id')}`,
        faults: [
          [
            `entry.status IS DISTINCT FROM
               CASE event.action WHEN 'bank_account.corrected' THEN 'accepted' ELSE 'booked' END`,
            'was recorded as following from an entry that is %s',
            `coalesce(entry.status, 'in no file')`,
          ],
          [
            `event.action = 'bank_account.rejected' AND item.bank_account_id IS DISTINCT FROM event.subject_id`,
            'was rejected because of the prenote or a micro-deposit of another account',
          ],
        ],
      }),
  },
];
