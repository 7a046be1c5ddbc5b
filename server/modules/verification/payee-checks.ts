import { sql } from 'kysely';
import { payeeHash } from '#server/modules/payments/index.ts';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts, fact, isoTime } from './records.ts';

/**
 * Banks are closed for at most three days in a row: a weekend with the holiday next to it. A bill is paid
 * by so many days before or after the day of its standing bill (contract/bills.ts, `billPayDay`).
 */
const LONGEST_CLOSED_DAYS = 3;

/** The checks that a bill goes to the payee whom its owner entered, as its owner set it up. */
export const payeeChecks: readonly ScopedCheck[] = [
  {
    name: 'bill-payee',
    query: (scope) =>
      faulty({
        id: 'bill.id',
        from: `bill
          LEFT JOIN payee ON payee.id = bill.payee_id
          LEFT JOIN audit_event AS added
            ON added.subject_id = payee.id AND added.subject_type = 'payee'
           AND added.action = 'payee.added'`,
        where: scope.bills('bill.id'),
        faults: [
          [
            `(payee.user_id, payee.name, payee.last4)
               IS DISTINCT FROM (bill.user_id, bill.payee_name, bill.payee_last4)`,
            'of %s to %s ••%s names the payee %s of %s, %s ••%s',
            ...['bill.user_id', 'bill.payee_name', 'bill.payee_last4', 'payee.id'],
            ...['payee.user_id', 'payee.name', 'payee.last4'],
          ],
          [
            'added.actor_id IS DISTINCT FROM bill.user_id',
            'goes to the payee %s, whom its owner did not enter',
            'payee.id',
          ],
          [
            sql`added.details ->> 'contentHash' <> ${payeeHash('payee')}`,
            'goes to the payee %s, who was entered with other values',
            'payee.id',
          ],
          [
            // The cooling-off counts from it.
            `${fact('added', 'at')} <> ${isoTime('payee.created_at')}`,
            'goes to the payee %s, who was entered at %s',
            ...['payee.id', fact('added', 'at')],
          ],
        ],
      }),
  },
  {
    name: 'bill-payee-return',
    query: (scope) =>
      faulty({
        id: 'payee.id',
        from: sql`(SELECT DISTINCT payee_id FROM bill WHERE ${scope.bills('bill.id')}) AS paid
          JOIN payee ON payee.id = paid.payee_id
          LEFT JOIN bill AS sent_back ON sent_back.id = payee.returned_bill_id
          LEFT JOIN LATERAL (
            SELECT action, actor_id, details ->> 'billId' AS bill_id FROM audit_event
             WHERE subject_id = payee.id AND subject_type = 'payee'
               AND action IN ('payee.returned', 'payee.confirmed')
             ORDER BY id DESC LIMIT 1) AS newest ON true`,
        where: 'true',
        faults: [
          [
            `payee.returned_bill_id IS NOT NULL
               AND (sent_back.payee_id, sent_back.status) IS DISTINCT FROM (payee.id, 'returned')`,
            'is marked with the bill %s to %s, which is %s',
            ...['payee.returned_bill_id', 'sent_back.payee_id', 'sent_back.status'],
          ],
          [
            `payee.returned_bill_id::text IS DISTINCT FROM
               CASE newest.action WHEN 'payee.returned' THEN newest.bill_id END`,
            'is marked with the returned bill %s; its newest record is %s of %s',
            ...['payee.returned_bill_id', 'newest.action', 'newest.bill_id'],
          ],
          [
            `newest.action = 'payee.confirmed' AND newest.actor_id <> payee.user_id`,
            'of %s was confirmed by %s',
            ...['payee.user_id', 'newest.actor_id'],
          ],
        ],
      }),
  },
  {
    name: 'bill-standing',
    query: (scope) =>
      faulty({
        id: 'bill.id',
        from: sql`bill
          LEFT JOIN standing_bill AS standing ON standing.id = bill.standing_bill_id
          LEFT JOIN audit_event AS created
            ON created.subject_id = standing.id AND created.subject_type = 'standing_bill'
           AND created.action = 'standing_bill.created'
         CROSS JOIN LATERAL (SELECT ${changedFacts('created', {
           amountMinor: 'standing.amount_minor',
           currency: 'standing.currency',
           walletId: 'standing.wallet_id',
           frequency: 'standing.frequency',
           startsOn: `to_char(standing.starts_on, 'YYYY-MM-DD')`,
           endsOn: `to_char(standing.ends_on, 'YYYY-MM-DD')`,
         })} AS names) AS changed`,
        where: sql`bill.standing_bill_id IS NOT NULL AND ${scope.bills('bill.id')}`,
        faults: [
          [
            'created.actor_id IS DISTINCT FROM bill.user_id',
            'is one of the standing bill %s, which its owner did not set up',
            'bill.standing_bill_id',
          ],
          [
            'changed.names IS NOT NULL',
            'is one of the standing bill %s, which was set up with other values: %s',
            ...['standing.id', 'changed.names'],
          ],
          [
            `(bill.user_id, bill.wallet_id, bill.amount_minor, bill.currency)
               IS DISTINCT FROM (standing.user_id, standing.wallet_id, standing.amount_minor,
                                 standing.currency)
               OR bill.pay_on NOT BETWEEN standing.starts_on - ${LONGEST_CLOSED_DAYS}
                    AND coalesce(standing.ends_on + ${LONGEST_CLOSED_DAYS}, 'infinity')`,
            'is not what the standing bill %s asks for',
            'standing.id',
          ],
        ],
      }),
  },
];
