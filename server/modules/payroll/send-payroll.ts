import { sql } from 'kysely';
import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { awaitInOrder, allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { alreadyPaid, checkSeen, periodNow } from './already-paid.ts';
import type { PaidSummary } from './already-paid.ts';
import { lockConfirming } from './confirming-lock.ts';
import { decideLines, PAYABLE, reviewedHash } from './decide-lines.ts';
import { readBatchFacts } from './lines-hash.ts';
import { checkPayable, orderTotal, readOrder } from './order.ts';
import type { PayrollOrder } from './order.ts';
import { getPayrollBatch } from './queries.ts';
import { batchName, payPeriod } from './rules.ts';
import { readSentBatch, sentMeanwhile } from './sent-batch.ts';

const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Confirms a previewed payroll: makes the batch with a line for everybody, and asks for the job
 * that pays it. Nobody is paid yet when this returns. Where the company lets a payroll be stopped
 * for a while, or lets one of this size be paid by two people alone, the batch waits as `pending`;
 * otherwise it is `processing` immediately.
 *
 * One preview is confirmed once. To pay the same people again on purpose takes a fresh preview, which
 * shows what was sent before.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`, `amount_invalid`,
 *   `payroll_line_limit`, `payroll_batch_limit`, or
 *   `preview_stale` when the order or the people are not those whose hash was reviewed, or when a
 *   batch to the same people was sent since: then its details name that batch; `already_paid` when the pay
 *   period has paid them otherwise than was seen
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
  const approvalFromMinor = await readThreshold(tx, settings, 'payroll');
  await beginConfirming(tx);
  const outcome = await insertBatch(tx, {
    id,
    order,
    settings,
    approvalFromMinor,
    hash: body.previewHash,
    seenPaidHash: body.alreadyPaidHash ?? null,
    createdBy: by.actor.id,
    now,
  });
  checkPayable(order, outcome, settings);
  if (outcome.sentMeanwhileId !== null) {
    throw sentMeanwhile(await readSentBatch(tx, outcome.sentMeanwhileId));
  }
  if (!outcome.isMade) {
    if (outcome.isReviewed) checkSeen(outcome, body.alreadyPaidHash);
    throw new AppError('preview_stale');
  }

  if (!outcome.needsApproval) enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  journal(tx, by, payrollBatch, outcome.needsApproval ? 'sendToApprove' : 'send', {
    id,
    userId: by.actor.id,
    at: now,
    details: {
      walletType: order.walletType,
      department: order.department,
      amountMinor: order.amountMinor.toString(),
      currency: order.currency,
      totalMinor: orderTotal(order, outcome.payableCount).toString(),
      payable: outcome.payableCount,
      skipped: outcome.skippedCount,
      needsApproval: outcome.needsApproval,
      ...(await readBatchFacts(tx, id)),
    },
    words: {},
  });
  return getPayrollBatch(tx, id, by.actor.id);
}

/** A hundred thousand lines take some seconds, a million most of a minute: longer than other requests. */
async function beginConfirming(tx: Tx): Promise<void> {
  await awaitInOrder([allowStatements(tx, STATEMENT_TIMEOUT_MS), lockConfirming(tx)]);
}

interface NewBatch {
  id: string;
  order: PayrollOrder;
  settings: CompanySettings;
  /** Least total, in minor units, that a second admin approves; null: none. */
  approvalFromMinor: bigint | null;
  /** Hash of the reviewed preview, hex. */
  hash: string;
  /** Hash of the earlier payments that the sender saw, hex. */
  seenPaidHash: string | null;
  createdBy: string;
  now: Date;
}

interface InsertOutcome extends PaidSummary {
  payableCount: number;
  skippedCount: number;
  outsideCount: number;
  /** True if the order and the people are those that were reviewed. */
  isReviewed: boolean;
  /** False when the hash is another or the order is refused: then nothing was written. */
  isMade: boolean;
  /** True if a second admin has to approve it. */
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
  const period = periodNow(settings, now);
  const { rows } = await sql<InsertOutcome>`
    WITH ${decideLines(order, period)}, ${alreadyPaid(PAYABLE, period)}, batch AS (
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
        FROM summary CROSS JOIN paid_summary CROSS JOIN LATERAL (
          SELECT nextval('payroll_batch_number_seq')::text AS number,
                 coalesce(payable_count * ${order.amountMinor}::numeric
                          >= ${batch.approvalFromMinor}::numeric, false) AS needs_approval
           WHERE payable_count > 0
             AND ${order.amountMinor} <= ${settings.payrollLineLimitMinor}::numeric
             AND payable_count * ${order.amountMinor}::numeric <= ${settings.payrollBatchLimitMinor}
        ) AS next
       WHERE hash = ${reviewed} AND (paid_hash IS NULL OR paid_hash = ${batch.seenPaidHash})
      RETURNING id, needs_approval
    ), line AS (
      INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status,
                                reason)
      SELECT batch.id, line_number, user_id, wallet_id, ${order.amountMinor},
             CASE WHEN wallet_id IS NULL THEN 'skipped' ELSE 'draft' END,
             problem
        FROM decided, batch
    )
    SELECT paid_count, paid_minor, paid_hash, hash = ${reviewed} AS is_reviewed,
           payable_count, skipped_count, outside_count, EXISTS (SELECT FROM batch) AS is_made,
           coalesce((SELECT needs_approval FROM batch), false) AS needs_approval,
           -- The same lines were reviewed when one of the earlier batches, or none, was the newest.
           CASE WHEN hash <> ${reviewed} AND EXISTS (
             SELECT FROM (SELECT id FROM sent_batch UNION ALL SELECT NULL) AS earlier
              WHERE ${reviewedHash(sql`lines_hash`, sql`earlier.id`)} = ${reviewed}
           ) THEN newest_batch_id END AS sent_meanwhile_id
      FROM summary, paid_summary`.execute(tx);
  return invariant(rows[0], 'an aggregate without a row');
}
