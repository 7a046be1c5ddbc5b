import { sql } from 'kysely';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { isoTime } from './records.ts';

/** SQL of true for an `item` whose last act of its `file` is still to be posted. */
export const UNPOSTED = sql.raw(
  'coalesce(item.trace_number > file.unposted_after OR item.refused_why IS NOT NULL, false)',
);

/** The checks that each micro-deposit is one of two, was posted when its file was sent, and came back once or not at all. */
export const microDepositChecks: readonly ScopedCheck[] = [
  {
    name: 'micro-deposit',
    query: (scope) =>
      union(
        faulty({
          id: 'item.id',
          from: `payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
            LEFT JOIN payout_file_item AS other
              ON other.file_id = item.file_id AND other.id <> item.id AND other.bank_account_id = item.bank_account_id
            LEFT JOIN ledger_transaction AS posting ON posting.id = item.ledger_transaction_id
            LEFT JOIN ledger_transaction AS reversal ON reversal.reverses_id = item.ledger_transaction_id
            LEFT JOIN ledger_transaction AS settled ON settled.id = item.settlement_id
            LEFT JOIN ledger_transaction AS unsettled ON unsettled.reverses_id = item.settlement_id`,
          where: 'item.deposit_number IS NOT NULL',
          faults: [
            [
              `(other.deposit_number, other.account_as_of, other.effective_on)
                 IS DISTINCT FROM (3 - item.deposit_number, item.account_as_of, item.effective_on)
               OR other.amount_minor = item.amount_minor`,
              'is not one of two different ones of its account',
            ],
            [
              sql`(file.sent_at IS NULL OR file.status = 'sent' AND ${UNPOSTED}) <> (posting.id IS NULL)`,
              'is in a file that is %s, and is posted as %s',
              'file.status',
              `coalesce(posting.reference, 'nothing')`,
            ],
            [
              `posting.kind <> 'micro_deposit' OR posting.subject_id IS DISTINCT FROM item.id AND posting.id IS NOT NULL
               OR settled.kind <> 'settlement' OR settled.subject_id IS DISTINCT FROM item.id AND settled.id IS NOT NULL`,
              'names a posting that is not its own',
            ],
            [
              `file.status <> 'cancelled' AND item.is_live = (reversal.id IS NOT NULL)`,
              'came back and was not posted back, or the other way',
            ],
            [
              sql`item.is_live AND (file.status = 'settled' AND NOT ${UNPOSTED}) <> (settled.id IS NOT NULL)
               OR NOT item.is_live AND (settled.id IS NULL) <> (unsettled.id IS NULL)`,
              'is in a file that is %s, and its settlement says otherwise',
              'file.status',
            ],
          ],
        }),
        faulty({
          id: 'posting.id',
          from: `ledger_transaction AS posting
            LEFT JOIN payout_file_item AS item ON item.ledger_transaction_id = posting.id
            LEFT JOIN payout_file AS file ON file.id = item.file_id
            LEFT JOIN ledger_entry AS entry ON entry.transaction_id = posting.id AND entry.amount > 0
            LEFT JOIN ledger_account AS account ON account.id = entry.account_id`,
          where: sql`posting.kind = 'micro_deposit' AND ${scope.ledger_transaction('posting.id')}`,
          faults: [
            ['item.id IS NULL', 'is of no micro-deposit'],
            [
              `(entry.amount, account.code, account.currency)
                 IS DISTINCT FROM (item.amount_minor, 'payouts_in_transit', file.currency)`,
              'has %s on %s, and its deposit is of %s',
              'entry.amount',
              'account.code',
              'item.amount_minor',
            ],
          ],
        }),
      ),
  },
  {
    // Tries are numbered, none follows the right one, and each was recorded as its owner's.
    name: 'micro-deposit-try',
    query: (scope) =>
      union(
        faulty({
          id: 'one.item_id',
          from: `micro_deposit_try AS one
            JOIN payout_file_item AS item ON item.id = one.item_id
            JOIN bank_account AS bank ON bank.id = item.bank_account_id
            LEFT JOIN micro_deposit_try AS former ON former.item_id = one.item_id AND former.number = one.number - 1
            LEFT JOIN audit_event AS made
              ON made.subject_id = item.bank_account_id AND made.actor_id = bank.user_id
             AND made.action = CASE WHEN one.is_right THEN 'bank_account.proved' ELSE 'bank_account.missed' END
             AND made.details ->> 'item' = one.item_id::text AND made.details ->> 'try' = one.number::text`,
          where: scope.bank_account('item.bank_account_id'),
          faults: [
            [
              `made.id IS NULL OR made.details ->> 'at' <> ${isoTime('one.tried_at')}`,
              'has no record of try %s',
              'one.number',
            ],
            [
              `one.number > 1 AND former.is_right IS NOT FALSE OR item.deposit_number IS DISTINCT FROM 1`,
              'has a try %s that follows no wrong one',
              'one.number',
            ],
          ],
        }),
        faulty({
          id: 'event.subject_id',
          from: `audit_event AS event
            LEFT JOIN micro_deposit_try AS one
              ON one.item_id::text = event.details ->> 'item' AND one.number::text = event.details ->> 'try'
             AND one.is_right = (event.action = 'bank_account.proved')`,
          where: sql`event.action IN ('bank_account.proved', 'bank_account.missed')
            AND ${scope.bank_account('event.subject_id')}`,
          faults: [
            [
              'one.item_id IS NULL',
              'has a record of try %s, which is not kept',
              `event.details ->> 'try'`,
            ],
          ],
        }),
      ),
  },
];
