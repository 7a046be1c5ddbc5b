import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A row that a check found wrong. */
export interface Finding {
  /** Of the account, transaction, hold or block. */
  id: string;
  /** What is wrong with it, with both figures. */
  what: string;
}

/** A question whose every answer is something wrong. PostgreSQL streams through the tables. */
export interface Check {
  name: string;
  query: RawBuilder<Finding>;
}

/** That balances, holds and totals are what the entries and holds say. */
export const balanceChecks: readonly Check[] = [
  {
    name: 'account balance',
    query: sql`
      SELECT coalesce(account.id, entry.account_id)::text AS id,
             CASE WHEN account.id IS NULL THEN 'has entries but does not exist'
                  ELSE format('says balance %s after %s entries, last at %s; its entries say %s, %s, %s',
                              account.posted, account.version, account.last_entry_at,
                              coalesce(entry.sum, 0), coalesce(entry.count, 0), entry.last) END AS what
        FROM ledger_account AS account
        FULL JOIN (SELECT account_id, sum(amount) AS sum, count(*) AS count,
                          max(effective_at) AS last
                     FROM ledger_entry GROUP BY account_id) AS entry
          ON entry.account_id = account.id
       WHERE account.id IS NULL OR account.posted <> coalesce(entry.sum, 0)
          OR account.version <> coalesce(entry.count, 0)
          OR account.last_entry_at IS DISTINCT FROM entry.last`,
  },
  {
    name: 'entry chain',
    query: sql`
      SELECT account_id::text AS id,
             format('entry %s (transaction %s): ', account_version, transaction_id) ||
             CASE WHEN account_version <> version_before + 1
                    THEN format('the entry before it is number %s', version_before)
                  WHEN balance_after <> balance_before + amount
                    THEN format('says balance %s; %s and %s make %s', balance_after, balance_before,
                                amount, balance_before + amount)
                  ELSE 'takes effect before the entry before it' END AS what
        FROM (SELECT account_id, account_version, transaction_id, amount, balance_after,
                     effective_at,
                     coalesce(lag(account_version) OVER chain, 0) AS version_before,
                     coalesce(lag(balance_after) OVER chain, 0) AS balance_before,
                     lag(effective_at) OVER chain AS effective_before
                FROM ledger_entry
              WINDOW chain AS (PARTITION BY account_id ORDER BY account_version)) AS entry
       WHERE account_version <> version_before + 1
          OR balance_after <> balance_before + amount
          OR effective_at < effective_before`,
  },
  {
    name: 'held amount',
    query: sql`
      SELECT coalesce(account.id, hold.account_id)::text AS id,
             format('says %s held; its holds say %s', account.held, coalesce(hold.sum, 0)) AS what
        FROM ledger_account AS account
        FULL JOIN (SELECT account_id, sum(amount) AS sum FROM ledger_hold
                    WHERE state = 'held' GROUP BY account_id) AS hold
          ON hold.account_id = account.id
       WHERE account.held IS DISTINCT FROM coalesce(hold.sum, 0)`,
  },
  {
    name: 'captured hold',
    query: sql`
      SELECT hold.id::text AS id,
             format('is captured by transaction %s, which does not touch account %s',
                    hold.transaction_id, hold.account_id) AS what
        FROM ledger_hold AS hold
       WHERE hold.state = 'captured'
         AND NOT EXISTS (SELECT FROM ledger_entry AS entry
                          WHERE entry.transaction_id = hold.transaction_id
                            AND entry.account_id = hold.account_id)`,
  },
  {
    name: 'least available',
    query: sql`
      SELECT id::text AS id, format('has %s available; the least allowed is %s', posted - held,
                                    min_available) AS what
        FROM ledger_account WHERE posted - held < min_available`,
  },
  {
    name: 'monthly total',
    query: sql`
      SELECT account_id::text AS id,
             format('%s in %s: says debit %s, credit %s, count %s; the entries say %s, %s, %s', kind,
                    to_char(month, 'YYYY-MM'), coalesce(total.debit, 0), coalesce(total.credit, 0),
                    coalesce(total.count, 0), coalesce(counted.debit, 0),
                    coalesce(counted.credit, 0), coalesce(counted.count, 0)) AS what
        FROM ledger_total AS total
        FULL JOIN (
          SELECT entry.account_id, one.kind,
                 date_trunc('month', entry.effective_at AT TIME ZONE calendar.time_zone)::date
                   AS month,
                 sum(greatest(-entry.amount, 0)) AS debit, sum(greatest(entry.amount, 0)) AS credit,
                 count(*) AS count
            FROM ledger_entry AS entry
            JOIN ledger_transaction AS one ON one.id = entry.transaction_id
           CROSS JOIN ledger_calendar AS calendar
           GROUP BY 1, 2, 3) AS counted USING (account_id, month, kind)
       WHERE (total.debit, total.credit, total.count)
             IS DISTINCT FROM (counted.debit, counted.credit, counted.count)`,
  },
];
