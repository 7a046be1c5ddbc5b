import { sql } from 'kysely';
import { payeeHash } from '#server/modules/payments/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { leftBankFault, leftBankRecord } from './left-bank-record.ts';
import { changedFacts, historyFindings, isoTime } from './records.ts';

/** In which state a bill's hold is. */
const STATE_OF_HOLD = sql`CASE WHEN bill.status IN ('scheduled', 'due', 'sent') THEN 'held'
  WHEN bill.status IN ('paid', 'returned') THEN 'captured' ELSE 'released' END`;

/**
 * Banks are closed for at most three days in a row: a weekend with the holiday next to it. A bill is paid
 * by so many days before or after the day of its standing bill (contract/bills.ts, `billPayDay`).
 */
const LONGEST_CLOSED_DAYS = 3;

/** That what was scheduled, held, captured and paid is one amount of one person's, to one payee. */
export const billChecks: readonly ScopedCheck[] = [
  {
    name: 'bill-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN bill ON bill.id = posting.subject_id
            LEFT JOIN wallet ON wallet.id = bill.wallet_id
            LEFT JOIN ledger_entry AS entry
              ON entry.transaction_id = posting.id AND entry.account_id = wallet.ledger_account_id`,
          where: sql`posting.kind = 'bill' AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`bill.id IS NULL`, 'pays no bill'],
            [
              sql`bill.status NOT IN ('paid', 'returned')`,
              sql`format('pays the bill %s, which is %s', bill.id, bill.status)`,
            ],
            [
              sql`bill.ledger_transaction_id <> posting.id`,
              sql`format('pays the bill %s, which names the posting %s', bill.id,
                         bill.ledger_transaction_id)`,
            ],
            [
              sql`entry.amount IS DISTINCT FROM -bill.amount_minor`,
              sql`format('moves %s on the wallet''s account; the bill %s is of %s',
                         coalesce(entry.amount, 0), bill.id, bill.amount_minor)`,
            ],
            [
              sql`posting.reference IS DISTINCT FROM bill.transaction_reference`,
              sql`format('has the reference %s; the bill %s says %s', posting.reference, bill.id,
                         bill.transaction_reference)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM bill.paid_by`,
              sql`format('was posted by %s; the bill %s was completed by %s', posting.actor_id,
                         bill.id, bill.paid_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`bill.id`,
          from: sql`bill LEFT JOIN ledger_transaction AS posting
            ON posting.id = bill.ledger_transaction_id`,
          where: sql`${scope.bills('bill.id')}`,
          faults: [
            [
              sql`bill.status IN ('paid', 'returned') AND posting.id IS NULL`,
              sql`format('is %s and was not posted', bill.status)`,
            ],
            [
              sql`bill.status NOT IN ('paid', 'returned')
                  AND (bill.ledger_transaction_id IS NOT NULL
                       OR bill.transaction_reference IS NOT NULL)`,
              sql`format('is %s and names the posting %s %s', bill.status,
                         bill.transaction_reference, bill.ledger_transaction_id)`,
            ],
            [
              sql`posting.id IS NOT NULL
                  AND (posting.kind, posting.subject_id) IS DISTINCT FROM ('bill', bill.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'bill-return',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            JOIN bill ON bill.ledger_transaction_id = posting.reverses_id`,
          where: sql`${scope.transactions('posting.id')}`,
          faults: [
            [
              sql`bill.status <> 'returned'`,
              sql`format('gives back the bill %s, which is %s', bill.id, bill.status)`,
            ],
            [
              sql`posting.subject_id IS DISTINCT FROM bill.id`,
              sql`format('gives back the bill %s and is about %s', bill.id, posting.subject_id)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM bill.closed_by`,
              sql`format('was posted by %s; the bill %s was returned by %s', posting.actor_id,
                         bill.id, bill.closed_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`bill.id`,
          from: sql`bill LEFT JOIN ledger_transaction AS reversal
            ON reversal.reverses_id = bill.ledger_transaction_id`,
          where: sql`bill.status = 'returned' AND ${scope.bills('bill.id')}`,
          faults: [[sql`reversal.id IS NULL`, 'is returned and its payout was not reversed']],
        }),
      ),
  },
  {
    name: 'bill-hold',
    query: (scope) =>
      faulty({
        id: sql`bill.id`,
        from: sql`bill
          LEFT JOIN ledger_hold AS hold ON hold.id = bill.hold_id
          LEFT JOIN wallet ON wallet.id = bill.wallet_id`,
        where: sql`(${scope.bills('bill.id')} OR ${scope.holds('hold.id')})`,
        faults: [
          [
            sql`hold.id IS NULL`,
            sql`format('names the hold %s, which is not there', bill.hold_id)`,
          ],
          [
            sql`(hold.amount, hold.account_id, hold.state, hold.transaction_id, hold.reference)
                IS DISTINCT FROM (bill.amount_minor, wallet.ledger_account_id, ${STATE_OF_HOLD},
                                  bill.ledger_transaction_id, bill.reference)`,
            sql`format('of %s, %s, is held as %s on the account %s: %s, captured by %s, %s',
                       bill.amount_minor, bill.status, hold.amount, hold.account_id, hold.state,
                       hold.transaction_id, hold.reference)`,
          ],
        ],
      }),
  },
  {
    name: 'bill-wallet',
    query: (scope) =>
      faulty({
        id: sql`bill.id`,
        from: sql`bill
          LEFT JOIN wallet ON wallet.id = bill.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id`,
        where: sql`${scope.bills('bill.id')}`,
        faults: [
          [
            sql`wallet.user_id IS DISTINCT FROM bill.user_id`,
            sql`format('of %s comes from the wallet of %s', bill.user_id, wallet.user_id)`,
          ],
          [
            sql`account.currency IS DISTINCT FROM bill.currency`,
            sql`format('is in %s, its account in %s', bill.currency, account.currency)`,
          ],
        ],
      }),
  },
  {
    name: 'bill-payee',
    query: (scope) =>
      faulty({
        id: sql`bill.id`,
        from: sql`bill
          LEFT JOIN payee ON payee.id = bill.payee_id
          LEFT JOIN audit_event AS added
            ON added.subject_id = payee.id AND added.subject_type = 'payee'
           AND added.action = 'payee.added'`,
        where: sql`${scope.bills('bill.id')}`,
        faults: [
          [
            sql`(payee.user_id, payee.name, payee.last4)
                IS DISTINCT FROM (bill.user_id, bill.payee_name, bill.payee_last4)`,
            sql`format('of %s to %s ••%s names the payee %s of %s, %s ••%s', bill.user_id,
                       bill.payee_name, bill.payee_last4, payee.id, payee.user_id, payee.name,
                       payee.last4)`,
          ],
          [
            sql`added.actor_id IS DISTINCT FROM bill.user_id`,
            sql`format('goes to the payee %s, whom its owner did not enter', payee.id)`,
          ],
          [
            sql`added.details ->> 'contentHash' <> ${payeeHash('payee')}`,
            sql`format('goes to the payee %s, who was entered with other values', payee.id)`,
          ],
          [
            // The cooling-off counts from it.
            sql`added.details ->> 'at' <> ${isoTime('payee.created_at')}`,
            sql`format('goes to the payee %s, who was entered at %s', payee.id,
                       added.details ->> 'at')`,
          ],
        ],
      }),
  },
  {
    name: 'bill-payee-return',
    query: (scope) =>
      faulty({
        id: sql`payee.id`,
        from: sql`(SELECT DISTINCT payee_id FROM bill WHERE ${scope.bills('bill.id')}) AS paid
          JOIN payee ON payee.id = paid.payee_id
          LEFT JOIN bill AS sent_back ON sent_back.id = payee.returned_bill_id
          LEFT JOIN LATERAL (
            SELECT action, actor_id, details FROM audit_event
             WHERE subject_id = payee.id AND subject_type = 'payee'
               AND action IN ('payee.returned', 'payee.confirmed')
             ORDER BY id DESC LIMIT 1) AS newest ON true`,
        where: sql`true`,
        faults: [
          [
            sql`payee.returned_bill_id IS NOT NULL
                AND (sent_back.payee_id, sent_back.status) IS DISTINCT FROM (payee.id, 'returned')`,
            sql`format('is marked with the bill %s to %s, which is %s', payee.returned_bill_id,
                       sent_back.payee_id, sent_back.status)`,
          ],
          [
            sql`payee.returned_bill_id::text IS DISTINCT FROM
                CASE newest.action WHEN 'payee.returned' THEN newest.details ->> 'billId' END`,
            sql`format('is marked with the returned bill %s; its newest record is %s of %s',
                       payee.returned_bill_id, newest.action, newest.details ->> 'billId')`,
          ],
          [
            sql`newest.action = 'payee.confirmed' AND newest.actor_id <> payee.user_id`,
            sql`format('of %s was confirmed by %s', payee.user_id, newest.actor_id)`,
          ],
        ],
      }),
  },
  {
    name: 'bill-record',
    query: (scope) =>
      faulty({
        id: sql`bill.id`,
        from: sql`bill
          JOIN audit_event AS scheduled
            ON scheduled.subject_id = bill.id AND scheduled.subject_type = 'bill'
           AND scheduled.action = 'bill.scheduled'
          ${leftBankRecord('bill', 'bill.paid')}
         CROSS JOIN LATERAL (SELECT ${changedFacts('scheduled', {
           reference: sql`bill.reference`,
           amountMinor: sql`bill.amount_minor`,
           currency: sql`bill.currency`,
           walletId: sql`bill.wallet_id`,
           holdId: sql`bill.hold_id`,
           payeeId: sql`bill.payee_id`,
           payOn: sql`to_char(bill.pay_on, 'YYYY-MM-DD')`,
         })} AS names) AS changed`,
        where: sql`${scope.bills('bill.id')}`,
        faults: [
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was scheduled with other values: %s', changed.names)`,
          ],
          leftBankFault('bill'),
        ],
      }),
  },
  {
    name: 'bill-standing',
    query: (scope) =>
      faulty({
        id: sql`bill.id`,
        from: sql`bill
          LEFT JOIN standing_bill AS standing ON standing.id = bill.standing_bill_id
          LEFT JOIN audit_event AS created
            ON created.subject_id = standing.id AND created.subject_type = 'standing_bill'
           AND created.action = 'standing_bill.created'
         CROSS JOIN LATERAL (SELECT ${changedFacts('created', {
           amountMinor: sql`standing.amount_minor`,
           currency: sql`standing.currency`,
           walletId: sql`standing.wallet_id`,
           frequency: sql`standing.frequency`,
           startsOn: sql`to_char(standing.starts_on, 'YYYY-MM-DD')`,
           endsOn: sql`to_char(standing.ends_on, 'YYYY-MM-DD')`,
         })} AS names) AS changed`,
        where: sql`bill.standing_bill_id IS NOT NULL AND ${scope.bills('bill.id')}`,
        faults: [
          [
            sql`created.actor_id IS DISTINCT FROM bill.user_id`,
            sql`format('is one of the standing bill %s, which its owner did not set up',
                       bill.standing_bill_id)`,
          ],
          [
            sql`changed.names IS NOT NULL`,
            sql`format('is one of the standing bill %s, which was set up with other values: %s',
                       standing.id, changed.names)`,
          ],
          [
            sql`(bill.user_id, bill.wallet_id, bill.amount_minor, bill.currency)
                IS DISTINCT FROM (standing.user_id, standing.wallet_id, standing.amount_minor,
                                  standing.currency)
                OR bill.pay_on NOT BETWEEN standing.starts_on - ${LONGEST_CLOSED_DAYS}::int
                                       AND coalesce(standing.ends_on + ${LONGEST_CLOSED_DAYS}::int,
                                                    'infinity')`,
            sql`format('is not what the standing bill %s asks for', standing.id)`,
          ],
        ],
      }),
  },
  {
    name: 'bill-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'bill',
        noun: 'bill',
        where: scope.bills,
        actions: [
          ...['bill.scheduled', 'bill.taken', 'bill.sent', 'bill.paid', 'bill.cancelled'],
          ...['bill.stopped', 'bill.returned'],
        ],
        shown: sql`
          SELECT bill.id, bill.user_id AS owner_id, act.*
            FROM bill
            LEFT JOIN ledger_transaction AS reversal
              ON reversal.reverses_id = bill.ledger_transaction_id
           CROSS JOIN LATERAL (VALUES
             ('bill.scheduled', false, true, CASE WHEN standing_bill_id IS NULL THEN user_id END,
              requested_at, NULL::uuid),
             ('bill.taken', false, taken_at IS NOT NULL OR status NOT IN ('scheduled', 'cancelled'),
              NULL::uuid, taken_at, NULL),
             ('bill.sent', true, sent_by IS NOT NULL OR status IN ('sent', 'paid', 'returned'),
              sent_by, sent_at, NULL),
             ('bill.paid', true, paid_by IS NOT NULL OR status IN ('paid', 'returned'),
              paid_by, paid_at, ledger_transaction_id),
             ('bill.cancelled', false, status = 'cancelled', closed_by, closed_at, NULL),
             ('bill.stopped', true, status = 'rejected', closed_by, closed_at, NULL),
             ('bill.returned', true,
              status = 'returned' OR (closed_by IS NOT NULL AND status NOT IN ('cancelled', 'rejected')),
              closed_by, closed_at, reversal.id)
           ) AS act (action, is_decision, is_shown, actor_id, at, transaction_id)
           WHERE act.is_shown AND ${scope.bills('bill.id')}`,
      }),
  },
];
