import { sql } from 'kysely';
import { walletContentHash } from '#server/modules/wallets/index.ts';
import { faulty, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { columns, newestCheck, recordCheck } from './records.ts';

const SCOPE = { scope: ['ledger_account', 'thing.ledger_account_id'] } as const;

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
          where: sql`account.owner_id IS NOT NULL AND ${scope.ledger_account('account.id')}`,
          faults: [
            ['wallet.id IS NULL', 'belongs to a person and to no wallet'],
            unequal({
              owner: ['account.owner_id', 'wallet.user_id'],
              kind: ['account.kind', 'wallet.type'],
              currency: ['account.currency', 'company.currency'],
            }),
          ],
        }),
        faulty({
          id: 'wallet.id',
          from: `wallet LEFT JOIN ledger_account AS account
            ON account.id = wallet.ledger_account_id AND account.owner_id IS NOT NULL`,
          where: scope.ledger_account('wallet.ledger_account_id'),
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
      ...columns('type', 'ledgerAccountId'),
      contentHash: walletContentHash('thing'),
    },
    faults: [unequal({ owner: ['thing.user_id', 'made.person_id'] })],
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
        where: sql`account.owner_id IS NOT NULL AND ${scope.ledger_account('account.id')}`,
        faults: [
          ['account.min_available IS NULL', 'may fall below zero without a limit'],
          ['account.min_available <> 0', 'may fall to %s', 'account.min_available'],
        ],
      }),
  },
];
