import { sql } from 'kysely';
import type { FundingType } from '#contract/funding.ts';
import type { PayrollBatch } from '#contract/api.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import { personOf } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { invariant } from '#server/lib/errors.ts';
import { act, actsOf } from '#server/modules/acts/index.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import type { Doing, Effect, Kept, KeptRow } from '#server/modules/acts/index.ts';
import { uncountAlone } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkAcknowledgedBy } from './acknowledge.ts';
import { waitsForApproval } from './approval.ts';
import type { BatchRow } from './rows.ts';
import { returnToDraft } from './drafts/draft.ts';
import { checkNotPaidOtherwise, freeLineOf } from './funding/paid-otherwise.ts';
import { getPayrollBatch } from './queries.ts';
import { checkLimits } from './order.ts';
import { readMostOf } from './send-together.ts';
import { sendsAt } from './rules.ts';

type Clocked = Pick<Services, 'clock'>;
/** Columns by which acts are legal besides the status. */
type Batch = KeptRow &
  Pick<BatchRow, 'needsApproval' | 'approvedAt' | 'discardedAt' | 'failedCount' | 'fundingType'>;
type LockedBatch = NonNullable<Awaited<ReturnType<typeof lock>>>;
type Step = Doing<LockedBatch, Clocked>;

/**
 * Work of the server at each act of a payroll batch; the acts themselves are declared in the contract. The poster
 * takes the same lock and checks the status under it (`claim-lines.ts`), so a batch is either stopped or sent.
 */
const payrollBatches: Kept<typeof payrollBatch, LockedBatch, Clocked, object, Batch> = {
  thing: payrollBatch,
  table: 'payrollBatch',
  hasNoLastAct: true,
  lock,
  facts: () => ({}),
  words: ({ name }) => ({ batch: name }),
  reasonColumn: 'declineReason',
  isLegal: {
    approve: waitsForApproval,
    decline: waitsForApproval,
    stop: (batch) => !waitsForApproval(batch),
    // A payroll becomes a draft of its own, which is discarded instead.
    discard: ({ discardedAt, fundingType }) => discardedAt === null && fundingType !== null,
    retryFailed: ({ failedCount }) => failedCount > 0,
    retryLine: ({ failedCount }) => failedCount > 0,
  },
  effects: {
    approve,
    decline: async (doing) => {
      await becomeDraft(doing);
      return { details: { reason: doing.input.reason ?? '' } };
    },
    async stop(doing) {
      await becomeDraft(doing);
      return { details: await uncountAlone(doing.tx, doing.row.id) };
    },
    discard: ({ at }) => Promise.resolve({ set: { discardedAt: at } }),
    retryFailed,
    retryLine: retryFailed,
  },
  followedBy: {
    approve: askToPost,
    retryFailed: askToPost,
    retryLine: askToPost,
    stop: (doing) => doTogether(doing, 'stop'),
    decline: (doing) => doTogether(doing, 'decline'),
  },
};

/** The acts of a payroll that somebody does without a form. */
export const payrollActs = actsOf(payrollBatches, {
  admin: (tx, _services, { actor }, id) => getPayrollBatch(tx, id, actor.id),
});

async function lock(tx: Tx, id: string, verb: string) {
  // Before the batch itself: the others of its confirmation, in the order of their ids, because they are stopped with it.
  if (verb === 'stop' || verb === 'decline') {
    await sql`
      SELECT FROM payroll_batch WHERE id = ${id} OR together_id =
             (SELECT together_id FROM payroll_batch WHERE id = ${id})
       ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  }
  return tx
    .selectFrom('payrollBatch')
    .select(['id', 'createdBy as userId', 'status', 'name', 'fundingType'])
    .select(['totalMinor', 'failedCount', 'needsApproval', 'approvedAt', 'discardedAt', 'payOn'])
    .select(['currency', 'previewHash', 'differences', 'togetherId', 'togetherMinor'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Begins the window in which it can be stopped. Its sender may approve it, once the rule about two people was
 * switched off: that took two people itself. The limits are those of the company now, and whoever approves has
 * acknowledged each difference to the last payroll themselves.
 *
 * @throws {AppError} `payroll_line_limit`, `payroll_batch_limit`, `differences_not_acknowledged`
 */
async function approve({ tx, by, row, at }: Step): Promise<Effect> {
  const approvedBy = personOf(by).actor.id;
  const isAlone = row.userId === approvedBy;
  const settings = await readSettings(tx);
  const ids = [row.id, ...(await togetherWith(tx, row))];
  const mostMinor = await readMostOf(tx, ids);
  checkLimits({ ...row, totalMinor: row.togetherMinor ?? row.totalMinor, mostMinor }, settings);
  const acknowledged = await checkAcknowledgedBy(tx, row, approvedBy);
  const postAfter = await sendingTime(tx, settings, row, at);
  return {
    set: { approvedAt: at, approvedBy, approvedAlone: isAlone, postAfter },
    details: { isAlone, ...(acknowledged.length > 0 && { acknowledged }) },
  };
}

/** The other batches of the same confirmation, by their ids. */
async function togetherWith(tx: Tx, { id, togetherId }: LockedBatch): Promise<string[]> {
  if (togetherId === null) return [];
  const others = await tx
    .selectFrom('payrollBatch')
    .select('id')
    .where('togetherId', '=', togetherId)
    .where('id', '<>', id)
    .orderBy('id')
    .execute();
  return others.map((other) => other.id);
}

/** Stops or declines the other batches of the same confirmation as well, as far as they still can be. */
async function doTogether(
  { tx, services, by, row, input: { reason } }: Step,
  verb: 'stop' | 'decline',
): Promise<void> {
  for (const id of await togetherWith(tx, row)) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const other = await lock(tx, id, verb);
    if (other?.status !== 'pending' || waitsForApproval(other) !== (verb === 'decline')) continue;
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await act(tx, services, by, payrollBatches, verb, {
      id,
      details: { with: row.id },
      ...(reason !== undefined && { reason }),
    });
  }
}

/** A payroll that pays nobody becomes a draft. The funding of one employee is asked for again instead. */
async function becomeDraft({ tx, services, by, row }: Step): Promise<void> {
  if (row.fundingType === null) await returnToDraft(tx, services, personOf(by), row.id);
  else await freeLineOf(tx, row.id);
}

/** Time at which an approved batch is sent: a funding immediately. */
async function sendingTime(
  tx: Tx,
  settings: CompanySettings,
  { fundingType, payOn }: { fundingType: FundingType | null; payOn: string | null },
  at: Date,
): Promise<Date> {
  if (fundingType !== null) return at;
  const { rows } = await sql<{ postAfter: Date }>`
    SELECT ${sendsAt(settings, payOn, at)} AS post_after`.execute(tx);
  return invariant(rows[0], 'a query without FROM gave no row').postAfter;
}

/**
 * Puts the failed lines back to be paid, or the one that the details name. Those that a funding pays stay.
 *
 * @throws {AppError} `payroll_all_paid_otherwise`
 */
async function retryFailed({ tx, row, input: { details } }: Step): Promise<Effect> {
  const only = details?.['line'];
  const again = await tx
    .updateTable('payrollLine')
    .set({ status: 'draft', reason: null })
    .where('batchId', '=', row.id)
    .where('status', '=', 'failed')
    .where('reason', 'is not', null)
    .where('paidBy', 'is', null)
    .$if(typeof only === 'number', (query) => query.where('lineNumber', '=', Number(only)))
    .returning('lineNumber')
    .execute();
  if (again.length === 0) throw new AppError('payroll_all_paid_otherwise');
  const first = again.reduce((least, line) => Math.min(least, line.lineNumber), Infinity);
  return {
    set: {
      failedCount: row.failedCount - again.length,
      postedThrough: first - 1,
      processedAt: null,
    },
    details: { lines: again.length },
  };
}

/**
 * Tries one failed line again. Those that were paid stay as they are, and other failed lines, too.
 *
 * @throws {AppError} `payroll_line_not_found`, `payroll_line_wrong_status`, `payroll_line_paid_otherwise`,
 *   `payroll_wrong_status`
 */
export async function retryLine(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { id }: { id: string },
): Promise<PayrollBatch> {
  const line = await tx
    .selectFrom('payrollLine')
    .select(['id', 'batchId', 'lineNumber'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (line === undefined) throw new AppError('payroll_line_not_found');
  await lock(tx, line.batchId, 'retryLine');
  // Read after the batch was locked, which decides its lines.
  const { status } = await tx
    .selectFrom('payrollLine')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await checkStatus(tx, payrollLine, 'retry', { id, status });
  await checkNotPaidOtherwise(tx, id);
  const details = { line: line.lineNumber };
  await act(tx, services, by, payrollBatches, 'retryLine', { id: line.batchId, details });
  return getPayrollBatch(tx, line.batchId, by.actor.id);
}

function askToPost({ tx, row }: Step): Promise<void> {
  enqueueJob(tx, { name: 'post-payroll', payload: { batchId: row.id } });
  return Promise.resolve();
}
