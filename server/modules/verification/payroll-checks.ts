import { sql } from 'kysely';
import { linesHash } from '#server/modules/payroll/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { fact, isoTime, recordCheck } from './records.ts';

/** SQL of the kind that the postings of a batch have. */
const KIND = `CASE WHEN batch.funding_type IS NULL THEN 'payroll' ELSE 'funding' END`;
const REFERENCE = `CASE WHEN batch.funding_type IS NOT NULL THEN format('IF-%s', batch.number)
  ELSE format('PAY-%s-%s', batch.number,
              lpad(line.line_number::text, greatest(4, length(line.line_number::text)), '0')) END`;

/** The checks that every paid line is in the ledger once, and batches are what was sent. */
export const payrollChecks: readonly ScopedCheck[] = [
  {
    name: 'payroll-posting',
    query: (scope) =>
      union(
        faulty({
          id: 'posting.id',
          from: `ledger_transaction AS posting
            LEFT JOIN payroll_line AS line ON line.id = posting.subject_id
            LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
            LEFT JOIN wallet ON wallet.id = line.wallet_id
            LEFT JOIN ledger_entry AS entry
              ON entry.transaction_id = posting.id AND entry.account_id = wallet.ledger_account_id`,
          where: sql`posting.kind IN ('payroll', 'funding') AND ${scope.transactions('posting.id')}`,
          faults: [
            ['line.id IS NULL', 'pays no line of a payroll'],
            [
              `posting.kind <> ${KIND}`,
              'is of the kind %s; the batch %s is of the kind %s',
              ...['posting.kind', 'batch.number', KIND],
            ],
            [
              'line.ledger_transaction_id IS DISTINCT FROM posting.id',
              'pays the line %s, which is %s by the posting %s',
              ...['line.id', 'line.status', 'line.ledger_transaction_id'],
            ],
            [
              'entry.amount IS DISTINCT FROM line.amount_minor',
              'moves %s on the account of the wallet; the line %s is of %s',
              ...['coalesce(entry.amount, 0)', 'line.id', 'line.amount_minor'],
            ],
            [
              `posting.reference <> ${REFERENCE}`,
              'has the reference %s; that of its line is %s',
              ...['posting.reference', REFERENCE],
            ],
            [
              'posting.actor_id IS DISTINCT FROM batch.created_by',
              'was posted by %s; the batch %s was sent by %s',
              ...['posting.actor_id', 'batch.number', 'batch.created_by'],
            ],
          ],
        }),
        faulty({
          id: 'line.id',
          from: `payroll_line AS line
            LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
            LEFT JOIN ledger_transaction AS posting ON posting.id = line.ledger_transaction_id`,
          where: scope.batches('line.batch_id'),
          faults: [
            [
              `CASE WHEN line.status = 'processed' THEN posting.id IS NULL
                    ELSE line.ledger_transaction_id IS NOT NULL END`,
              'is %s and names the posting %s',
              ...['line.status', 'line.ledger_transaction_id'],
            ],
            [
              `posting.id IS NOT NULL
                 AND (posting.kind, posting.subject_id) IS DISTINCT FROM (${KIND}, line.id)`,
              'names the posting %s, which is not its own',
              'posting.id',
            ],
          ],
        }),
      ),
  },
  {
    name: 'payroll-line',
    query: (scope) =>
      faulty({
        id: 'line.id',
        from: `payroll_line AS line
          LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
          LEFT JOIN wallet ON wallet.id = line.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id`,
        where: scope.batches('line.batch_id'),
        faults: [
          [
            'line.amount_minor IS DISTINCT FROM batch.amount_minor',
            'is of %s; its batch %s pays %s',
            ...['line.amount_minor', 'batch.number', 'batch.amount_minor'],
          ],
          [
            `line.status NOT IN ('draft', 'processed', 'skipped', 'failed')`,
            'is %s, which nothing in Purser makes it',
            'line.status',
          ],
          [
            `(line.status = 'skipped') <> (line.line_number > batch.payable_count)
               OR (line.status = 'skipped') <> (line.wallet_id IS NULL)`,
            'is number %s and %s, with the wallet %s; the batch %s has %s to pay',
            ...['line.line_number', 'line.status', 'line.wallet_id', 'batch.number'],
            'batch.payable_count',
          ],
          [
            'line.wallet_id IS NOT NULL AND wallet.user_id IS DISTINCT FROM line.user_id',
            'of %s goes to a wallet of %s',
            ...['line.user_id', 'wallet.user_id'],
          ],
          [
            'wallet.type <> batch.wallet_type OR account.currency <> batch.currency',
            'goes to a wallet of the type %s in %s; the batch %s pays %s in %s',
            ...['wallet.type', 'account.currency', 'batch.number', 'batch.wallet_type'],
            'batch.currency',
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
                   count(*) FILTER (WHERE status = 'processed') AS paid,
                   count(*) FILTER (WHERE status = 'failed') AS failed,
                   count(*) FILTER (WHERE status = 'skipped') AS skipped,
                   min(line_number) FILTER (WHERE status = 'draft') AS first_draft,
                   coalesce(sum(amount_minor) FILTER (WHERE status = 'processed'), 0) AS paid_minor,
                   sum(amount_minor) FILTER (WHERE status <> 'skipped') AS total_minor
              FROM payroll_line WHERE ${scope.batches('batch_id')} GROUP BY batch_id) AS line
            ON line.batch_id = batch.id`,
        where: scope.batches('batch.id'),
        faults: [
          [
            `(line.lines, line.last, line.skipped, line.total_minor) IS DISTINCT FROM
               (batch.payable_count + batch.skipped_count::bigint,
                batch.payable_count + batch.skipped_count, batch.skipped_count::bigint,
                batch.total_minor::numeric)`,
            'says %s to pay, %s skipped, %s in all; its lines say %s, %s, %s',
            ...['batch.payable_count', 'batch.skipped_count', 'batch.total_minor'],
            ...['line.lines - line.skipped', 'line.skipped', 'line.total_minor'],
          ],
          [
            `(line.paid, line.failed, line.paid_minor) IS DISTINCT FROM
               (batch.paid_count::bigint, batch.failed_count::bigint, batch.paid_minor::numeric)`,
            'says %s paid, %s failed, %s in all; its lines say %s, %s, %s',
            ...['batch.paid_count', 'batch.failed_count', 'batch.paid_minor'],
            ...['line.paid', 'line.failed', 'line.paid_minor'],
          ],
          [
            `line.first_draft IS NOT NULL AND (batch.status IN ('completed', 'failed')
                                               OR line.first_draft <= batch.posted_through)`,
            'is %s, posted through line %s; line %s is not',
            ...['batch.status', 'batch.posted_through', 'line.first_draft'],
          ],
          [
            `batch.status IN ('completed', 'failed')
               AND (batch.status = 'completed') <> (batch.paid_count > 0)`,
            'is %s with %s paid',
            ...['batch.status', 'batch.paid_count'],
          ],
        ],
      }),
  },
  recordCheck({
    name: 'payroll',
    table: 'payroll_batch',
    scope: 'batches',
    event: 'payroll.sent',
    missing: 'has no record of being sent',
    from: (scope) => sql`
      LEFT JOIN (SELECT batch_id, ${linesHash('line')} AS hash FROM payroll_line AS line
                  WHERE ${scope.batches('line.batch_id')} GROUP BY batch_id) AS line
        ON line.batch_id = thing.id`,
    facts: {
      number: 'thing.number',
      name: 'thing.name',
      payPeriod: 'thing.pay_period',
      walletType: 'thing.wallet_type',
      department: 'thing.department',
      amountMinor: 'thing.amount_minor',
      currency: 'thing.currency',
      totalMinor: 'thing.total_minor',
      payable: 'thing.payable_count',
      skipped: 'thing.skipped_count',
      needsApproval: 'thing.needs_approval',
      previewHash: `encode(thing.preview_hash, 'hex')`,
      linesHash: 'line.hash',
      at: isoTime('thing.created_at'),
    },
    faults: [
      [
        `made.actor_id IS DISTINCT FROM thing.created_by OR made.actor_role NOT IN ('admin', 'apiKey')`,
        'was sent by %s; its record names %s',
        ...['thing.created_by', 'made.actor_id'],
      ],
      [
        `${fact('made', 'fundingType')} IS DISTINCT FROM thing.funding_type`,
        'has the funding type %s; its record says %s',
        ...['thing.funding_type', fact('made', 'fundingType')],
      ],
    ],
  }),
  {
    name: 'payroll-history',
    query: (scope) =>
      union(
        faulty({
          id: 'batch.id',
          from: sql`payroll_batch AS batch
            LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, action, details
                         FROM audit_event
                        WHERE subject_type = 'payroll_batch'
                          AND action IN ('payroll.sent', 'payroll.completed', 'payroll.failed',
                                         'payroll.retried')
                          AND ${scope.batches('subject_id')}
                        ORDER BY subject_id, id DESC) AS latest ON latest.subject_id = batch.id`,
          where: scope.batches('batch.id'),
          faults: [
            [
              `CASE WHEN batch.status IN ('completed', 'failed')
                    THEN latest.action IS DISTINCT FROM 'payroll.' || batch.status
                    ELSE latest.action IN ('payroll.completed', 'payroll.failed') END`,
              'is %s; its newest record is %s',
              ...['batch.status', 'latest.action'],
            ],
            [
              `batch.status IN ('completed', 'failed')
                 AND (${fact('latest', 'paid')} <> batch.paid_count::text
                      OR ${fact('latest', 'failed')} <> batch.failed_count::text
                      OR ${fact('latest', 'paidMinor')} <> batch.paid_minor::text
                      OR ${fact('latest', 'at')} <> ${isoTime('batch.processed_at')})`,
              'says %s paid, %s failed, %s in all, at %s; its record says %s, %s, %s, %s',
              ...['batch.paid_count', 'batch.failed_count', 'batch.paid_minor'],
              ...[isoTime('batch.processed_at'), fact('latest', 'paid'), fact('latest', 'failed')],
              ...[fact('latest', 'paidMinor'), fact('latest', 'at')],
            ],
          ],
        }),
        faulty({
          id: 'batch.id',
          from: sql`payroll_batch AS batch ${sql.join(
            ['approved', 'declined', 'stopped', 'discarded'].map((past) =>
              sql.raw(`
                LEFT JOIN audit_event AS ${past}
                  ON ${past}.subject_id = batch.id AND ${past}.subject_type = 'payroll_batch'
                 AND ${past}.action = 'payroll.${past}'`),
            ),
            sql``,
          )}`,
          where: scope.batches('batch.id'),
          faults: [
            [
              `batch.approved_by IS DISTINCT FROM approved.actor_id
                 OR ${fact('approved', 'at')} <> ${isoTime('batch.approved_at')}`,
              'was approved by %s; its record names %s',
              ...['batch.approved_by', 'approved.actor_id'],
            ],
            [
              `approved.actor_role <> 'admin'
                 OR batch.approved_alone <> (coalesce(${fact('approved', 'isAlone')}, 'false') = 'true')
                 OR (approved.actor_id = batch.created_by AND NOT batch.approved_alone)`,
              'was approved by %s, who could not approve it',
              'approved.actor_id',
            ],
            [
              // A record without a reason is older than these columns.
              `batch.decline_reason IS DISTINCT FROM ${fact('declined', 'reason')}
                 OR batch.declined_by IS DISTINCT FROM
                   CASE WHEN ${fact('declined', 'reason')} IS NOT NULL THEN declined.actor_id END
                 OR ${isoTime('batch.declined_at')} IS DISTINCT FROM
                   CASE WHEN ${fact('declined', 'reason')} IS NOT NULL
                        THEN ${fact('declined', 'at')} END`,
              'was declined by %s; its record names %s',
              ...['batch.declined_by', 'declined.actor_id'],
            ],
            ...['stopped', 'discarded'].map(
              (past) =>
                [
                  `batch.${past}_by IS DISTINCT FROM ${past}.actor_id
                     OR ${fact(past, 'at')} IS DISTINCT FROM ${isoTime(`batch.${past}_at`)}`,
                  `was ${past} by %s; its record names %s`,
                  ...[`batch.${past}_by`, `${past}.actor_id`],
                ] as const,
            ),
            [
              `batch.needs_approval AND batch.approved_by IS NULL
                 AND (batch.status NOT IN ('draft', 'pending')
                      OR (batch.status = 'draft') <> (declined.id IS NOT NULL))`,
              'waits for a second admin and is %s',
              'batch.status',
            ],
          ],
        }),
        faulty({
          id: 'sent.subject_id',
          from: `audit_event AS sent LEFT JOIN payroll_batch AS batch ON batch.id = sent.subject_id`,
          where: sql`sent.subject_type = 'payroll_batch' AND sent.action = 'payroll.sent'
            AND ${scope.batches('sent.subject_id')}`,
          faults: [['batch.id IS NULL', 'was sent and does not exist']],
        }),
      ),
  },
];
