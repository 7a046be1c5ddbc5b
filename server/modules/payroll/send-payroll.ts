import { sql } from 'kysely';
import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { awaitInOrder } from '#server/lib/await-in-order.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { decideLines, reviewedHash } from './decide-lines.ts';
import { readBatchFacts } from './lines-hash.ts';
import { checkPayable, orderTotal, readOrder } from './order.ts';
import type { PayrollOrder } from './order.ts';
import { getPayrollBatch } from './queries.ts';
import { batchName, payPeriod } from './rules.ts';
import { readSentBatch, sentMeanwhile } from './sent-batch.ts';

const STATEMENT_TIMEOUT_MS = 120_000;
/** First half of the advisory locks under which payrolls are confirmed; any number. */
const CONFIRMING_LOCK = 7_265_003;

/**
 * Confirms a previewed payroll: makes the batch with a line for everybody, and asks for the job
 * that pays it. Nobody is paid yet when this returns. Where the company lets a payroll be cancelled
 * for a while, or lets one of this size be paid by two people alone, the batch waits as `pending`;
 * otherwise it is `processing` at once.
 *
 * One preview is confirmed once. To pay the same people again on purpose takes a fresh preview, which
 * shows what was sent before.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`, `amount_invalid`,
 *   `payroll_line_limit`, `payroll_batch_limit`, or
 *   `preview_stale` when the order or the people are not those whose hash was reviewed, or when a
 *   batch to the same people was sent since: then its details name that batch
 */
export async function sendPayroll(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  body: RouteArguments<'adminSendPayroll'>['body'],
): Promise<PayrollBatch> {
  const settings = await readSettings(tx);
  const order = readOrder(body, settings.currency);
  const id = newId();
  const now = services.clock.now();
  await beginConfirming(tx, order.walletType);
  const outcome = await insertBatch(tx, {
    id,
    order,
    settings,
    hash: body.previewHash,
    createdBy: by.actor.id,
    now,
  });
  checkPayable(order, outcome, settings);
  if (outcome.sentMeanwhileId !== null) {
    throw sentMeanwhile(await readSentBatch(tx, outcome.sentMeanwhileId));
  }
  if (!outcome.isMade) throw new AppError('preview_stale');

  recordAudit(tx, {
    by,
    action: 'payroll.sent',
    subjectType: 'payroll_batch',
    subjectId: id,
    details: {
      walletType: order.walletType,
      department: order.department,
      amountMinor: order.amountMinor.toString(),
      currency: order.currency,
      totalMinor: orderTotal(order, outcome.payableCount).toString(),
      payable: outcome.payableCount,
      skipped: outcome.skippedCount,
      needsApproval: outcome.needsApproval,
      at: now.toISOString(),
      ...(await readBatchFacts(tx, id)),
    },
  });
  if (outcome.needsApproval) {
    notifyAdmins(tx, {
      kind: 'payroll-to-approve',
      message: `${by.actor.name} sent a payroll, which waits for a second administrator.`,
      relatedId: id,
      at: now,
    });
  } else {
    enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  }
  publish(tx, { topic: 'payroll', userId: null });
  return getPayrollBatch(tx, id);
}

/**
 * Puts confirmations for one type of wallet in a row until the end of their transactions: two at the
 * same moment would each decide on a snapshot without the other's batch, and both pass. A statement of
 * its own before the deciding one, so that the snapshot of that one is taken after the wait and shows
 * what the other committed. An advisory lock, because there is no row that all such batches share; by
 * type of wallet, because departments overlap ('all' holds each) and types do not.
 */
async function beginConfirming(tx: Tx, walletType: WalletType): Promise<void> {
  // A hundred thousand lines take some seconds, a million most of a minute: longer than other requests.
  await awaitInOrder([
    allowStatements(tx, STATEMENT_TIMEOUT_MS),
    sql`
      SELECT pg_advisory_xact_lock(${CONFIRMING_LOCK}, ${WALLET_TYPES.indexOf(walletType)})`.execute(
      tx,
    ),
  ]);
}

interface NewBatch {
  id: string;
  order: PayrollOrder;
  settings: CompanySettings;
  /** What was reviewed, hex. */
  hash: string;
  createdBy: string;
  now: Date;
}

interface InsertOutcome {
  payableCount: number;
  skippedCount: number;
  applicantCount: number;
  /** False when the hash is another or the order is refused: then nothing was written. */
  isMade: boolean;
  /** Whether a second admin has to approve it. */
  needsApproval: boolean;
  /** The batch that was sent since the preview, where that alone makes the hash another. */
  sentMeanwhileId: string | null;
}

/**
 * Decides the order again and, if it is still what was reviewed, writes the batch and its lines. All
 * in one statement, hence one snapshot: what is hashed is what is written.
 */
async function insertBatch(tx: Tx, batch: NewBatch): Promise<InsertOutcome> {
  const { id, order, settings, now } = batch;
  const waitMs = settings.payrollCancelSeconds * 1000;
  const isWaiting = waitMs > 0;
  const reviewed = sql`decode(${batch.hash}, 'hex')`;
  const { rows } = await sql<InsertOutcome>`
    WITH ${decideLines(order)}, batch AS (
      INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
        amount_minor, currency, status, preview_hash, payable_count, skipped_count, total_minor,
        created_by, created_at, post_after, started_at, updated_at, needs_approval)
      SELECT ${id}::uuid, lpad(next.number, greatest(4, length(next.number)), '0'),
             ${batchName(order.walletType, now, settings.timeZone)},
             ${payPeriod(now, settings.timeZone)}, ${order.description}, ${order.walletType},
             ${order.department}, ${order.amountMinor}, ${order.currency},
             CASE WHEN ${isWaiting} OR next.needs_approval THEN 'pending' ELSE 'processing' END, hash, payable_count, skipped_count,
             ${order.amountMinor}::bigint * payable_count, ${batch.createdBy}::uuid,
             ${now}::timestamptz, ${new Date(now.getTime() + waitMs)}::timestamptz,
             CASE WHEN NOT ${isWaiting} AND NOT next.needs_approval
                  THEN ${now}::timestamptz END, ${now}::timestamptz, next.needs_approval
        FROM summary, LATERAL (
          SELECT nextval('payroll_batch_number_seq')::text AS number,
                 coalesce(payable_count * ${order.amountMinor}::numeric
                          >= ${settings.separatePayrollMinor}::numeric, false) AS needs_approval
           WHERE payable_count > 0
             AND ${order.amountMinor} <= ${settings.payrollLineLimitMinor}::numeric
             AND payable_count * ${order.amountMinor}::numeric <= ${settings.payrollBatchLimitMinor}
        ) AS next
       WHERE hash = ${reviewed}
      RETURNING id, needs_approval
    ), line AS (
      INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status,
                                reason)
      SELECT batch.id, line_number, user_id, wallet_id, ${order.amountMinor},
             CASE WHEN wallet_id IS NULL THEN 'skipped' ELSE 'draft' END,
             problem
        FROM decided, batch
    )
    SELECT payable_count, skipped_count, applicant_count, EXISTS (SELECT FROM batch) AS is_made,
           coalesce((SELECT needs_approval FROM batch), false) AS needs_approval,
           -- The same lines were reviewed when one of the earlier batches, or none, was the newest.
           CASE WHEN hash <> ${reviewed} AND EXISTS (
             SELECT FROM (SELECT id FROM sent_batch UNION ALL SELECT NULL) AS earlier
              WHERE ${reviewedHash(sql`lines_hash`, sql`earlier.id`)} = ${reviewed}
           ) THEN newest_batch_id END AS sent_meanwhile_id
      FROM summary`.execute(tx);
  return invariant(rows[0], 'an aggregate without a row');
}
