import { sql } from 'kysely';
import { bankAccountContentHash } from '#server/modules/bank-accounts/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts, fact, isoTime } from './records.ts';
import type { Within } from './scope.ts';

/** Details that the owner entered, or an admin for a person who left. */
const ENTERED = sql`action IN ('bank_account.added', 'bank_account.updated')`;
/** What makes its status. */
const STANDING = sql`(${ENTERED} OR action IN ('bank_account.verified', 'bank_account.rejected',
                                             'bank_account.returned'))`;

/**
 * SQL of the newest of those audit rows for each bank account: actions that may be repeated, of which
 * the last counts.
 */
function newest(condition: unknown, scope: Within) {
  return sql`(SELECT DISTINCT ON (subject_id) subject_id, action, actor_id, actor_role, details
                FROM audit_event
               WHERE subject_type = 'bank_account' AND ${condition}
                 AND ${scope.bankAccounts('subject_id')}
               ORDER BY subject_id, id DESC)`;
}

/** That bank accounts are what their owners entered and an admin verified. */
export const bankAccountChecks: readonly ScopedCheck[] = [
  {
    name: 'bank-account-use',
    query: (scope) =>
      faulty({
        id: sql`bank.id`,
        from: sql`bank_account AS bank
          LEFT JOIN (SELECT bank_account_id, count(*) AS requests FROM withdrawal
                      WHERE status IN ('pending', 'approved', 'processing')
                        AND ${scope.bankAccounts('bank_account_id')}
                      GROUP BY bank_account_id) AS open ON open.bank_account_id = bank.id`,
        where: sql`${scope.bankAccounts('bank.id')}`,
        faults: [
          [
            sql`bank.use_count <> coalesce(open.requests, 0)`,
            sql`format('counts %s open requests; there are %s', bank.use_count,
                       coalesce(open.requests, 0))`,
          ],
        ],
      }),
  },
  {
    name: 'bank-account-record',
    query: (scope) =>
      faulty({
        id: sql`bank.id`,
        from: sql`bank_account AS bank
          LEFT JOIN ${newest(ENTERED, scope)} AS entered ON entered.subject_id = bank.id
         CROSS JOIN LATERAL (SELECT ${changedFacts('entered', {
           last4: sql`bank.last4`,
           routingNumber: sql`bank.routing_number`,
           accountHash: sql`encode(bank.account_number_hash, 'hex')`,
           contentHash: bankAccountContentHash('bank'),
           at: isoTime('bank.submitted_at'),
         })} AS names) AS changed`,
        where: sql`${scope.bankAccounts('bank.id')}`,
        faults: [
          [sql`entered.subject_id IS NULL`, 'has no record of being added'],
          [
            sql`entered.actor_id IS DISTINCT FROM coalesce(bank.entered_by, bank.user_id)`,
            sql`format('of %s was entered by %s', coalesce(bank.entered_by, bank.user_id),
                       entered.actor_id)`,
          ],
          [
            sql`bank.entered_by IS NOT NULL AND entered.actor_role <> 'admin'`,
            sql`format('was entered for its owner by %s, who is no administrator', entered.actor_id)`,
          ],
          [
            sql`bank.entered_by = bank.decided_by AND bank.status = 'verified'`,
            sql`format('was entered and verified by %s alone', bank.entered_by)`,
          ],
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was entered with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'bank-account-history',
    query: (scope) =>
      union(
        faulty({
          id: sql`bank.id`,
          from: sql`bank_account AS bank
            LEFT JOIN ${newest(STANDING, scope)} AS standing ON standing.subject_id = bank.id
            LEFT JOIN ${newest(sql`action = 'bank_account.removed'`, scope)} AS removed
              ON removed.subject_id = bank.id
            LEFT JOIN withdrawal AS sent_back ON sent_back.id = bank.returned_withdrawal_id`,
          where: sql`${scope.bankAccounts('bank.id')}`,
          faults: [
            [
              sql`CASE bank.status
                    WHEN 'pending' THEN standing.action IN ('bank_account.verified',
                                                            'bank_account.rejected',
                                                            'bank_account.returned')
                    ELSE standing.action IS DISTINCT FROM 'bank_account.' || bank.status END`,
              sql`format('is %s; its newest record is %s', bank.status, standing.action)`,
            ],
            [
              sql`bank.status <> 'pending' AND (standing.actor_role <> 'admin'
                                                OR standing.actor_id = bank.user_id)`,
              sql`format('was decided by %s, who could not decide on it', standing.actor_id)`,
            ],
            [
              sql`bank.decided_by IS DISTINCT FROM
                  CASE WHEN bank.status <> 'pending' THEN standing.actor_id END`,
              sql`format('names %s for its decision; its record names %s', bank.decided_by,
                         CASE WHEN bank.status <> 'pending' THEN standing.actor_id END)`,
            ],
            [
              sql`bank.status <> 'pending'
                  AND ${fact('standing', 'at')} <> ${isoTime('bank.decided_at')}`,
              sql`format('was decided at %s; its record says %s', ${isoTime('bank.decided_at')},
                         ${fact('standing', 'at')})`,
            ],
            [
              sql`(bank.removed_at IS NOT NULL) <> (removed.subject_id IS NOT NULL)`,
              sql`CASE WHEN bank.removed_at IS NULL THEN 'is there; its record says it was removed'
                       ELSE 'is removed; there is no record of that' END`,
            ],
            [
              sql`removed.actor_id <> bank.user_id`,
              sql`format('of %s was removed by %s', bank.user_id, removed.actor_id)`,
            ],
            [
              sql`bank.returned_withdrawal_id IS NOT NULL
                  AND (sent_back.bank_account_id, sent_back.status)
                      IS DISTINCT FROM (bank.id, 'returned')`,
              'names a payout that was not sent back from it',
            ],
            [
              sql`bank.is_primary AND (bank.status <> 'verified' OR bank.removed_at IS NOT NULL)`,
              'is the primary one and cannot be paid to',
            ],
          ],
        }),
        faulty({
          id: sql`added.subject_id`,
          from: sql`audit_event AS added LEFT JOIN bank_account AS bank ON bank.id = added.subject_id`,
          where: sql`added.subject_type = 'bank_account' AND added.action = 'bank_account.added'
            AND ${scope.bankAccounts('added.subject_id')}`,
          faults: [[sql`bank.id IS NULL`, 'was added and does not exist']],
        }),
      ),
  },
  {
    name: 'withdrawal-destination',
    query: (scope) =>
      faulty({
        id: sql`withdrawal.id`,
        from: sql`withdrawal
          LEFT JOIN bank_account AS bank ON bank.id = withdrawal.bank_account_id
          LEFT JOIN audit_event AS requested
            ON requested.subject_id = withdrawal.id AND requested.subject_type = 'withdrawal'
           AND requested.action = 'withdrawal.requested'
          LEFT JOIN (${segments(scope)}) AS segment
            ON segment.subject_id = withdrawal.bank_account_id AND segment.id < requested.id
           AND (segment.until_id > requested.id OR segment.until_id IS NULL)`,
        where: sql`${scope.withdrawals('withdrawal.id')}`,
        faults: [
          [
            sql`bank.user_id IS DISTINCT FROM withdrawal.user_id`,
            sql`format('of %s goes to a bank account of %s', withdrawal.user_id, bank.user_id)`,
          ],
          [
            sql`requested.id IS NOT NULL
                AND segment.action IS DISTINCT FROM 'bank_account.verified'`,
            sql`format('was requested to the bank account %s, which was not verified then',
                       withdrawal.bank_account_id)`,
          ],
          [
            sql`${fact('requested', 'accountHash')} <> segment.account_hash`,
            sql`format('was requested to another account than the bank account %s had then',
                       withdrawal.bank_account_id)`,
          ],
          [
            sql`segment.last_entered_id < requested.id
                AND (withdrawal.bank_name, withdrawal.bank_last4)
                    IS DISTINCT FROM (bank.bank_name, bank.last4)`,
            sql`format('names %s %s; its bank account is %s %s', withdrawal.bank_name,
                       withdrawal.bank_last4, bank.bank_name, bank.last4)`,
          ],
        ],
      }),
  },
];

/**
 * SQL of what each bank account was from one audit row (`id`) until the next (`until_id`): the act
 * that made it so, the hash of the account that was entered last, and its newest entry of all.
 */
function segments(scope: Within) {
  return sql`
    SELECT subject_id, id, action, last_entered_id,
           lead(id) OVER (PARTITION BY subject_id ORDER BY id) AS until_id,
           first_value(details ->> 'accountHash') OVER (PARTITION BY subject_id, entries ORDER BY id)
             AS account_hash
      FROM (SELECT subject_id, id, action, details,
                   count(*) FILTER (WHERE ${ENTERED}) OVER (PARTITION BY subject_id ORDER BY id)
                     AS entries,
                   max(id) FILTER (WHERE ${ENTERED}) OVER (PARTITION BY subject_id)
                     AS last_entered_id
              FROM audit_event
             WHERE subject_type = 'bank_account' AND ${STANDING}
               AND ${scope.bankAccounts('subject_id')}) AS act`;
}
