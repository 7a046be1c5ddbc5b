import { sql } from 'kysely';
import { linesHash } from '#server/modules/payroll/index.ts';
import { faulty, listed, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { payrollHistory } from './histories.ts';
import { changed, columns, fact, isoDay, isoTime, recordCheck } from './records.ts';

/** SQL of the newest records of a batch with one of the events, joined under their names. */
const RECORDS = sql.join(
  [
    ['approved', ['payroll.approved']] as const,
    ['declined', ['payroll.declined']] as const,
    ['discarded', ['payroll.discarded']] as const,
    ['ended', ['payroll.completed', 'payroll.failed']] as const,
  ].map(
    ([name, events]) => sql`LEFT JOIN LATERAL (
      SELECT action, actor_id, actor_role, details FROM audit_event
       WHERE subject_type = 'payroll_batch' AND subject_id = thing.id AND action IN (${listed(events)})
       ORDER BY id DESC LIMIT 1) AS ${sql.raw(name)} ON true`,
  ),
  sql` `,
);

/** SQL of an array as a record has it. */
const list = (column: string) => `to_jsonb(${column})::text`;

/** The checks that lines are of their batch, and batches are what was sent. */
export const payrollChecks: readonly ScopedCheck[] = [
  {
    name: 'payroll-line',
    query: (scope) =>
      faulty({
        id: 'line.id',
        from: `payroll_line AS line
          LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
          LEFT JOIN wallet ON wallet.id = line.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
          LEFT JOIN payroll_line AS other ON other.batch_id = line.paid_by AND other.line_number = 1`,
        where: scope.payroll_batch('line.batch_id'),
        faults: [
          unequal({
            amount: ['line.amount_minor', 'coalesce(batch.amount_minor, line.amount_minor)'],
            place: [`line.status = 'skipped'`, 'line.line_number > batch.payable_count'],
            wallet: [`line.status = 'skipped'`, 'line.wallet_id IS NULL'],
          }),
          [
            `line.status NOT IN ('draft', 'processed', 'skipped', 'failed', 'reversed')`,
            'is %s, which nothing in Purser makes it',
            'line.status',
          ],
          [
            `line.paid_by IS NOT NULL AND (other.user_id, other.amount_minor)
               IS DISTINCT FROM (line.user_id, line.amount_minor)`,
            'of %s is paid by %s, which pays %s to %s',
            'line.user_id',
            'line.paid_by',
            'other.amount_minor',
            'other.user_id',
          ],
          [
            `line.wallet_id IS NOT NULL AND wallet.user_id IS DISTINCT FROM line.user_id
               OR wallet.type <> batch.wallet_type OR account.currency <> batch.currency`,
            'of %s goes to a wallet of %s, %s in %s',
            'line.user_id',
            'wallet.user_id',
            'wallet.type',
            'account.currency',
          ],
        ],
      }),
  },
  {
    name: 'payroll-batch',
    query: (scope) =>
      faulty({
        id: 'batch.id',
        from: sql`payroll_batch AS batch
          LEFT JOIN (
            SELECT batch_id, count(*) AS lines, max(line_number) AS last,
                   count(*) FILTER (WHERE status IN ('processed', 'reversed')) AS paid,
                   count(*) FILTER (WHERE status = 'reversed') AS reversed,
                   sum(reversed_minor) AS reversed_minor,
                   count(*) FILTER (WHERE status = 'failed') AS failed,
                   count(*) FILTER (WHERE status = 'skipped') AS skipped,
                   min(line_number) FILTER (WHERE status = 'draft') AS first_draft,
                   coalesce(sum(amount_minor) FILTER (WHERE status IN ('processed', 'reversed')), 0)
                     AS paid_minor,
                   sum(amount_minor) FILTER (WHERE status <> 'skipped') AS total_minor
              FROM payroll_line WHERE ${scope.payroll_batch('batch_id')} GROUP BY batch_id) AS line
            ON line.batch_id = batch.id`,
        where: scope.payroll_batch('batch.id'),
        faults: [
          unequal({
            lines: ['batch.payable_count + batch.skipped_count', 'line.lines'],
            'last line': ['batch.payable_count + batch.skipped_count', 'line.last'],
            skipped: ['batch.skipped_count', 'line.skipped'],
            total: ['batch.total_minor', 'line.total_minor'],
            paid: ['batch.paid_count', 'line.paid'],
            failed: ['batch.failed_count', 'line.failed'],
            'paid total': ['batch.paid_minor', 'line.paid_minor'],
            'taken back': ['batch.reversed_count', 'line.reversed'],
            'total taken back': ['batch.reversed_minor', 'line.reversed_minor'],
          }),
          [
            `line.first_draft IS NOT NULL AND (batch.status IN ('completed', 'failed')
                                               OR line.first_draft <= batch.posted_through)`,
            'is %s, posted through line %s; line %s is not',
            'batch.status',
            'batch.posted_through',
            'line.first_draft',
          ],
          [
            `batch.status IN ('completed', 'failed')
               AND (batch.status = 'completed') <> (batch.paid_count > 0)`,
            'is %s with %s paid',
            'batch.status',
            'batch.paid_count',
          ],
        ],
      }),
  },
  recordCheck({
    name: 'payroll',
    table: 'payroll_batch',
    event: 'payroll.sent',
    missing: 'has no record of being sent',
    from: (scope) => sql`
      LEFT JOIN (SELECT batch_id, ${linesHash('line')} AS hash FROM payroll_line AS line
                  WHERE ${scope.payroll_batch('line.batch_id')} GROUP BY batch_id) AS line
        ON line.batch_id = thing.id`,
    facts: {
      ...columns('number', 'name', 'payPeriod', 'walletType', 'department', 'amountMinor'),
      ...columns('currency', 'totalMinor', 'needsApproval'),
      payable: 'thing.payable_count',
      skipped: 'thing.skipped_count',
      previewHash: `encode(thing.preview_hash, 'hex')`,
      linesHash: 'line.hash',
      at: isoTime('thing.created_at'),
    },
    faults: [
      unequal({
        sender: ['thing.created_by', 'made.actor_id'],
        'sender with rights': [`made.actor_role IN ('admin', 'apiKey')`, 'true'],
        'funding type': ['thing.funding_type', fact('made', 'fundingType')],
        'pay date': [isoDay('thing.pay_on'), fact('made', 'payOn')],
        'confirmed together with': ['thing.together_id::text', fact('made', 'togetherId')],
        'total confirmed together': ['thing.together_minor::text', fact('made', 'togetherMinor')],
        'who changed amounts': ['thing.amounts_by::text', fact('made', 'amountsBy')],
        'day compared with': [isoDay('thing.compared_on'), fact('made', 'comparedOn')],
        'payrolls compared with': [list('thing.compared_with'), fact('made', 'comparedWith')],
        'percent compared by': ['thing.compared_percent::text', fact('made', 'comparedPercent')],
        differences: [list('thing.differences'), fact('made', 'differences')],
        'line that it pays in place of': [
          '(SELECT line.id::text FROM payroll_line AS line WHERE line.paid_by = thing.id)',
          `CASE WHEN thing.status <> 'draft' THEN ${fact('made', 'paysLine')} END`,
        ],
      }),
    ],
  }),
  {
    name: payrollHistory.name,
    query: (scope) =>
      union(
        payrollHistory.query(scope),
        faulty({
          id: 'thing.id',
          from: sql`payroll_batch AS thing ${RECORDS}`,
          where: scope.payroll_batch('thing.id'),
          faults: [
            unequal({
              approver: ['thing.approved_by', 'approved.actor_id'],
              'approver with rights': [`coalesce(approved.actor_role, 'admin')`, `'admin'`],
              'approved alone': [
                'thing.approved_alone',
                `coalesce(${fact('approved', 'isAlone')}, 'false') = 'true'`,
              ],
              reason: ['thing.decline_reason', fact('declined', 'reason')],
              discarded: [isoTime('thing.discarded_at'), fact('discarded', 'at')],
            }),
            changed('approved', { at: isoTime('thing.approved_at') }),
            [
              'approved.actor_id = thing.created_by AND NOT thing.approved_alone',
              'was approved by %s, who could not approve it',
              'approved.actor_id',
            ],
            [
              `thing.needs_approval AND thing.approved_by IS NULL
                 AND (thing.status NOT IN ('draft', 'pending')
                      OR (thing.status = 'draft') <> (declined.action IS NOT NULL))`,
              'waits for a second admin and is %s',
              'thing.status',
            ],
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`payroll_batch AS thing ${RECORDS}`,
          where: sql`thing.status IN ('completed', 'failed') AND ${scope.payroll_batch('thing.id')}`,
          faults: [
            changed('ended', {
              paid: 'thing.paid_count',
              failed: 'thing.failed_count',
              paidMinor: 'thing.paid_minor',
              at: isoTime('thing.processed_at'),
            }),
          ],
        }),
      ),
  },
];
