import { sql } from 'kysely';
import { accountsIn, entriesIn, transactionsIn } from './check.ts';
import type { Check, ChecksFor, Scope } from './check.ts';

/**
 * Checks that balances, holds and totals agree with the entries and holds. When only a part of the
 * ledger is verified, an account's balance is that of its newest entry, whose chain up to the part
 * was verified before. Totals are sums over whole months and are checked only in the whole ledger.
 */
export const balanceChecks: ChecksFor = (scope) => [
  scope.afterHeight === null ? accountBalance : newestBalance(scope),
  scope.afterHeight === null ? entryChain : newEntries(scope),
  heldAmount(scope),
  capturedHold(scope),
  leastAvailable(scope),
  ...(scope.afterHeight === null ? [monthlyTotal] : []),
];

const accountBalance: Check = {
  name: 'account-balance',
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
};

const newestBalance = (scope: Scope): Check => ({
  name: accountBalance.name,
  query: sql`
    SELECT account.id::text AS id,
           format('says balance %s after %s entries, last at %s; its newest entry says %s, %s, %s',
                  account.posted, account.version, account.last_entry_at,
                  newest.balance_after, newest.account_version, newest.effective_at) AS what
      FROM ${accountsIn(scope)} AS account
      LEFT JOIN LATERAL (SELECT balance_after, account_version, effective_at FROM ledger_entry
                          WHERE account_id = account.id
                          ORDER BY account_version DESC LIMIT 1) AS newest ON true
     WHERE account.posted <> coalesce(newest.balance_after, 0)
        OR account.version <> coalesce(newest.account_version, 0)
        OR account.last_entry_at IS DISTINCT FROM newest.effective_at`,
});

/** Fault between an entry and the previous one on its account. */
const chainFault = sql`
  format('entry %s (transaction %s): ', account_version, transaction_id) ||
  CASE WHEN account_version <> version_before + 1
         THEN format('the entry before it is number %s', version_before)
       WHEN balance_after <> balance_before + amount
         THEN format('says balance %s; %s and %s make %s', balance_after, balance_before,
                     amount, balance_before + amount)
       ELSE 'takes effect before the entry before it' END`;
const isChainBroken = sql`
  (account_version <> version_before + 1 OR balance_after <> balance_before + amount
   OR effective_at < effective_before)`;

const entryChain: Check = {
  name: 'entry-chain',
  query: sql`
    SELECT account_id::text AS id, ${chainFault} AS what
      FROM (SELECT account_id, account_version, transaction_id, amount, balance_after,
                   effective_at,
                   coalesce(lag(account_version) OVER chain, 0) AS version_before,
                   coalesce(lag(balance_after) OVER chain, 0) AS balance_before,
                   lag(effective_at) OVER chain AS effective_before
              FROM ledger_entry
            WINDOW chain AS (PARTITION BY account_id ORDER BY account_version)) AS entry
     WHERE ${isChainBroken}`,
};

const newEntries = (scope: Scope): Check => ({
  name: entryChain.name,
  query: sql`
    SELECT account_id::text AS id, ${chainFault} AS what
      FROM (SELECT entry.account_id, entry.account_version, entry.transaction_id, entry.amount,
                   entry.balance_after, entry.effective_at,
                   coalesce(before.account_version, 0) AS version_before,
                   coalesce(before.balance_after, 0) AS balance_before,
                   before.effective_at AS effective_before
              FROM ${entriesIn(scope)} AS entry
              LEFT JOIN ledger_entry AS before
                ON before.account_id = entry.account_id
               AND before.account_version = entry.account_version - 1) AS entry
     WHERE ${isChainBroken}`,
});

function heldAmount(scope: Scope): Check {
  const name = 'held-amount';
  if (scope.afterHeight !== null) {
    const query: Check['query'] = sql`
      SELECT account.id::text AS id,
             format('says %s held; its holds say %s', account.held, coalesce(hold.sum, 0)) AS what
        FROM ${accountsIn(scope)} AS account
       CROSS JOIN LATERAL (SELECT sum(amount) AS sum FROM ledger_hold
                            WHERE account_id = account.id AND state = 'held') AS hold
       WHERE account.held <> coalesce(hold.sum, 0)`;
    return { name, query };
  }
  const query: Check['query'] = sql`
    SELECT coalesce(account.id, hold.account_id)::text AS id,
           format('says %s held; its holds say %s', account.held, coalesce(hold.sum, 0)) AS what
      FROM ledger_account AS account
      FULL JOIN (SELECT account_id, sum(amount) AS sum FROM ledger_hold
                  WHERE state = 'held' GROUP BY account_id) AS hold
        ON hold.account_id = account.id
     WHERE account.held IS DISTINCT FROM coalesce(hold.sum, 0)`;
  return { name, query };
}

function capturedHold(scope: Scope): Check {
  const holds =
    scope.afterHeight === null
      ? sql`ledger_hold`
      : sql`(SELECT hold.* FROM ${transactionsIn(scope)} AS one
               JOIN ledger_hold AS hold ON hold.transaction_id = one.id)`;
  return {
    name: 'captured-hold',
    query: sql`
      SELECT hold.id::text AS id,
             format('is captured by transaction %s, which does not touch account %s',
                    hold.transaction_id, hold.account_id) AS what
        FROM ${holds} AS hold
       WHERE hold.state = 'captured'
         AND NOT EXISTS (SELECT FROM ledger_entry AS entry
                          WHERE entry.transaction_id = hold.transaction_id
                            AND entry.account_id = hold.account_id)`,
  };
}

const leastAvailable = (scope: Scope): Check => ({
  name: 'least-available',
  query: sql`
    SELECT id::text AS id,
           CASE WHEN min_available IS NULL THEN 'belongs to a person and has no limit'
                ELSE format('has %s available; the least allowed is %s', posted - held,
                            min_available) END AS what
      FROM ${accountsIn(scope)} AS account
     WHERE posted - held < min_available OR (owner_id IS NOT NULL AND min_available IS NULL)`,
});

const monthlyTotal: Check = {
  name: 'monthly-total',
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
};
