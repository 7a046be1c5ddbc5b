import { sql } from 'kysely';
import { entriesIn, transactionsIn } from './check.ts';
import type { Check, ChecksFor, Scope } from './check.ts';

/** Checks that every transaction is complete and that no money was created or lost. */
export const transactionChecks: ChecksFor = (scope) => [
  zeroSum(scope),
  oneCurrencyAndTime(scope),
  reversal(scope),
  ...(scope.afterHeight === null ? [zeroSumOfAllAccounts] : []),
];

const zeroSum = (scope: Scope): Check => ({
  name: 'zero-sum',
  query: sql`
    SELECT coalesce(one.id, entry.transaction_id)::text AS id,
           CASE WHEN one.id IS NULL THEN 'has entries but does not exist'
                WHEN entry.transaction_id IS NULL THEN 'has no entries'
                ELSE format('its %s entries sum to %s', entry.count, entry.sum) END AS what
      FROM ${transactionsIn(scope)} AS one
      FULL JOIN (SELECT transaction_id, sum(amount) AS sum, count(*) AS count
                   FROM ${entriesIn(scope)} AS entry GROUP BY transaction_id) AS entry
        ON entry.transaction_id = one.id
     WHERE one.id IS NULL OR entry.transaction_id IS NULL OR entry.sum <> 0`,
});

const oneCurrencyAndTime = (scope: Scope): Check => ({
  name: 'transaction-entries',
  query: sql`
    SELECT one.id::text AS id,
           CASE WHEN entry.first_currency <> entry.last_currency THEN 'mixes currencies'
                ELSE 'its entries have other times than it' END AS what
      FROM ${transactionsIn(scope)} AS one
      JOIN (SELECT transaction_id,
                   min(account.currency) AS first_currency,
                   max(account.currency) AS last_currency,
                   min(entry.effective_at) AS first_effective_at,
                   max(entry.effective_at) AS last_effective_at,
                   min(entry.recorded_at) AS first_recorded_at,
                   max(entry.recorded_at) AS last_recorded_at
              FROM ${entriesIn(scope)} AS entry
              JOIN ledger_account AS account ON account.id = entry.account_id
             GROUP BY transaction_id) AS entry ON entry.transaction_id = one.id
     WHERE entry.first_currency <> entry.last_currency
        OR (entry.first_effective_at, entry.last_effective_at) <> (one.effective_at, one.effective_at)
        OR (entry.first_recorded_at, entry.last_recorded_at) <> (one.recorded_at, one.recorded_at)`,
});

const zeroSumOfAllAccounts: Check = {
  name: 'zero-sum-of-all-accounts',
  query: sql`
    SELECT currency AS id, format('all accounts together have %s', sum(posted)) AS what
      FROM ledger_account GROUP BY currency HAVING sum(posted) <> 0`,
};

const reversal = (scope: Scope): Check => ({
  name: 'reversal',
  query: sql`
    SELECT reversal.id::text AS id,
           format('does not mirror transaction %s', reversal.reverses_id) AS what
      FROM ${transactionsIn(scope)} AS reversal
      JOIN ledger_entry AS entry ON entry.transaction_id IN (reversal.id, reversal.reverses_id)
     WHERE reversal.reverses_id IS NOT NULL
     GROUP BY reversal.id, reversal.reverses_id, entry.account_id HAVING sum(entry.amount) <> 0`,
});
