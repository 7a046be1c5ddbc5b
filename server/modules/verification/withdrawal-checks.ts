import { sql } from 'kysely';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** In which state a withdrawal's hold is. */
const STATE_OF_HOLD = sql`CASE WHEN withdrawal.status IN ('pending', 'approved', 'processing') THEN 'held'
  WHEN withdrawal.status IN ('completed', 'returned') THEN 'captured' ELSE 'released' END`;

/** That what was requested, held, captured and paid out is one amount of one person's. */
export const withdrawalChecks: readonly ScopedCheck[] = [
  {
    name: 'withdrawal-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN withdrawal ON withdrawal.id = posting.subject_id
            LEFT JOIN wallet ON wallet.id = withdrawal.wallet_id
            LEFT JOIN ledger_entry AS entry
              ON entry.transaction_id = posting.id AND entry.account_id = wallet.ledger_account_id`,
          where: sql`posting.kind = 'withdrawal' AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`withdrawal.id IS NULL`, 'pays out no withdrawal'],
            [
              sql`withdrawal.status NOT IN ('completed', 'returned')`,
              sql`format('pays out the withdrawal %s, which is %s', withdrawal.id,
                         withdrawal.status)`,
            ],
            [
              sql`withdrawal.ledger_transaction_id <> posting.id`,
              sql`format('pays out the withdrawal %s, which names the posting %s', withdrawal.id,
                         withdrawal.ledger_transaction_id)`,
            ],
            [
              sql`entry.amount IS DISTINCT FROM -withdrawal.amount_minor`,
              sql`format('moves %s on the wallet''s account; the withdrawal %s is of %s',
                         coalesce(entry.amount, 0), withdrawal.id, withdrawal.amount_minor)`,
            ],
            [
              sql`posting.reference IS DISTINCT FROM withdrawal.transaction_reference`,
              sql`format('has the reference %s; the withdrawal %s says %s', posting.reference,
                         withdrawal.id, withdrawal.transaction_reference)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM withdrawal.completed_by`,
              sql`format('was posted by %s; the withdrawal %s was completed by %s',
                         posting.actor_id, withdrawal.id, withdrawal.completed_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`withdrawal.id`,
          from: sql`withdrawal
            LEFT JOIN ledger_transaction AS posting
              ON posting.id = withdrawal.ledger_transaction_id`,
          where: sql`${scope.withdrawals('withdrawal.id')}`,
          faults: [
            [
              sql`withdrawal.status IN ('completed', 'returned') AND posting.id IS NULL`,
              sql`format('is %s and was not posted', withdrawal.status)`,
            ],
            [
              sql`withdrawal.status NOT IN ('completed', 'returned')
                  AND (withdrawal.ledger_transaction_id IS NOT NULL
                       OR withdrawal.transaction_reference IS NOT NULL)`,
              sql`format('is %s and names the posting %s %s', withdrawal.status,
                         withdrawal.transaction_reference, withdrawal.ledger_transaction_id)`,
            ],
            [
              sql`posting.id IS NOT NULL AND (posting.kind, posting.subject_id)
                  IS DISTINCT FROM ('withdrawal', withdrawal.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'withdrawal-return',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN withdrawal ON withdrawal.ledger_transaction_id = posting.reverses_id
            LEFT JOIN bill ON bill.ledger_transaction_id = posting.reverses_id`,
          where: sql`(posting.kind = 'reversal' OR posting.reverses_id IS NOT NULL)
            AND ${scope.transactions('posting.id')}`,
          faults: [
            [
              sql`posting.kind <> 'reversal' OR posting.reverses_id IS NULL`,
              'is either a reversal or reverses something, and not both',
            ],
            [
              sql`withdrawal.id IS NULL AND bill.id IS NULL`,
              sql`format('reverses %s, which paid out no withdrawal and no bill',
                         posting.reverses_id)`,
            ],
            [
              sql`withdrawal.status <> 'returned'`,
              sql`format('gives back the withdrawal %s, which is %s', withdrawal.id,
                         withdrawal.status)`,
            ],
            [
              sql`withdrawal.id IS NOT NULL AND posting.subject_id IS DISTINCT FROM withdrawal.id`,
              sql`format('gives back the withdrawal %s and is about %s', withdrawal.id,
                         posting.subject_id)`,
            ],
            [
              sql`withdrawal.id IS NOT NULL AND posting.actor_id IS DISTINCT FROM withdrawal.closed_by`,
              sql`format('was posted by %s; the withdrawal %s was returned by %s',
                         posting.actor_id, withdrawal.id, withdrawal.closed_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`withdrawal.id`,
          from: sql`withdrawal
            LEFT JOIN ledger_transaction AS reversal
              ON reversal.reverses_id = withdrawal.ledger_transaction_id`,
          where: sql`withdrawal.status = 'returned' AND ${scope.withdrawals('withdrawal.id')}`,
          faults: [[sql`reversal.id IS NULL`, 'is returned and its payout was not reversed']],
        }),
      ),
  },
  {
    name: 'withdrawal-hold',
    query: (scope) =>
      union(
        faulty({
          id: sql`hold.id`,
          from: sql`ledger_hold AS hold
            LEFT JOIN withdrawal ON withdrawal.hold_id = hold.id
            LEFT JOIN bill ON bill.hold_id = hold.id
            LEFT JOIN wallet ON wallet.id = withdrawal.wallet_id`,
          where: sql`${scope.holds('hold.id')}`,
          faults: [
            [
              sql`withdrawal.id IS NULL AND bill.id IS NULL`,
              'holds money for no withdrawal and no bill',
            ],
            [
              sql`hold.amount <> withdrawal.amount_minor`,
              sql`format('is of %s; the withdrawal %s is of %s', hold.amount, withdrawal.id,
                         withdrawal.amount_minor)`,
            ],
            [
              sql`withdrawal.id IS NOT NULL AND hold.account_id IS DISTINCT FROM wallet.ledger_account_id`,
              sql`format('is on the account %s; the withdrawal %s is from the account %s',
                         hold.account_id, withdrawal.id, wallet.ledger_account_id)`,
            ],
            [
              sql`withdrawal.id IS NOT NULL AND hold.state <> ${STATE_OF_HOLD}`,
              sql`format('is %s; the withdrawal %s is %s', hold.state, withdrawal.id,
                         withdrawal.status)`,
            ],
            [
              sql`withdrawal.id IS NOT NULL
                  AND hold.transaction_id IS DISTINCT FROM withdrawal.ledger_transaction_id`,
              sql`format('was captured by %s; the withdrawal %s was paid out by %s',
                         hold.transaction_id, withdrawal.id, withdrawal.ledger_transaction_id)`,
            ],
            [
              sql`hold.reference <> withdrawal.reference`,
              sql`format('has the reference %s; the withdrawal %s has %s', hold.reference,
                         withdrawal.id, withdrawal.reference)`,
            ],
          ],
        }),
        faulty({
          id: sql`withdrawal.id`,
          from: sql`withdrawal LEFT JOIN ledger_hold AS hold ON hold.id = withdrawal.hold_id`,
          where: sql`${scope.withdrawals('withdrawal.id')}`,
          faults: [
            [sql`hold.id IS NULL`, sql`format('names the hold %s, which does not exist', hold_id)`],
          ],
        }),
      ),
  },
  {
    name: 'withdrawal-wallet',
    query: (scope) =>
      faulty({
        id: sql`withdrawal.id`,
        from: sql`withdrawal
          LEFT JOIN wallet ON wallet.id = withdrawal.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id`,
        where: sql`${scope.withdrawals('withdrawal.id')}`,
        faults: [
          [
            sql`wallet.user_id IS DISTINCT FROM withdrawal.user_id`,
            sql`format('of %s is from a wallet of %s', withdrawal.user_id, wallet.user_id)`,
          ],
          [
            sql`account.currency IS DISTINCT FROM withdrawal.currency`,
            sql`format('in %s is from a wallet in %s', withdrawal.currency, account.currency)`,
          ],
        ],
      }),
  },
];
