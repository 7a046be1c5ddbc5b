import { sql } from 'kysely';
import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { awaitInOrder, allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { alreadyPaid, checkSeen, periodNow } from './already-paid.ts';
import type { PaidSummary } from './already-paid.ts';
import { acknowledgedBy, checkAcknowledged } from './acknowledge.ts';
import { lockConfirming } from './confirming-lock.ts';
import { DECIDING_MS, decideLines, PAYABLE, reviewedHash } from './decide-lines.ts';
import type { Comparison } from './last-payroll.ts';
import { comparisonOf } from './last-payroll.ts';
import { readBatchFacts } from './lines-hash.ts';
import { checkLimits, checkPayable, readOrder } from './order.ts';
import type { OrderCounts, PayrollOrder } from './order.ts';
import { checkNotAddedByKey, countSent } from './count-sent.ts';
import { getPayrollBatch } from './queries.ts';
import { batchName, payPeriod, sendsAt } from './rules.ts';
import { readSentBatch, sentMeanwhile } from './sent-batch.ts';

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
 *   period has paid them otherwise than was seen; `differences_not_acknowledged`; `pay_date_past`
 */
export async function sendPayroll(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  body: RouteArguments<'adminSendPayroll'>['body'],
): Promise<PayrollBatch> {
  const settings = await readSettings(tx);
  const today = dayIn(settings.timeZone, services.clock.now());
  const order = readOrder(body, settings.currency, today);
  return sendOrder(tx, services, by, { order, settings, ...body });
}

/** An order with the hash of its preview, and the hash of the earlier payments that the sender saw, in hex. */
export interface Confirmed {
  order: PayrollOrder;
  settings: CompanySettings;
  previewHash: string;
  alreadyPaidHash?: string | undefined;
  /** The administrator who last changed its amounts; null: its sender, or nobody. */
  amountsBy?: string | null;
  /** Facts for the audit trail besides those of every payroll. */
  details?: AuditDetails;
}

/**
 * Confirms a previewed order, of the form or of a draft.
 *
 * @throws {AppError} as `sendPayroll`
 */
export async function sendOrder(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  confirmed: Confirmed,
): Promise<PayrollBatch> {
  await beginConfirming(tx);
  // After the lock, so that it knows what those before it sent alone.
  const approvalFromMinor = await readThreshold(tx, confirmed.settings, 'payroll');
  const { id } = await makeBatch(tx, services, by, {
    ...confirmed,
    id: newId(),
    approvalFromMinor,
  });
  return getPayrollBatch(tx, id, by.actor.id);
}

/** Batches that one confirmation makes. */
export interface Together {
  /** The first of them. */
  id: string;
  /** Sum of all in minor units. */
  minor: bigint;
  /** Those that were made before this one. */
  made: readonly string[];
}

interface Making extends Confirmed {
  id: string;
  /** Least total, in minor units, that a second admin approves; null: none. */
  approvalFromMinor: bigint | null;
  /** Left out: it is confirmed alone. */
  together?: Together;
}

/**
 * Makes the batch of a confirmed order, by a transaction that has begun with `beginConfirming`.
 *
 * @throws {AppError} as `sendPayroll`
 */
export async function makeBatch(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  {
    id,
    order,
    settings,
    previewHash,
    alreadyPaidHash,
    amountsBy = null,
    details,
    approvalFromMinor,
    together,
  }: Making,
): Promise<{ id: string; totalMinor: bigint }> {
  const now = services.clock.now();
  const comparison = await comparisonOf(tx, settings, order, now);
  const outcome = await insertBatch(tx, {
    id,
    comparison,
    amountsBy,
    together,
    order,
    settings,
    approvalFromMinor,
    hash: previewHash,
    seenPaidHash: alreadyPaidHash ?? null,
    createdBy: by.actor.id,
    now,
  });
  checkPayable(order, outcome);
  checkLimits({ ...outcome, currency: order.currency }, settings);
  if (outcome.sentMeanwhileId !== null) {
    throw sentMeanwhile(await readSentBatch(tx, outcome.sentMeanwhileId));
  }
  if (!outcome.isMade) {
    if (outcome.isReviewed) {
      checkSeen(outcome, alreadyPaidHash);
      checkAcknowledged(outcome.groups, outcome.acknowledged);
    }
    throw new AppError('preview_stale');
  }

  await checkNotAddedByKey(tx, by, { settings, batchId: id });
  const used = await countSent(tx, by, {
    settings,
    amountMinor: outcome.totalMinor,
    isAlone: approvalFromMinor !== null && !outcome.needsApproval,
  });
  if (!used.isWithin) throw new AppError('conflict');
  if (!outcome.needsApproval) enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  journal(tx, by, payrollBatch, outcome.needsApproval ? 'sendToApprove' : 'send', {
    id,
    userId: by.actor.id,
    at: now,
    details: {
      walletType: order.walletType,
      department: order.department,
      ...(order.amountMinor !== null && { amountMinor: order.amountMinor.toString() }),
      ...(order.payOn !== null && { payOn: order.payOn }),
      currency: order.currency,
      totalMinor: outcome.totalMinor.toString(),
      payable: outcome.payableCount,
      skipped: outcome.skippedCount,
      needsApproval: outcome.needsApproval,
      ...(amountsBy !== null && { amountsBy }),
      ...(together !== undefined && {
        togetherId: together.id,
        togetherMinor: together.minor.toString(),
      }),
      ...(comparison.last !== null && {
        comparedOn: comparison.last.on,
        comparedWith: comparison.last.batchIds,
        comparedPercent: comparison.percent,
        differences: outcome.groups,
        acknowledged: outcome.groups.map(
          (group) => `${group} ${outcome.acknowledged[group] ?? ''}`,
        ),
      }),
      ...details,
      ...used.facts,
      ...(await readBatchFacts(tx, id)),
    },
    words: {},
  });
  return { id, totalMinor: outcome.totalMinor };
}

/** Lets the transaction take longer than other requests, and confirm alone. */
export async function beginConfirming(tx: Tx): Promise<void> {
  await awaitInOrder([allowStatements(tx, DECIDING_MS), lockConfirming(tx)]);
}

interface NewBatch {
  id: string;
  comparison: Comparison;
  order: PayrollOrder;
  settings: CompanySettings;
  /** Least total, in minor units, that a second admin approves; null: none. */
  approvalFromMinor: bigint | null;
  /** Hash of the reviewed preview, hex. */
  hash: string;
  /** Hash of the earlier payments that the sender saw, hex. */
  seenPaidHash: string | null;
  createdBy: string;
  amountsBy: string | null;
  together: Together | undefined;
  now: Date;
}

interface InsertOutcome extends PaidSummary, OrderCounts {
  /** True if the order and the people are those that were reviewed. */
  isReviewed: boolean;
  /** Differences that have to be acknowledged, and those that the sender has, each with the moment. */
  groups: PayrollDifference[];
  acknowledged: Partial<Record<PayrollDifference, string>>;
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
  const { id, order, settings, now, comparison, together } = batch;
  const { last, percent } = comparison;
  const acknowledged = acknowledgedBy(batch.createdBy, batch.hash);
  const postAfter = sendsAt(settings, order.payOn, now);
  const reviewed = sql`decode(${batch.hash}, 'hex')`;
  const period = periodNow(settings, now);
  const { rows } = await sql<InsertOutcome>`
    WITH ${decideLines(order, period, comparison)}, ${alreadyPaid(PAYABLE, period, together?.made)}, batch AS (
      INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
        amount_minor, currency, status, preview_hash, payable_count, skipped_count, total_minor,
        created_by, created_at, post_after, started_at, updated_at, needs_approval, pay_on,
        compared_on, compared_with, compared_percent, differences, amounts_by, together_id,
        together_minor)
      SELECT ${id}::uuid, lpad(next.number, greatest(4, length(next.number)), '0'),
             ${batchName(order, now, settings.timeZone)},
             ${payPeriod(order.payOn, now, settings.timeZone)}, ${order.description}, ${order.walletType},
             ${order.department}, ${order.amountMinor}, ${order.currency},
             CASE WHEN next.is_waiting OR next.needs_approval THEN 'pending' ELSE 'processing' END, summary.hash, payable_count, skipped_count,
             total_minor, ${batch.createdBy}::uuid, ${now}::timestamptz, next.post_after,
             CASE WHEN NOT next.is_waiting AND NOT next.needs_approval
                  THEN ${now}::timestamptz END, ${now}::timestamptz, next.needs_approval,
             ${order.payOn}::date, ${last?.on ?? null}::date, ${last?.batchIds ?? null}::uuid[],
             ${last === null ? null : percent}::integer, CASE WHEN ${last !== null} THEN groups END,
             ${batch.amountsBy}::uuid, ${together?.id ?? null}::uuid, ${together?.minor ?? null}::bigint
        FROM summary CROSS JOIN paid_summary CROSS JOIN difference CROSS JOIN LATERAL (
          SELECT nextval('payroll_batch_number_seq')::text AS number,
                 ${postAfter} AS post_after, ${postAfter} > ${now}::timestamptz AS is_waiting,
                 coalesce(total_minor >= ${batch.approvalFromMinor}::numeric, false) AS needs_approval
           WHERE payable_count > 0
             AND most_minor <= ${settings.payrollLineLimitMinor}::numeric
             AND total_minor <= ${settings.payrollBatchLimitMinor}::numeric
        ) AS next
       WHERE summary.hash = ${reviewed} AND (paid_hash IS NULL OR paid_hash = ${batch.seenPaidHash})
         AND ${acknowledged} ?& groups
      RETURNING id, needs_approval
    ), line AS (
      INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, breakdown, status,
                                reason)
      SELECT batch.id, line_number, user_id, wallet_id, amount_minor, breakdown,
             CASE WHEN wallet_id IS NULL THEN 'skipped' ELSE 'draft' END,
             problem
        FROM decided, batch
    )
    SELECT paid_count, paid_minor, paid_hash, summary.hash = ${reviewed} AS is_reviewed, groups,
           ${acknowledged} AS acknowledged,
           payable_count, skipped_count, outside_count, total_minor, most_minor, EXISTS (SELECT FROM batch) AS is_made,
           coalesce((SELECT needs_approval FROM batch), false) AS needs_approval,
           -- The same lines were reviewed when one of the earlier batches, or none, was the newest.
           CASE WHEN summary.hash <> ${reviewed} AND EXISTS (
             SELECT FROM (SELECT id FROM sent_batch UNION ALL SELECT NULL) AS earlier
              WHERE ${reviewedHash(sql`lines_hash`, sql`earlier.id`)} = ${reviewed}
           ) THEN newest_batch_id END AS sent_meanwhile_id
      FROM summary, paid_summary, difference`.execute(tx);
  return invariant(rows[0], 'an aggregate without a row');
}
