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
    name: 'entry of its transaction',
    query: sql`
      SELECT one.id::text AS id,
             format('entry %s of account %s has other times or another currency than it',
                    entry.account_version, entry.account_id) AS what
        FROM ledger_transaction AS one
        JOIN ledger_entry AS entry ON entry.transaction_id = one.id
        JOIN ledger_account AS account ON account.id = entry.account_id
        JOIN LATERAL (SELECT min(other_account.currency) AS currency
                        FROM ledger_entry AS other
                        JOIN ledger_account AS other_account ON other_account.id = other.account_id
                       WHERE other.transaction_id = one.id) AS first ON true
       WHERE entry.effective_at <> one.effective_at OR entry.recorded_at <> one.recorded_at
          OR account.currency <> first.currency`,
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
