import { sql } from 'kysely';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts, historyFindings } from './records.ts';

/** That every payment from a person to another is in the ledger once, as its payer made it. */
export const paymentChecks: readonly ScopedCheck[] = [
  {
    name: 'payment-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN person_payment AS payment ON payment.id = posting.subject_id
            LEFT JOIN wallet AS payer ON payer.id = payment.payer_wallet_id
            LEFT JOIN wallet AS recipient ON recipient.id = payment.recipient_wallet_id
            LEFT JOIN ledger_entry AS spent
              ON spent.transaction_id = posting.id AND spent.account_id = payer.ledger_account_id
            LEFT JOIN ledger_entry AS received
              ON received.transaction_id = posting.id
             AND received.account_id = recipient.ledger_account_id`,
          where: sql`posting.kind = 'transfer' AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`payment.id IS NULL`, 'is no payment of anybody'],
            [
              sql`payment.ledger_transaction_id <> posting.id`,
              sql`format('makes the payment %s, which names the posting %s', payment.id,
                         payment.ledger_transaction_id)`,
            ],
            [
              sql`spent.amount IS DISTINCT FROM -payment.amount_minor
                  OR received.amount IS DISTINCT FROM payment.amount_minor`,
              sql`format('moves %s from the payer and %s to the recipient; the payment %s is of %s',
                         coalesce(spent.amount, 0), coalesce(received.amount, 0), payment.id,
                         payment.amount_minor)`,
            ],
            [
              sql`posting.reference <> payment.reference`,
              sql`format('has the reference %s; the payment %s has %s', posting.reference,
                         payment.id, payment.reference)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM payment.payer_id`,
              sql`format('was posted by %s; the payment %s is by %s', posting.actor_id, payment.id,
                         payment.payer_id)`,
            ],
          ],
        }),
        faulty({
          id: sql`payment.id`,
          from: sql`person_payment AS payment
            LEFT JOIN ledger_transaction AS posting ON posting.id = payment.ledger_transaction_id`,
          where: sql`${scope.personPayments('payment.id')}`,
          faults: [
            [sql`posting.id IS NULL`, 'was not posted'],
            [
              sql`(posting.kind, posting.subject_id) IS DISTINCT FROM ('transfer', payment.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'payment-wallet',
    query: (scope) =>
      faulty({
        id: sql`payment.id`,
        from: sql`person_payment AS payment
          LEFT JOIN wallet AS payer ON payer.id = payment.payer_wallet_id
          LEFT JOIN wallet AS recipient ON recipient.id = payment.recipient_wallet_id
          LEFT JOIN ledger_account AS account ON account.id = payer.ledger_account_id`,
        where: sql`${scope.personPayments('payment.id')}`,
        faults: [
          [
            sql`payer.user_id IS DISTINCT FROM payment.payer_id
                OR recipient.user_id IS DISTINCT FROM payment.recipient_id`,
            sql`format('of %s to %s goes from the wallet of %s to that of %s', payment.payer_id,
                       payment.recipient_id, payer.user_id, recipient.user_id)`,
          ],
          [
            sql`recipient.type <> 'salary'`,
            sql`format('goes to the account %s of the recipient', recipient.type)`,
          ],
          [
            sql`account.currency IS DISTINCT FROM payment.currency`,
            sql`format('is in %s, its account in %s', payment.currency, account.currency)`,
          ],
        ],
      }),
  },
  {
    name: 'payment-record',
    query: (scope) =>
      faulty({
        id: sql`payment.id`,
        from: sql`person_payment AS payment
          JOIN audit_event AS made
            ON made.subject_id = payment.id AND made.subject_type = 'person_payment'
           AND made.action = 'person_payment.made'
         CROSS JOIN LATERAL (SELECT ${changedFacts('made', {
           reference: sql`payment.reference`,
           amountMinor: sql`payment.amount_minor`,
           currency: sql`payment.currency`,
           limitDay: sql`to_char(payment.limit_day, 'YYYY-MM-DD')`,
           payerWalletId: sql`payment.payer_wallet_id`,
           recipientId: sql`payment.recipient_id`,
           recipientWalletId: sql`payment.recipient_wallet_id`,
         })} AS names) AS changed`,
        where: sql`${scope.personPayments('payment.id')}`,
        faults: [
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was made with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'payment-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'person_payment',
        noun: 'payment',
        where: scope.personPayments,
        actions: ['person_payment.made'],
        shown: sql`
          SELECT id, payer_id AS owner_id, 'person_payment.made' AS action, false AS is_decision,
                 payer_id AS actor_id, paid_at AS at, ledger_transaction_id AS transaction_id
            FROM person_payment
           WHERE ${scope.personPayments('id')}`,
      }),
  },
];
