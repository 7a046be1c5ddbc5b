import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { bankAccountContentHash } from '#server/modules/bank-accounts/index.ts';
import { faulty, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { bankAccountHistory } from './histories.ts';
import { changed, columns, isoTime, newestCheck, recordCheck } from './records.ts';
import type { Within } from './scope.ts';

/** Details that the owner entered, or an admin for a person who left, or that the bank corrected. */
const ENTERED = sql`action IN ('bank_account.added', 'bank_account.updated', 'bank_account.corrected')`;
/** Acts that change its status. */
const STANDING = sql`(${ENTERED} OR action IN ('bank_account.verified', 'bank_account.rejected',
                                             'bank_account.returned'))`;

/** SQL of the newest of those audit rows for each bank account; they may be repeated. */
function newest(condition: RawBuilder<unknown>, scope: Within): RawBuilder<unknown> {
  return sql`(SELECT DISTINCT ON (subject_id) subject_id, action, actor_id, actor_role, details
                FROM audit_event
               WHERE subject_type = 'bank_account' AND ${condition}
                 AND ${scope.bank_account('subject_id')}
               ORDER BY subject_id, id DESC)`;
}

const removal = newestCheck({
  name: 'bank-account-history',
  table: 'bank_account',
  state: 'thing.removed_at IS NOT NULL',
  is: 'removed',
  begins: ['bank_account.removed'],
});

/** The checks that bank accounts are what their owners entered and an admin verified. */
export const bankAccountChecks: readonly ScopedCheck[] = [
  {
    name: 'bank-account-use',
    query: (scope) =>
      faulty({
        id: 'bank.id',
        from: sql`bank_account AS bank
          LEFT JOIN (SELECT bank_account_id, count(*) AS requests FROM withdrawal
                      WHERE status IN ('pending', 'approved', 'processing')
                        AND ${scope.bank_account('bank_account_id')}
                      GROUP BY bank_account_id) AS open ON open.bank_account_id = bank.id`,
        where: scope.bank_account('bank.id'),
        faults: [unequal({ requests: ['bank.use_count', 'coalesce(open.requests, 0)'] })],
      }),
  },
  recordCheck({
    name: 'bank-account',
    table: 'bank_account',
    event: (scope) => newest(ENTERED, scope),
    missing: 'has no record of being added',
    facts: {
      ...columns('last4', 'routingNumber'),
      accountHash: `encode(thing.account_number_hash, 'hex')`,
      contentHash: bankAccountContentHash('thing'),
      at: isoTime('thing.submitted_at'),
    },
    faults: [
      [
        `CASE WHEN made.action = 'bank_account.corrected'
              THEN made.actor_id = thing.user_id OR made.actor_role <> 'admin'
              ELSE made.actor_id IS DISTINCT FROM coalesce(thing.entered_by, thing.user_id)
                OR thing.entered_by IS NOT NULL AND made.actor_role <> 'admin' END`,
        'of %s was entered by %s, %s',
        'coalesce(thing.entered_by, thing.user_id)',
        'made.actor_id',
        'made.actor_role',
      ],
      [
        `thing.entered_by = thing.moved_by AND thing.status = 'verified'`,
        'was entered and verified by %s alone',
        'thing.entered_by',
      ],
    ],
  }),
  {
    name: bankAccountHistory.name,
    query: (scope) =>
      union(
        bankAccountHistory.query(scope),
        removal.query(scope),
        faulty({
          id: 'bank.id',
          from: `bank_account AS bank
            LEFT JOIN withdrawal AS sent_back ON sent_back.id = bank.returned_withdrawal_id`,
          where: scope.bank_account('bank.id'),
          faults: [
            [
              `bank.returned_withdrawal_id IS NOT NULL
                 AND (sent_back.bank_account_id, sent_back.status)
                     IS DISTINCT FROM (bank.id, 'returned')`,
              'names a payout that was not sent back from it',
            ],
            [
              `bank.is_primary AND (bank.status <> 'verified' OR bank.removed_at IS NOT NULL)`,
              'is the primary one and cannot be paid to',
            ],
          ],
        }),
      ),
  },
  {
    name: 'withdrawal-destination',
    query: (scope) =>
      faulty({
        id: 'withdrawal.id',
        from: sql`withdrawal
          LEFT JOIN bank_account AS bank ON bank.id = withdrawal.bank_account_id
          LEFT JOIN audit_event AS requested
            ON requested.subject_id = withdrawal.id AND requested.subject_type = 'withdrawal'
           AND requested.action = 'withdrawal.requested'
          LEFT JOIN (${segments(scope)}) AS segment
            ON segment.subject_id = withdrawal.bank_account_id AND segment.id < requested.id
           AND (segment.until_id > requested.id OR segment.until_id IS NULL)`,
        where: scope.withdrawal('withdrawal.id'),
        faults: [
          unequal({ owner: ['bank.user_id', 'withdrawal.user_id'] }),
          [
            `requested.id IS NOT NULL
               AND (segment.action IN ('bank_account.verified', 'bank_account.corrected')) IS NOT TRUE`,
            'was requested to the bank account %s, which was not verified then',
            'withdrawal.bank_account_id',
          ],
          changed('requested', { accountHash: 'segment.account_hash' }),
          [
            `segment.last_entered_id < requested.id AND (withdrawal.bank_name, withdrawal.bank_last4)
               IS DISTINCT FROM (bank.bank_name, bank.last4)`,
            'names %s %s; its bank account is %s %s',
            'withdrawal.bank_name',
            'withdrawal.bank_last4',
            'bank.bank_name',
            'bank.last4',
          ],
        ],
      }),
  },
];

/**
 * SQL of what each bank account was from one audit row (`id`) until the next (`until_id`): the act that made it so, the
 * hash of the account that was entered last, and its newest entry of all.
 */
function segments(scope: Within): RawBuilder<unknown> {
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
               AND ${scope.bank_account('subject_id')}) AS act`;
}
