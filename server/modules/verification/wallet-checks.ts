import { sql } from 'kysely';
import { walletContentHash } from '#server/modules/wallets/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts } from './records.ts';

/** That everybody's account in the ledger is the one their wallet shows them. */
export const walletChecks: readonly ScopedCheck[] = [
  {
    name: 'wallet-account',
    query: (scope) =>
      union(
        faulty({
          id: sql`account.id`,
          from: sql`ledger_account AS account
            LEFT JOIN wallet ON wallet.ledger_account_id = account.id
            CROSS JOIN company_settings AS company`,
          where: sql`account.owner_id IS NOT NULL AND ${scope.accounts('account.id')}`,
          faults: [
            [sql`wallet.id IS NULL`, 'belongs to a person and to no wallet'],
            [
              sql`wallet.user_id <> account.owner_id`,
              sql`format('belongs to %s; its wallet %s to %s', account.owner_id, wallet.id,
                         wallet.user_id)`,
            ],
            [
              sql`wallet.type <> account.kind`,
              sql`format('is of the kind %s; its wallet %s is %s', account.kind, wallet.id,
                         wallet.type)`,
            ],
            [
              sql`account.currency <> company.currency`,
              sql`format('is in %s; the company is in %s', account.currency, company.currency)`,
            ],
          ],
        }),
        faulty({
          id: sql`wallet.id`,
          from: sql`wallet
            LEFT JOIN ledger_account AS account
              ON account.id = wallet.ledger_account_id AND account.owner_id IS NOT NULL`,
          where: sql`${scope.accounts('wallet.ledger_account_id')}`,
          faults: [
            [
              sql`account.id IS NULL`,
              sql`format('is of the account %s, which is no person''s', wallet.ledger_account_id)`,
            ],
          ],
        }),
      ),
  },
  {
    // Wallets opened before Purser recorded that have no audit row, and nothing to compare.
    name: 'wallet-record',
    query: (scope) =>
      faulty({
        id: sql`wallet.id`,
        from: sql`wallet
          JOIN audit_event AS opened
            ON opened.subject_id = wallet.id AND opened.subject_type = 'wallet'
           AND opened.action = 'wallet.opened'
         CROSS JOIN LATERAL (SELECT ${changedFacts('opened', {
           type: sql`wallet.type`,
           ledgerAccountId: sql`wallet.ledger_account_id`,
           contentHash: walletContentHash('wallet'),
         })} AS names) AS changed`,
        where: sql`${scope.accounts('wallet.ledger_account_id')}`,
        faults: [
          [
            sql`opened.person_id IS DISTINCT FROM wallet.user_id`,
            sql`format('of %s was opened for %s', wallet.user_id, opened.person_id)`,
          ],
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was opened with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'wallet-closing',
    query: (scope) =>
      faulty({
        id: sql`wallet.id`,
        from: sql`wallet
          LEFT JOIN LATERAL (
            SELECT action FROM audit_event
             WHERE subject_type = 'wallet' AND subject_id = wallet.id
               AND action IN ('wallet.closed', 'wallet.reopened')
             ORDER BY id DESC LIMIT 1) AS latest ON true`,
        where: sql`(wallet.closed_at IS NOT NULL)
                   <> (coalesce(latest.action, '') = 'wallet.closed')
               AND ${scope.accounts('wallet.ledger_account_id')}`,
        faults: [
          [sql`wallet.closed_at IS NULL`, 'is open; its newest record closes it'],
          [sql`true`, 'is closed; there is no record of that'],
        ],
      }),
  },
  {
    name: 'wallet-limit',
    query: (scope) =>
      faulty({
        id: sql`account.id`,
        from: sql`ledger_account AS account`,
        where: sql`account.owner_id IS NOT NULL AND ${scope.accounts('account.id')}`,
        faults: [
          [
            sql`account.min_available IS DISTINCT FROM 0`,
            sql`CASE WHEN account.min_available IS NULL THEN 'may fall below zero without a limit'
                     ELSE format('may fall to %s', account.min_available) END`,
          ],
        ],
      }),
  },
];
