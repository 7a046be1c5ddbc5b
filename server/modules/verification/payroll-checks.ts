import { sql } from 'kysely';
import { linesHash } from '#server/modules/payroll/index.ts';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts, fact, isoTime } from './records.ts';

/** SQL of the kind that the postings of a batch have. */
const KIND = sql`CASE WHEN batch.funding_type IS NULL THEN 'payroll' ELSE 'funding' END`;

/** That every paid line is in the ledger once, and batches are what was sent. */
export const payrollChecks: readonly ScopedCheck[] = [
  {
    name: 'payroll-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN payroll_line AS line ON line.id = posting.subject_id
            LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
            LEFT JOIN wallet ON wallet.id = line.wallet_id
            LEFT JOIN ledger_entry AS entry
              ON entry.transaction_id = posting.id AND entry.account_id = wallet.ledger_account_id`,
          where: sql`posting.kind IN ('payroll', 'funding') AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`line.id IS NULL`, 'pays no line of a payroll'],
            [
              sql`posting.kind <> ${KIND}`,
              sql`format('is of the kind %s; the batch %s is of the kind %s', posting.kind,
                         batch.number, ${KIND})`,
            ],
            [
              sql`line.ledger_transaction_id IS DISTINCT FROM posting.id`,
              sql`format('pays the line %s, which is %s by the posting %s', line.id, line.status,
                         line.ledger_transaction_id)`,
            ],
            [
              sql`entry.amount IS DISTINCT FROM line.amount_minor`,
              sql`format('moves %s on the wallet''s account; the line %s is of %s',
                         coalesce(entry.amount, 0), line.id, line.amount_minor)`,
            ],
            [
              sql`posting.reference <> CASE WHEN batch.funding_type IS NOT NULL
                    THEN format('IF-%s', batch.number)
                    ELSE format('PAY-%s-%s', batch.number,
                    lpad(line.line_number::text, greatest(4, length(line.line_number::text)), '0')) END`,
              sql`format('has the reference %s; its line is number %s of the batch %s',
                         posting.reference, line.line_number, batch.number)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM batch.created_by`,
              sql`format('was posted by %s; the batch %s was sent by %s', posting.actor_id,
                         batch.number, batch.created_by)`,
            ],
          ],
        }),
        faulty({
          id: sql`line.id`,
          from: sql`payroll_line AS line
            LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
            LEFT JOIN ledger_transaction AS posting ON posting.id = line.ledger_transaction_id`,
          where: sql`${scope.batches('line.batch_id')}`,
          faults: [
            [
              sql`line.status = 'processed' AND posting.id IS NULL`,
              'is marked as paid and was not posted',
            ],
            [
              sql`line.status <> 'processed' AND line.ledger_transaction_id IS NOT NULL`,
              sql`format('is %s and names the posting %s', line.status, line.ledger_transaction_id)`,
            ],
            [
              sql`posting.id IS NOT NULL AND (posting.kind, posting.subject_id)
                  IS DISTINCT FROM (${KIND}, line.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'payroll-line',
    query: (scope) =>
      faulty({
        id: sql`line.id`,
        from: sql`payroll_line AS line
          LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
          LEFT JOIN wallet ON wallet.id = line.wallet_id
          LEFT JOIN ledger_account AS account ON account.id = wallet.ledger_account_id`,
        where: sql`${scope.batches('line.batch_id')}`,
        faults: [
          [
            sql`line.amount_minor IS DISTINCT FROM batch.amount_minor`,
            sql`format('is of %s; its batch %s pays %s', line.amount_minor, batch.number,
                       batch.amount_minor)`,
          ],
          [
            sql`line.status NOT IN ('draft', 'processed', 'skipped', 'failed')`,
            sql`format('is %s, which nothing in Purser makes it', line.status)`,
          ],
          [
            sql`(line.status = 'skipped') <> (line.line_number > batch.payable_count)
                OR (line.status = 'skipped') <> (line.wallet_id IS NULL)`,
            sql`format('is number %s and %s, with the wallet %s; the batch %s has %s to pay',
                       line.line_number, line.status, line.wallet_id, batch.number,
                       batch.payable_count)`,
          ],
          [
            sql`line.wallet_id IS NOT NULL AND wallet.user_id IS DISTINCT FROM line.user_id`,
            sql`format('of %s goes to a wallet of %s', line.user_id, wallet.user_id)`,
          ],
          [
            sql`wallet.type <> batch.wallet_type OR account.currency <> batch.currency`,
            sql`format('goes to a wallet of the type %s in %s; the batch %s pays %s in %s',
                       wallet.type, account.currency, batch.number, batch.wallet_type,
                       batch.currency)`,
          ],
        ],
      }),
  },
  {
    name: 'payroll-batch',
    query: (scope) =>
      faulty({
        id: sql`batch.id`,
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
        where: sql`${scope.batches('batch.id')}`,
        faults: [
          [
            sql`(line.lines, line.last, line.skipped, line.total_minor) IS DISTINCT FROM
                (batch.payable_count + batch.skipped_count::bigint,
                 batch.payable_count + batch.skipped_count, batch.skipped_count::bigint,
                 batch.total_minor::numeric)`,
            sql`format('says %s to pay, %s skipped, %s in all; its lines say %s, %s, %s',
                       batch.payable_count, batch.skipped_count, batch.total_minor,
                       coalesce(line.lines - line.skipped, 0), coalesce(line.skipped, 0),
                       coalesce(line.total_minor, 0))`,
          ],
          [
            sql`(line.paid, line.failed, line.paid_minor) IS DISTINCT FROM
                (batch.paid_count::bigint, batch.failed_count::bigint, batch.paid_minor::numeric)`,
            sql`format('says %s paid, %s failed, %s in all; its lines say %s, %s, %s',
                       batch.paid_count, batch.failed_count, batch.paid_minor, line.paid,
                       line.failed, line.paid_minor)`,
          ],
          [
            sql`line.first_draft IS NOT NULL
                AND (batch.status IN ('completed', 'failed')
                     OR line.first_draft <= batch.posted_through)`,
            sql`format('is %s, posted through line %s; line %s is not', batch.status,
                       batch.posted_through, line.first_draft)`,
          ],
          [
            sql`batch.status IN ('completed', 'failed')
                AND (batch.status = 'completed') <> (batch.paid_count > 0)`,
            sql`format('is %s with %s paid', batch.status, batch.paid_count)`,
          ],
        ],
      }),
  },
  {
    name: 'payroll-record',
    query: (scope) =>
      faulty({
        id: sql`batch.id`,
        from: sql`payroll_batch AS batch
          LEFT JOIN audit_event AS sent
            ON sent.subject_id = batch.id AND sent.subject_type = 'payroll_batch'
           AND sent.action = 'payroll.sent'
          LEFT JOIN (SELECT batch_id, ${linesHash('line')} AS hash FROM payroll_line AS line
                      WHERE ${scope.batches('line.batch_id')} GROUP BY batch_id) AS line
            ON line.batch_id = batch.id
         CROSS JOIN LATERAL (SELECT ${changedFacts('sent', {
           number: sql`batch.number`,
           name: sql`batch.name`,
           payPeriod: sql`batch.pay_period`,
           walletType: sql`batch.wallet_type`,
           department: sql`batch.department`,
           amountMinor: sql`batch.amount_minor`,
           currency: sql`batch.currency`,
           totalMinor: sql`batch.total_minor`,
           payable: sql`batch.payable_count`,
           skipped: sql`batch.skipped_count`,
           needsApproval: sql`batch.needs_approval`,
           previewHash: sql`encode(batch.preview_hash, 'hex')`,
           linesHash: sql`line.hash`,
           at: isoTime('batch.created_at'),
         })} AS names) AS changed`,
        where: sql`${scope.batches('batch.id')}`,
        faults: [
          [sql`sent.id IS NULL`, 'has no record of being sent'],
          [
            sql`sent.actor_id IS DISTINCT FROM batch.created_by 
                OR sent.actor_role NOT IN ('admin', 'apiKey')`,
            sql`format('was sent by %s; its record names %s', batch.created_by, sent.actor_id)`,
          ],
          [
            sql`${fact('sent', 'fundingType')} IS DISTINCT FROM batch.funding_type`,
            sql`format('has the funding type %s; its record says %s', batch.funding_type,
                       ${fact('sent', 'fundingType')})`,
          ],
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was sent with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'payroll-history',
    query: (scope) =>
      union(
        faulty({
          id: sql`batch.id`,
          from: sql`payroll_batch AS batch
            LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, action, details
                         FROM audit_event
                        WHERE subject_type = 'payroll_batch'
                          AND action IN ('payroll.sent', 'payroll.completed', 'payroll.failed',
                                         'payroll.retried')
                          AND ${scope.batches('subject_id')}
                        ORDER BY subject_id, id DESC) AS latest ON latest.subject_id = batch.id`,
          where: sql`${scope.batches('batch.id')}`,
          faults: [
            [
              sql`CASE WHEN batch.status IN ('completed', 'failed')
                       THEN latest.action IS DISTINCT FROM 'payroll.' || batch.status
                       ELSE latest.action IN ('payroll.completed', 'payroll.failed') END`,
              sql`format('is %s; its newest record is %s', batch.status, latest.action)`,
            ],
            [
              sql`batch.status IN ('completed', 'failed')
                  AND (${fact('latest', 'paid')} <> batch.paid_count::text
                       OR ${fact('latest', 'failed')} <> batch.failed_count::text
                       OR ${fact('latest', 'paidMinor')} <> batch.paid_minor::text
                       OR ${fact('latest', 'at')} <> ${isoTime('batch.processed_at')})`,
              sql`format('says %s paid, %s failed, %s in all, at %s; its record says %s, %s, %s, %s',
                         batch.paid_count, batch.failed_count, batch.paid_minor,
                         ${isoTime('batch.processed_at')}, ${fact('latest', 'paid')},
                         ${fact('latest', 'failed')}, ${fact('latest', 'paidMinor')},
                         ${fact('latest', 'at')})`,
            ],
          ],
        }),
        faulty({
          id: sql`batch.id`,
          from: sql`payroll_batch AS batch
            LEFT JOIN audit_event AS approved
              ON approved.subject_id = batch.id AND approved.subject_type = 'payroll_batch'
             AND approved.action = 'payroll.approved'
            LEFT JOIN audit_event AS declined
              ON declined.subject_id = batch.id AND declined.subject_type = 'payroll_batch'
             AND declined.action = 'payroll.declined'
            LEFT JOIN audit_event AS stopped
              ON stopped.subject_id = batch.id AND stopped.subject_type = 'payroll_batch'
             AND stopped.action = 'payroll.stopped'
            LEFT JOIN audit_event AS discarded
              ON discarded.subject_id = batch.id AND discarded.subject_type = 'payroll_batch'
             AND discarded.action = 'payroll.discarded'`,
          where: sql`${scope.batches('batch.id')}`,
          faults: [
            [
              sql`batch.approved_by IS DISTINCT FROM approved.actor_id
                  OR ${fact('approved', 'at')} <> ${isoTime('batch.approved_at')}`,
              sql`format('was approved by %s; its record names %s', batch.approved_by,
                         approved.actor_id)`,
            ],
            [
              sql`approved.actor_role <> 'admin'
                  OR batch.approved_alone <> (coalesce(${fact('approved', 'isAlone')}, 'false') = 'true')
                  OR (approved.actor_id = batch.created_by AND NOT batch.approved_alone)`,
              sql`format('was approved by %s, who could not approve it', approved.actor_id)`,
            ],
            [
              // A record without a reason is older than these columns.
              sql`batch.decline_reason IS DISTINCT FROM ${fact('declined', 'reason')}
                  OR batch.declined_by IS DISTINCT FROM
                    CASE WHEN ${fact('declined', 'reason')} IS NOT NULL THEN declined.actor_id END
                  OR ${isoTime('batch.declined_at')} IS DISTINCT FROM
                    CASE WHEN ${fact('declined', 'reason')} IS NOT NULL
                         THEN ${fact('declined', 'at')} END`,
              sql`format('was declined by %s; its record names %s', batch.declined_by,
                         declined.actor_id)`,
            ],
            [
              sql`batch.stopped_by IS DISTINCT FROM stopped.actor_id
                  OR ${fact('stopped', 'at')} IS DISTINCT FROM ${isoTime('batch.stopped_at')}`,
              sql`format('was stopped by %s; its record names %s', batch.stopped_by,
                         stopped.actor_id)`,
            ],
            [
              sql`batch.discarded_by IS DISTINCT FROM discarded.actor_id
                  OR ${fact('discarded', 'at')} IS DISTINCT FROM ${isoTime('batch.discarded_at')}`,
              sql`format('was discarded by %s; its record names %s', batch.discarded_by,
                         discarded.actor_id)`,
            ],
            [
              sql`batch.needs_approval AND batch.approved_by IS NULL
                  AND (batch.status NOT IN ('draft', 'pending')
                       OR (batch.status = 'draft') <> (declined.id IS NOT NULL))`,
              sql`format('waits for a second admin and is %s', batch.status)`,
            ],
          ],
        }),
        faulty({
          id: sql`sent.subject_id`,
          from: sql`audit_event AS sent
            LEFT JOIN payroll_batch AS batch ON batch.id = sent.subject_id`,
          where: sql`sent.subject_type = 'payroll_batch' AND sent.action = 'payroll.sent'
            AND ${scope.batches('sent.subject_id')}`,
          faults: [[sql`batch.id IS NULL`, 'was sent and does not exist']],
        }),
      ),
  },
];
