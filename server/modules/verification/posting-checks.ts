import { CURRENCIES } from '#contract/money.ts';
import { DEPOSIT_METHOD_IDS } from '#contract/deposits.ts';
import { sql } from 'kysely';
import { faulty, listed } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** Every kind of transaction that a module posts; each has a check of its own. */
const KINDS = [
  'payroll',
  'funding',
  'deposit',
  'withdrawal',
  'transfer',
  'move',
  'bill',
  'reversal',
  'recovery',
  'settlement',
  'micro_deposit',
];

/** Every system account that a module opens. */
const SYSTEM_ACCOUNTS = [
  'payroll_funding',
  'payout_clearing',
  'bill_clearing',
  'payouts_in_transit',
  'account_verification',
  ...DEPOSIT_METHOD_IDS.map((method) => `deposit_clearing:${method}`),
];

/** The checks that the ledger has only what the modules put into it. */
export const postingChecks: readonly ScopedCheck[] = [
  {
    name: 'transaction-kind',
    query: (scope) =>
      faulty({
        id: 'posting.id',
        from: 'ledger_transaction AS posting',
        where: scope.ledger_transaction('posting.id'),
        faults: [
          [
            sql`posting.kind NOT IN (${listed(KINDS)})`,
            'is of the kind %s, which nothing in Purser posts',
            'posting.kind',
          ],
        ],
      }),
  },
  {
    name: 'system-account',
    query: () =>
      faulty({
        id: 'account.id',
        from: 'ledger_account AS account',
        where: 'account.code IS NOT NULL',
        faults: [
          [
            sql`account.code NOT IN (${listed(SYSTEM_ACCOUNTS)}) OR account.kind <> 'system'`,
            'has the code %s and kind %s, which nothing in Purser opens',
            'account.code',
            'account.kind',
          ],
          [sql`account.currency NOT IN (${listed(CURRENCIES)})`, 'is in %s', 'account.currency'],
          ['account.held <> 0', 'has %s held', 'account.held'],
        ],
      }),
  },
  {
    name: 'posting-sides',
    query: (scope) =>
      faulty({
        id: 'posting.id',
        from: sql`ledger_transaction AS posting
          LEFT JOIN ledger_transaction AS reversed
            ON reversed.id = posting.reverses_id AND reversed.kind IN ('settlement', 'micro_deposit')
          JOIN (SELECT entry.transaction_id, count(*) AS entries, count(account.owner_id) AS people,
                       max(account.code) AS code, min(account.code) AS first_code
                  FROM ledger_entry AS entry
                  JOIN ledger_account AS account ON account.id = entry.account_id
                 WHERE ${scope.ledger_transaction('entry.transaction_id')}
                 GROUP BY entry.transaction_id) AS side
            ON side.transaction_id = posting.id`,
        where: scope.ledger_transaction('posting.id'),
        faults: [
          [
            `side.entries <> 2
               OR side.people <> CASE WHEN posting.kind IN ('transfer', 'move') THEN 2
                                      WHEN posting.kind IN ('settlement', 'micro_deposit') OR reversed.id IS NOT NULL THEN 0
                                      ELSE 1 END`,
            'has %s entries, %s of them on accounts of people',
            'side.entries',
            'side.people',
          ],
          [
            `CASE posting.kind WHEN 'payroll' THEN side.code <> 'payroll_funding'
                               WHEN 'funding' THEN side.code <> 'payroll_funding'
                               WHEN 'recovery' THEN side.code <> 'payroll_funding'
                               WHEN 'withdrawal' THEN side.code NOT IN ('payout_clearing', 'payouts_in_transit')
                               WHEN 'bill' THEN side.code NOT IN ('bill_clearing', 'payouts_in_transit')
                               WHEN 'deposit' THEN side.code NOT LIKE 'deposit_clearing:%'
                               WHEN 'micro_deposit' THEN (side.first_code, side.code)
                                 <> ('account_verification', 'payouts_in_transit') END`,
            'is a %s against the account %s',
            'posting.kind',
            'side.code',
          ],
          [
            `(coalesce(reversed.kind, posting.kind) = 'micro_deposit')
               <> (side.first_code = 'account_verification')`,
            'is a %s between the accounts %s and %s',
            'posting.kind',
            'side.first_code',
            'side.code',
          ],
        ],
      }),
  },
];
