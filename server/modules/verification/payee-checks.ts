import { sql } from 'kysely';
import { LONGEST_CLOSED_DAYS } from '#contract/bank-holidays.ts';
import { payeeHash } from '#server/modules/payments/index.ts';
import { faulty, unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changed, columns, fact, isoDay, isoTime, recordCheck } from './records.ts';

/** SQL of the payees that a standing bill's payee took the place of, one after another. */
const CHOSEN_PAYEES = `(
  WITH RECURSIVE chosen (id) AS (
    SELECT thing.payee_id
     UNION
    SELECT (added.details ->> 'replaces')::uuid FROM chosen JOIN audit_event AS added
        ON added.subject_id = chosen.id AND added.subject_type = 'payee'
       AND added.action = 'payee.added' AND added.actor_id = thing.user_id)
  SELECT id FROM chosen)`;

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
        where: scope.bill('bill.id'),
        faults: [
          unequal({
            owner: ['payee.user_id', 'bill.user_id'],
            name: ['payee.name', 'bill.payee_name'],
            account: ['payee.last4', 'bill.payee_last4'],
            'entered by': ['added.actor_id', 'bill.user_id'],
          }),
          // The cooling-off counts from the time.
          changed('added', { contentHash: payeeHash('payee'), at: isoTime('payee.created_at') }),
        ],
      }),
  },
  {
    name: 'bill-payee-return',
    query: (scope) =>
      faulty({
        id: 'payee.id',
        from: sql`(SELECT DISTINCT payee_id FROM bill WHERE ${scope.bill('bill.id')}) AS paid
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
            'payee.returned_bill_id',
            'sent_back.payee_id',
            'sent_back.status',
          ],
          unequal({
            'returned bill': [
              'payee.returned_bill_id::text',
              `CASE newest.action WHEN 'payee.returned' THEN newest.bill_id END`,
            ],
          }),
          [
            `newest.action = 'payee.confirmed' AND newest.actor_id <> payee.user_id`,
            'of %s was confirmed by %s',
            'payee.user_id',
            'newest.actor_id',
          ],
        ],
      }),
  },
  recordCheck({
    name: 'standing-bill',
    table: 'standing_bill',
    event: 'standing_bill.created',
    missing: 'has no record of being set up',
    from: () => sql`LEFT JOIN LATERAL (
        SELECT details FROM audit_event
         WHERE subject_type = 'standing_bill' AND subject_id = thing.id
           AND action IN ('standing_bill.created', 'standing_bill.scheduled', 'standing_bill.left_out')
         ORDER BY id DESC LIMIT 1) AS newest ON true
      LEFT JOIN LATERAL (
        SELECT actor_id FROM audit_event
         WHERE subject_type = 'standing_bill' AND subject_id = thing.id
           AND action = 'standing_bill.stopped' LIMIT 1) AS stopped ON true`,
    faults: [
      unequal({
        'set up by': ['made.actor_id', 'thing.user_id'],
        'stopped by': ['thing.ended_by', 'stopped.actor_id'],
      }),
      [
        `made.details ->> 'payeeId' <> thing.payee_id::text
           AND (made.details ->> 'payeeId')::uuid NOT IN ${CHOSEN_PAYEES}`,
        'is paid to %s; its record says %s',
        'thing.payee_id',
        fact('made', 'payeeId'),
      ],
      [
        `newest.details ? 'nextOn' AND thing.ended_by IS NULL
           AND ${fact('newest', 'nextOn')} <> coalesce(${isoDay('thing.next_on')}, '')`,
        'is paid next on %s; its newest record says %s',
        `coalesce(thing.next_on::text, 'no day')`,
        fact('newest', 'nextOn'),
      ],
      // A day that is taken away, or put where there was none.
      [
        `coalesce(${fact('made', 'endsOn')}, '') <> coalesce(${isoDay('thing.ends_on')}, '')`,
        'ends on %s; its record says %s',
        `coalesce(thing.ends_on::text, 'no day')`,
        `coalesce(${fact('made', 'endsOn')}, 'no day')`,
      ],
    ],
    facts: {
      ...columns('amountMinor', 'currency', 'walletId', 'frequency'),
      startsOn: isoDay('thing.starts_on'),
      at: isoTime('thing.created_at'),
    },
  }),
  {
    name: 'bill-standing',
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: `bill AS thing
          LEFT JOIN standing_bill AS standing ON standing.id = thing.standing_bill_id
          LEFT JOIN audit_event AS created
            ON created.subject_id = standing.id AND created.subject_type = 'standing_bill'
           AND created.action = 'standing_bill.created'`,
        where: sql`thing.standing_bill_id IS NOT NULL AND ${scope.bill('thing.id')}`,
        faults: [
          unequal({
            'set up by': ['created.actor_id', 'thing.user_id'],
            owner: ['standing.user_id', 'thing.user_id'],
            wallet: ['standing.wallet_id', 'thing.wallet_id'],
            amount: ['standing.amount_minor', 'thing.amount_minor'],
            currency: ['standing.currency', 'thing.currency'],
          }),
          // A bill is paid before or after the day of its standing bill while banks are closed (`billPayDay`).
          [
            `thing.pay_on NOT BETWEEN standing.starts_on - ${LONGEST_CLOSED_DAYS}
               AND coalesce(standing.ends_on + ${LONGEST_CLOSED_DAYS}, 'infinity')`,
            'is paid on %s, which is no day of the standing bill %s',
            'thing.pay_on',
            'standing.id',
          ],
        ],
      }),
  },
];
