import { sql } from 'kysely';
import { payoutFile } from '#contract/things/payout-file.ts';
import { payoutReversal } from '#contract/things/payout-reversal.ts';
import { faulty, union, unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { historyCheck } from './histories.ts';
import { microDepositChecks, UNPOSTED } from './micro-deposit-checks.ts';
import { changed, columns, fact, isoDay, isoTime, recordOf } from './records.ts';

/** Requests that files pay, with the statuses in which one is on its way and is over. */
const PAID_BY_FILES = [
  { table: 'withdrawal', ready: 'approved', sent: 'processing', paid: 'completed' },
  { table: 'bill', ready: 'due', sent: 'sent', paid: 'paid' },
] as const;

const ITEMS = `(
  SELECT file_id, count(*) AS items, sum(amount_minor) AS minor, count(*) FILTER (WHERE is_live) AS live
    FROM payout_file_item GROUP BY file_id) AS item`;

/** The checks of payout files, their items, and the account of what is on its way. */
export const payoutChecks: readonly ScopedCheck[] = [
  {
    name: 'payout-file',
    query: () =>
      faulty({
        id: 'thing.id',
        from: sql`payout_file AS thing LEFT JOIN ${sql.raw(ITEMS)} ON item.file_id = thing.id
          LEFT JOIN ${recordOf('payout_file', 'payout_file.made', 'made')}
          LEFT JOIN ${recordOf('payout_file', 'payout_file.sent', 'gone')}
          LEFT JOIN ${recordOf('payout_file', 'payout_file.settled', 'done')}`,
        where: 'true',
        faults: [
          ['made.subject_id IS NULL', 'has no record of being made'],
          unequal({
            count: ['thing.item_count', 'coalesce(item.items, 0)'],
            total: ['thing.total_minor', 'coalesce(item.minor, 0)'],
            maker: ['thing.created_by', 'made.actor_id'],
          }),
          [
            `thing.status = 'cancelled' AND item.live > 0`,
            'is cancelled and still has %s of its payments',
            'item.live',
          ],
          changed('made', {
            number: `lpad(thing.number::text, greatest(4, length(thing.number::text)), '0')`,
            ...columns('contentHash'),
            items: 'thing.item_count',
            amountMinor: 'thing.total_minor',
          }),
          [
            `thing.sent_at IS NOT NULL
              AND ${isoTime('thing.sent_at')} IS DISTINCT FROM ${fact('gone', 'at')}`,
            'was sent at another time than recorded',
          ],
          [
            `thing.status = 'settled' AND (${isoDay('thing.left_bank_on')}, thing.bank_reference)
              IS DISTINCT FROM (done.details ->> 'leftBankOn', done.details ->> 'bankReference')`,
            'left the bank otherwise than its settlement recorded',
          ],
        ],
      }),
  },
  {
    name: 'payout-item',
    query: () =>
      union(
        ...PAID_BY_FILES.map(({ table, ready, sent, paid }) =>
          faulty({
            id: 'item.id',
            from: sql`payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
              JOIN ${sql.table(table)} AS thing ON thing.id = item.${sql.ref(`${table}_id`)}`,
            where: `file.status <> 'cancelled'`,
            faults: [
              [
                `NOT item.is_live AND thing.status <> 'returned'`,
                'left its file and is a payment that is %s',
                'thing.status',
              ],
              unequal({
                amount: ['item.amount_minor', 'thing.amount_minor'],
                currency: ['file.currency', 'thing.currency'],
              }),
              [
                sql`thing.status <> ALL (CASE
                      WHEN file.status = 'sent' AND ${UNPOSTED} OR file.sent_at IS NULL THEN ARRAY[${ready}]
                      WHEN file.status = 'settled' AND NOT ${UNPOSTED} THEN ARRAY[${paid}, 'returned']
                      WHEN file.status = 'settled' THEN ARRAY[${sent}, 'returned']
                      ELSE ARRAY[${sent}, ${paid}, 'returned'] END)`,
                `is a ${table} that is %s, in a file that is %s`,
                'thing.status',
                'file.status',
              ],
            ],
          }),
        ),
      ),
  },
  {
    // A prenote or a pair of micro-deposits by which a bank account is verified was sent in that file, on that day, to the
    // account as it was then.
    name: 'payout-prenote',
    query: () =>
      faulty({
        id: 'item.id',
        from: sql`payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
          LEFT JOIN audit_event AS sent
            ON sent.subject_id = item.bank_account_id AND sent.action IN ('bank_account.tested', 'bank_account.deposited')
           AND sent.details ->> 'item' = item.id::text
          LEFT JOIN return_entry AS answer ON answer.item_id = item.id AND answer.status = 'booked'
           AND (item.deposit_number IS NULL OR answer.kind = 'return')`,
        where: `item.bank_account_id IS NOT NULL AND coalesce(item.deposit_number, 1) = 1 AND file.status <> 'cancelled'`,
        faults: [
          [
            `file.sent_at IS NULL AND sent.id IS NOT NULL`,
            'is recorded as sent, in a file that was not',
          ],
          [`NOT item.is_live AND answer.id IS NULL`, 'left its file without an answer of the bank'],
          [
            `sent.id IS NOT NULL AND (item.trace_number, ${isoDay('item.effective_on')})
               IS DISTINCT FROM (sent.details ->> 'trace', sent.details ->> 'effectiveOn')`,
            'was recorded as sent with the trace number %s for %s',
            `sent.details ->> 'trace'`,
            `sent.details ->> 'effectiveOn'`,
          ],
          [
            `sent.id IS NULL AND EXISTS (
               SELECT FROM bank_account AS bank
                WHERE bank.id = item.bank_account_id AND bank.submitted_at = item.account_as_of
                  AND file.sent_at IS NOT NULL
                  AND (file.status <> 'sent' OR coalesce(item.trace_number <= file.unposted_after, true) AND item.refused_why IS NULL) AND bank.status IN ('pending', 'verified') AND bank.removed_at IS NULL
                  AND (bank.moved_at IS NULL OR bank.moved_at > file.sent_at))`,
            'has no record of being sent',
          ],
        ],
      }),
  },
  ...microDepositChecks,
  historyCheck({
    name: 'payout-file',
    thing: payoutFile,
    owner: 'thing.created_by',
    made: { by: 'thing.created_by', at: 'thing.created_at' },
  }),
  historyCheck({
    name: 'payout-reversal',
    thing: payoutReversal,
    owner: 'thing.created_by',
    made: { by: 'thing.created_by', at: 'thing.created_at' },
  }),
  {
    name: 'payout-reversal',
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`payout_reversal AS thing JOIN payout_file_item AS item ON item.id = thing.item_id
          LEFT JOIN ${recordOf('payout_reversal', 'payout_reversal.asked', 'made')}`,
        where: scope.payout_reversal('thing.id'),
        faults: [
          ['made.subject_id IS NULL', 'has no record of being prepared'],
          unequal({ amount: ['thing.amount_minor', 'item.amount_minor'] }),
          changed('made', {
            number: `lpad(thing.number::text, greatest(4, length(thing.number::text)), '0')`,
            ...columns('contentHash', 'itemId', 'reason', 'amountMinor'),
          }),
        ],
      }),
  },
  {
    name: 'sent-again',
    query: (scope) =>
      union(
        ...(['withdrawal', 'bill'] as const).map((table) =>
          faulty({
            id: 'thing.id',
            from: sql`${sql.table(table)} AS thing
              LEFT JOIN ${sql.table(table)} AS former ON former.id = thing.resends_id
              LEFT JOIN ${recordOf(table, table === 'bill' ? 'bill.scheduled' : 'withdrawal.requested', 'made')}`,
            where: sql`(thing.resends_id IS NOT NULL OR thing.reference LIKE '%-%-%')
              AND ${scope[table]('thing.id')}`,
            faults: [
              [
                `${fact('made', 'resendsId')} IS DISTINCT FROM thing.resends_id::text`,
                'sends %s again, otherwise than recorded',
                `coalesce(thing.resends_id::text, 'nothing')`,
              ],
              [
                `(former.status, former.user_id, former.wallet_id, former.amount_minor, former.currency)
                  IS DISTINCT FROM ('returned', thing.user_id, thing.wallet_id, thing.amount_minor, thing.currency)
                 OR thing.reference NOT LIKE substring(former.reference FROM '^[A-Z]+-[0-9]+') || '-%'`,
                'sends %s again, which is another payment or did not come back',
                `coalesce(former.reference, 'nothing')`,
              ],
            ],
          }),
        ),
      ),
  },
  {
    // Each payment takes as much out of the account as it brought in, once it is over.
    name: 'payouts-in-transit',
    query: (scope) =>
      faulty({
        id: 'transit.subject_id',
        from: sql`(
          SELECT posting.subject_id, sum(entry.amount) AS minor
            FROM ledger_account AS account
            JOIN ledger_entry AS entry ON entry.account_id = account.id
            JOIN ledger_transaction AS posted ON posted.id = entry.transaction_id
            JOIN ledger_transaction AS posting ON posting.id = coalesce(posted.reverses_id, posted.id)
           WHERE account.code = 'payouts_in_transit'
             AND (${scope.withdrawal('posting.subject_id')} OR ${scope.bill('posting.subject_id')})
           GROUP BY posting.subject_id) AS transit
          LEFT JOIN withdrawal ON withdrawal.id = transit.subject_id
          LEFT JOIN bill ON bill.id = transit.subject_id
          LEFT JOIN payout_file_item AS item ON item.id = transit.subject_id`,
        where: 'true',
        faults: [
          [
            `transit.minor <> CASE
               WHEN withdrawal.status = 'processing' THEN withdrawal.amount_minor
               WHEN bill.status = 'sent' THEN bill.amount_minor
               WHEN item.is_live AND item.settlement_id IS NULL THEN item.amount_minor ELSE 0 END`,
            'has %s in payouts in transit and is %s',
            'transit.minor',
            `coalesce(withdrawal.status, bill.status, 'nothing')`,
          ],
        ],
      }),
  },
  {
    name: 'settlement-posting',
    query: (scope) =>
      union(
        ...PAID_BY_FILES.map(({ table }) =>
          faulty({
            id: 'thing.id',
            from: sql`${sql.table(table)} AS thing
            LEFT JOIN ledger_transaction AS posting ON posting.id = thing.settlement_id`,
            where: sql`thing.settlement_id IS NOT NULL AND ${scope[table]('thing.id')}`,
            faults: [
              [
                `posting.kind IS DISTINCT FROM 'settlement' OR posting.subject_id IS DISTINCT FROM thing.id`,
                'names the settlement %s, which is not its own',
                'thing.settlement_id',
              ],
            ],
          }),
        ),
        faulty({
          id: 'posting.id',
          from: `ledger_transaction AS posting
          LEFT JOIN withdrawal ON withdrawal.settlement_id = posting.id
          LEFT JOIN bill ON bill.settlement_id = posting.id
          LEFT JOIN payout_file_item AS item ON item.settlement_id = posting.id
          LEFT JOIN ledger_entry AS entry ON entry.transaction_id = posting.id AND entry.amount > 0
          LEFT JOIN ledger_account AS account ON account.id = entry.account_id`,
          where: sql`posting.kind = 'settlement' AND ${scope.postings(['settlement'])('posting.id')}`,
          faults: [
            ['num_nonnulls(withdrawal.id, bill.id, item.id) = 0', 'settles nothing'],
            unequal({
              subject: ['posting.subject_id', 'coalesce(withdrawal.id, bill.id, item.id)'],
              amount: [
                'entry.amount',
                'coalesce(withdrawal.amount_minor, bill.amount_minor, item.amount_minor)',
              ],
              account: [
                'account.code',
                `CASE WHEN bill.id IS NULL THEN 'payout_clearing' ELSE 'bill_clearing' END`,
              ],
            }),
          ],
        }),
      ),
  },
];
