import { sql } from 'kysely';
import { faulty, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { columns, fact, isoTime, newestCheck, recordCheck } from './records.ts';
import type { Within } from './scope.ts';

/** SQL of the rules of a plan as its record states them (`recordedRule`). */
const RULES = `(
  SELECT coalesce(jsonb_agg(concat_ws(' ', rule.kind, coalesce(rule.amount_minor, rule.percent_hundredths),
             CASE WHEN rule.to_wallet_id IS NULL THEN 'bank' ELSE 'wallet' END,
             coalesce(rule.to_wallet_id, rule.bank_account_id)) ORDER BY rule.position), '[]')
    FROM transfer_rule AS rule WHERE rule.plan_id = thing.id AND rule.version = thing.version)`;

/** SQL of the transfers of a run as its record states them (`recordedTransfer`); null where no rule had its turn. */
const TRANSFERS = `(
  SELECT jsonb_agg(concat_ws(' ', made.position, made.amount_minor,
             coalesce(made.wallet_move_id::text, made.withdrawal_id::text, '-')) ORDER BY made.position)
    FROM automatic_transfer AS made WHERE made.line_id = run.line_id)`;

/** Records of runs. */
const RAN = `('transfer_plan.run', 'transfer_plan.skipped', 'transfer_plan.left_out')`;

interface MadeByRule {
  table: 'wallet_move' | 'withdrawal';
  /** Column of `automatic_transfer` that names the thing. */
  linked: 'wallet_move_id' | 'withdrawal_id';
  verb: 'made' | 'requested';
  /** The thing's wallet and that of the payroll line, as columns. */
  wallet: [string, string];
  /** The thing's destination and that of its rule, as columns. */
  destination: [string, string];
}

/** Finds moves or withdrawals after a payroll line that are not as a rule of the run after it says. */
function madeByRule(scope: Within, { table, linked, verb, wallet, destination }: MadeByRule) {
  return faulty({
    id: 'thing.id',
    from: `${table} AS thing
      LEFT JOIN automatic_transfer AS made ON made.${linked} = thing.id
      LEFT JOIN transfer_run AS run ON run.line_id = made.line_id
      LEFT JOIN payroll_line AS line ON line.id = run.line_id
      LEFT JOIN transfer_rule AS rule
        ON rule.plan_id = run.plan_id AND rule.version = run.version AND rule.position = made.position`,
    where: sql`(thing.payroll_line_id IS NOT NULL OR made.line_id IS NOT NULL)
      AND ${scope[table]('thing.id')}`,
    faults: [
      ['made.line_id IS NULL', `was ${verb} by no rule`],
      unequal({
        line: ['thing.payroll_line_id', 'made.line_id'],
        amount: ['thing.amount_minor', 'made.amount_minor'],
        owner: ['thing.user_id', 'line.user_id'],
        wallet,
        destination,
      }),
    ],
  });
}

/**
 * The checks that automatic transfers follow the rules that their owner set up, that each move and each withdrawal of a
 * rule belongs to one run after one payroll line, and that a run transferred no more than was available.
 */
export const transferChecks: readonly ScopedCheck[] = [
  recordCheck({
    name: 'transfer-plan',
    table: 'transfer_plan',
    event: (scope) => sql`(
      SELECT DISTINCT ON (subject_id) subject_id, actor_id, details FROM audit_event
       WHERE subject_type = 'transfer_plan' AND action = 'transfer_plan.changed'
         AND ${scope.transfer_plan('subject_id')}
       ORDER BY subject_id, id DESC)`,
    missing: 'has no record of being set up',
    faults: [
      unequal({
        'changed by': ['thing.user_id', 'made.actor_id'],
        rules: [RULES, `made.details -> 'rules'`],
        'number of rules': ['thing.rule_count', `jsonb_array_length(made.details -> 'rules')`],
        'new browser until': [
          `coalesce(${isoTime('thing.new_browser_until')}, '')`,
          fact('made', 'newBrowserUntil'),
        ],
      }),
    ],
    facts: { ...columns('walletId', 'version'), at: isoTime('thing.changed_at') },
  }),
  newestCheck({
    name: 'transfer-plan-pause',
    table: 'transfer_plan',
    state: 'thing.paused_at IS NOT NULL',
    is: 'paused',
    begins: ['transfer_plan.paused'],
    ends: ['transfer_plan.resumed'],
    faults: [
      [
        'newest.actor_id <> thing.user_id',
        'of %s was last changed by %s',
        'thing.user_id',
        'newest.actor_id',
      ],
    ],
  }),
  newestCheck({
    name: 'transfer-plan-skip',
    table: 'transfer_plan',
    state: 'thing.skips_next',
    is: 'to be skipped',
    begins: ['transfer_plan.skip_next'],
    ends: ['transfer_plan.skip_undone', 'transfer_plan.skipped'],
  }),
  {
    name: 'automatic-transfer',
    query: (scope) =>
      union(
        madeByRule(scope, {
          table: 'wallet_move',
          linked: 'wallet_move_id',
          verb: 'made',
          wallet: ['thing.from_wallet_id', 'line.wallet_id'],
          destination: ['thing.to_wallet_id', 'rule.to_wallet_id'],
        }),
        madeByRule(scope, {
          table: 'withdrawal',
          linked: 'withdrawal_id',
          verb: 'requested',
          wallet: ['thing.wallet_id', 'line.wallet_id'],
          destination: ['thing.bank_account_id', 'rule.bank_account_id'],
        }),
        faulty({
          id: 'thing.id',
          from: `wallet_move AS thing
            LEFT JOIN wallet_move AS taken ON taken.id = thing.takes_back_id
            LEFT JOIN audit_event AS done ON done.subject_id = thing.id
                 AND done.subject_type = 'wallet_move' AND done.action = 'wallet_move.made'`,
          where: sql`thing.takes_back_id IS NOT NULL AND ${scope.wallet_move('thing.id')}`,
          faults: [
            ['taken.payroll_line_id IS NULL', 'takes back what no rule made'],
            [
              `done.actor_role <> 'admin' OR done.actor_id IS DISTINCT FROM thing.taken_back_by`,
              'was made by %s, who may not do that',
              'thing.taken_back_by',
            ],
            unequal({
              amount: ['thing.amount_minor', 'taken.amount_minor'],
              from: ['thing.from_wallet_id', 'taken.to_wallet_id'],
              to: ['thing.to_wallet_id', 'taken.from_wallet_id'],
            }),
          ],
        }),
      ),
  },
  {
    name: 'transfer-run',
    query: (scope) =>
      faulty({
        id: 'coalesce(run.line_id, done.line_id)',
        from: sql`(SELECT * FROM transfer_run WHERE ${scope.transfer_plan('plan_id')}) AS run
          FULL JOIN (
            SELECT (details ->> 'lineId')::uuid AS line_id, subject_id, actor_id, details FROM audit_event
             WHERE subject_type = 'transfer_plan' AND action IN ${sql.raw(RAN)}
               AND ${scope.transfer_plan('subject_id')}) AS done ON done.line_id = run.line_id
          LEFT JOIN payroll_line AS line ON line.id = run.line_id
          LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
          LEFT JOIN transfer_plan AS plan ON plan.id = run.plan_id
          LEFT JOIN payroll_due_transfer AS due ON due.line_id = run.line_id`,
        where: 'true',
        faults: [
          ['run.line_id IS NULL', 'has a record of a run and no run'],
          ['done.line_id IS NULL', 'has no record of its run'],
          ['due.line_id IS NOT NULL', 'ran and is still due'],
          ['batch.funding_type IS NOT NULL', 'follows a funding, which is no payroll'],
          ['done.actor_id IS NOT NULL', 'was run by %s', 'done.actor_id'],
          unequal({
            plan: ['run.plan_id', 'done.subject_id'],
            owner: ['run.user_id', 'line.user_id'],
            wallet: ['plan.wallet_id', 'line.wallet_id'],
            outcome: ['run.outcome', fact('done', 'outcome')],
            version: ['run.version::text', fact('done', 'version')],
            transfers: [TRANSFERS, `done.details -> 'transfers'`],
          }),
          [
            `run.outcome = 'made' AND (run.paid_minor::text, run.available_minor::text)
               IS DISTINCT FROM (${fact('done', 'paidMinor')}, ${fact('done', 'availableMinor')})`,
            'was recorded with other amounts',
          ],
          [
            `(SELECT coalesce(sum(amount_minor), 0) FROM automatic_transfer WHERE line_id = run.line_id)
               > run.available_minor`,
            'transferred more than the %s that was available',
            'run.available_minor',
          ],
        ],
      }),
  },
];
