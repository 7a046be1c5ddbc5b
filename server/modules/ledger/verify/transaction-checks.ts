import { sql } from 'kysely';
import type { Check } from './balance-checks.ts';

/** That every transaction is whole and that no money was made or lost. */
export const transactionChecks: readonly Check[] = [
  {
    name: 'zero sum',
    query: sql`
      SELECT coalesce(one.id, entry.transaction_id)::text AS id,
             CASE WHEN one.id IS NULL THEN 'has entries but does not exist'
                  WHEN entry.transaction_id IS NULL THEN 'has no entries'
                  ELSE format('its %s entries sum to %s', entry.count, entry.sum) END AS what
        FROM ledger_transaction AS one
        FULL JOIN (SELECT transaction_id, sum(amount) AS sum, count(*) AS count
                     FROM ledger_entry GROUP BY transaction_id) AS entry
          ON entry.transaction_id = one.id
       WHERE one.id IS NULL OR entry.transaction_id IS NULL OR entry.sum <> 0`,
  },
  {
    name: 'transaction and entries',
    query: sql`
      SELECT one.id::text AS id,
             CASE WHEN entry.first_currency <> entry.last_currency THEN 'mixes currencies'
                  ELSE 'its entries have other times than it' END AS what
        FROM ledger_transaction AS one
        JOIN (SELECT transaction_id,
                     min(account.currency) AS first_currency,
                     max(account.currency) AS last_currency,
                     min(entry.effective_at) AS first_effective_at,
                     max(entry.effective_at) AS last_effective_at,
                     min(entry.recorded_at) AS first_recorded_at,
                     max(entry.recorded_at) AS last_recorded_at
                FROM ledger_entry AS entry
                JOIN ledger_account AS account ON account.id = entry.account_id
               GROUP BY transaction_id) AS entry ON entry.transaction_id = one.id
       WHERE entry.first_currency <> entry.last_currency
          OR (entry.first_effective_at, entry.last_effective_at) <> (one.effective_at, one.effective_at)
          OR (entry.first_recorded_at, entry.last_recorded_at) <> (one.recorded_at, one.recorded_at)`,
  },
  {
    name: 'zero sum of all accounts',
    query: sql`
      SELECT currency AS id, format('all accounts together have %s', sum(posted)) AS what
        FROM ledger_account GROUP BY currency HAVING sum(posted) <> 0`,
  },
  {
    name: 'reversal',
    query: sql`
      SELECT reversal.id::text AS id,
             format('does not mirror transaction %s', reversal.reverses_id) AS what
        FROM ledger_transaction AS reversal
        JOIN ledger_entry AS entry ON entry.transaction_id IN (reversal.id, reversal.reverses_id)
       WHERE reversal.reverses_id IS NOT NULL
       GROUP BY reversal.id, entry.account_id HAVING sum(entry.amount) <> 0`,
  },
  {
    name: 'sealed or waiting',
    query: sql`
      SELECT coalesce(one.id, mark.transaction_id)::text AS id,
             CASE WHEN one.id IS NULL THEN 'is sealed or waits for it but does not exist'
                  WHEN mark.transaction_id IS NULL THEN 'is neither sealed nor waits for it'
                  ELSE 'is sealed and waits for it, too' END AS what
        FROM ledger_transaction AS one
        FULL JOIN (SELECT transaction_id, count(*) AS count
                     FROM (SELECT transaction_id FROM ledger_seal
                           UNION ALL SELECT transaction_id FROM ledger_unsealed) AS either
                    GROUP BY transaction_id) AS mark
          ON mark.transaction_id = one.id
       WHERE one.id IS NULL OR mark.count IS DISTINCT FROM 1`,
  },
];
