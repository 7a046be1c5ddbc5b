import { sql } from 'kysely';
import { walletContentHash } from '#server/modules/wallets/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { newestCheck, recordCheck } from './records.ts';

const SCOPE = { scope: 'accounts', scopedBy: 'thing.ledger_account_id' } as const;

/** The checks that everybody's account in the ledger is the one that their wallet shows them. */
export const walletChecks: readonly ScopedCheck[] = [
  {
    name: 'wallet-account',
    query: (scope) =>
      union(
        faulty({
          id: 'account.id',
          from: `ledger_account AS account
            LEFT JOIN wallet ON wallet.ledger_account_id = account.id
            CROSS JOIN company_settings AS company`,
          where: sql`account.owner_id IS NOT NULL AND ${scope.accounts('account.id')}`,
          faults: [
            ['wallet.id IS NULL', 'belongs to a person and to no wallet'],
            [
              `(wallet.user_id, wallet.type, company.currency)
                 IS DISTINCT FROM (account.owner_id, account.kind, account.currency)`,
              'of %s, %s, in %s; its wallet %s belongs to %s and is %s, the company in %s',
              ...['account.owner_id', 'account.kind', 'account.currency', 'wallet.id'],
              ...['wallet.user_id', 'wallet.type', 'company.currency'],
            ],
          ],
        }),
        faulty({
          id: 'wallet.id',
          from: `wallet LEFT JOIN ledger_account AS account
            ON account.id = wallet.ledger_account_id AND account.owner_id IS NOT NULL`,
          where: scope.accounts('wallet.ledger_account_id'),
          faults: [
            [
              'account.id IS NULL',
              `is of the account %s, which is no person's`,
              'wallet.ledger_account_id',
            ],
          ],
        }),
      ),
  },
  // Wallets opened before Purser recorded that have no audit row, and nothing to compare.
  recordCheck({
    name: 'wallet',
    table: 'wallet',
    ...SCOPE,
    event: 'wallet.opened',
    facts: {
      type: 'thing.type',
      ledgerAccountId: 'thing.ledger_account_id',
      contentHash: walletContentHash('thing'),
    },
    faults: [
      [
        'made.person_id IS DISTINCT FROM thing.user_id',
        'of %s was opened for %s',
        ...['thing.user_id', 'made.person_id'],
      ],
    ],
  }),
  newestCheck({
    name: 'wallet-closing',
    table: 'wallet',
    ...SCOPE,
    state: 'thing.closed_at IS NOT NULL',
    is: 'closed',
    begins: ['wallet.closed'],
    ends: ['wallet.reopened'],
  }),
  {
    name: 'wallet-limit',
    query: (scope) =>
      faulty({
        id: 'account.id',
        from: 'ledger_account AS account',
        where: sql`account.owner_id IS NOT NULL AND ${scope.accounts('account.id')}`,
        faults: [
          ['account.min_available IS NULL', 'may fall below zero without a limit'],
          ['account.min_available <> 0', 'may fall to %s', 'account.min_available'],
        ],
      }),
  },
];
