import { sql } from 'kysely';
import { DEPOSIT_METHODS } from '#contract/deposits.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** A row for each method: its limits and its fee, as in `depositFeeMinor`. */
const METHODS = sql`(VALUES ${sql.join(
  Object.entries(DEPOSIT_METHODS).map(
    ([id, { fee, minMinor, maxMinor }]) => sql`(${sql.lit(id)}, ${sql.lit(minMinor)}::bigint,
      ${sql.lit(maxMinor)}::bigint, ${sql.lit(fee.basisPoints)}::bigint,
      ${sql.lit(fee.fixedMinor)}::bigint)`,
  ),
)}) AS method (id, min_minor, max_minor, basis_points, fixed_minor)`;

/** That every approved deposit is in the ledger once, and no other is. */
export const depositChecks: readonly ScopedCheck[] = [
  {
    name: 'deposit-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN deposit ON deposit.id = posting.subject_id
            LEFT JOIN wallet ON wallet.id = deposit.wallet_id
            LEFT JOIN ledger_entry AS entry
              ON entry.transaction_id = posting.id AND entry.account_id = wallet.ledger_account_id
            LEFT JOIN ledger_account AS clearing
              ON clearing.code = 'deposit_clearing:' || deposit.method
             AND clearing.currency = deposit.currency
            LEFT JOIN ledger_entry AS counter
              ON counter.transaction_id = posting.id AND counter.account_id = clearing.id`,
          where: sql`posting.kind = 'deposit' AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`deposit.id IS NULL`, 'posts no deposit'],
            [
              sql`deposit.status <> 'approved'`,
              sql`format('posts the deposit %s, which is %s', deposit.id, deposit.status)`,
            ],
            [
              sql`deposit.ledger_transaction_id <> posting.id`,
              sql`format('posts the deposit %s, which names the posting %s', deposit.id,
                         deposit.ledger_transaction_id)`,
            ],
            [
              sql`entry.amount IS DISTINCT FROM deposit.amount_minor`,
              sql`format('moves %s on the wallet''s account; the deposit %s is of %s',
                         coalesce(entry.amount, 0), deposit.id, deposit.amount_minor)`,
            ],
            [
              sql`counter.amount IS NULL`,
              sql`format('does not come from the method of the deposit %s, %s', deposit.id,
                         deposit.method)`,
            ],
            [
              sql`posting.reference <> deposit.reference`,
              sql`format('has the reference %s; the deposit %s has %s', posting.reference,
                         deposit.id, deposit.reference)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM deposit.processed_by`,
              sql`format('was posted by %s; the deposit %s was approved by %s', posting.actor_id,
                         deposit.id, deposit.processed_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`deposit.id`,
          from: sql`deposit
            LEFT JOIN ledger_transaction AS posting ON posting.id = deposit.ledger_transaction_id`,
          where: sql`${scope.deposits('deposit.id')}`,
          faults: [
            [
              sql`deposit.status = 'approved' AND posting.id IS NULL`,
              'is approved and was not posted',
            ],
            [
              sql`deposit.status <> 'approved' AND deposit.ledger_transaction_id IS NOT NULL`,
              sql`format('is %s and names the posting %s', deposit.status,
                         deposit.ledger_transaction_id)`,
            ],
            [
              sql`posting.id IS NOT NULL AND (posting.kind, posting.subject_id)
                  IS DISTINCT FROM ('deposit', deposit.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'deposit-wallet',
    query: (scope) =>
      faulty({
        id: sql`deposit.id`,
        from: sql`deposit
          LEFT JOIN wallet ON wallet.id = deposit.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id`,
        where: sql`${scope.deposits('deposit.id')}`,
        faults: [
          [
            sql`wallet.user_id IS DISTINCT FROM deposit.user_id`,
            sql`format('of %s goes to a wallet of %s', deposit.user_id, wallet.user_id)`,
          ],
          [
            sql`account.currency IS DISTINCT FROM deposit.currency`,
            sql`format('in %s goes to a wallet in %s', deposit.currency, account.currency)`,
          ],
        ],
      }),
  },
  {
    // Whoever changes a method's limits or fee has to give the old ones an end in time here.
    name: 'deposit-terms',
    query: (scope) =>
      faulty({
        id: sql`deposit.id`,
        from: sql`deposit LEFT JOIN ${METHODS} ON method.id = deposit.method`,
        where: sql`${scope.deposits('deposit.id')}`,
        faults: [
          [sql`method.id IS NULL`, sql`format('came by %s, which is no method', deposit.method)`],
          [
            sql`deposit.amount_minor NOT BETWEEN method.min_minor AND method.max_minor`,
            sql`format('is of %s; by %s, from %s to %s are allowed', deposit.amount_minor,
                       deposit.method, method.min_minor, method.max_minor)`,
          ],
          [
            sql`deposit.fee_minor
                <> (deposit.amount_minor * method.basis_points + 5000) / 10000 + method.fixed_minor`,
            sql`format('has a fee of %s, which is not that of %s for %s', deposit.fee_minor,
                       deposit.method, deposit.amount_minor)`,
          ],
        ],
      }),
  },
];
