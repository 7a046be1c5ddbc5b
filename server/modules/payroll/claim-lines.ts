import { sql } from 'kysely';
import type { FundingType } from '#contract/funding.ts';
import type { Currency } from '#contract/money.ts';
import { can } from '#contract/can.ts';
import { payrollCan } from '#contract/payroll.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import type { WalletType } from '#contract/wallets.ts';
import { awaitInOrder } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';

/** A batch being posted, its row locked. */
export interface LockedBatch {
  id: string;
  number: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  name: string;
  description: string;
  walletType: WalletType;
  currency: Currency;
  createdBy: string;
  /** Pay date; null: paid as soon as it could no longer be stopped. */
  payOn: string | null;
  payableCount: number;
  /** Every payable line up to this one is decided. */
  postedThrough: number;
  /**
   * Time from which mails to those paid are queued; null until the batch is finished for the first time.
   */
  mailedAt: Date | null;
  /** Line number up to which those mails were queued; null: all were. */
  unmailedAfter: number | null;
}

/** A line about to be decided. */
export interface ClaimedLine {
  id: string;
  lineNumber: number;
  userId: string;
  amountMinor: bigint;
  ledgerAccountId: string;
  /** Why it cannot be paid; null when it can. */
  problem: PayrollLineReason | null;
}

/**
 * Locks a batch to post it, and starts it when its waiting time is over. `undefined` when there is
 * nothing to do for the caller: no such batch, not due, not approved, finished, or locked by another poster.
 */
export async function lockBatch(
  tx: Tx,
  batchId: string,
  now: Date,
): Promise<LockedBatch | undefined> {
  const row = await tx
    .selectFrom('payrollBatch')
    .selectAll()
    .where('id', '=', batchId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { status } = row;
  if (can(payrollCan, 'start', status)) {
    if (row.postAfter > now || (row.needsApproval && row.approvedAt === null)) return undefined;
    await tx
      .updateTable('payrollBatch')
      .set({ status: 'processing', startedAt: now, updatedAt: now })
      .where('id', '=', batchId)
      .execute();
  } else if (!can(payrollCan, 'complete', status)) {
    return undefined;
  }
  return row;
}

/**
 * The next undecided lines of a locked batch, in their order. The batch's lock covers its lines. The
 * people are locked until the end of the transaction, in a statement of its own, so that what the
 * next one reads is what was locked: whoever closes a wallet locks its owner FOR UPDATE first, and so
 * either comes before, and is reported as the line's problem, or after the money. Locking the wallets as
 * well would cost a tenth of the whole payroll (measured at 100,000 people).
 */
export async function claimLines(
  tx: Tx,
  batch: LockedBatch,
  limit: number,
): Promise<ClaimedLine[]> {
  const next = sql`
     line.batch_id = ${batch.id} AND line.status = 'draft'
       AND line.line_number > ${batch.postedThrough} AND line.line_number <= ${batch.payableCount}
     ORDER BY line.line_number LIMIT ${limit}`;
  const locking = sql`
    SELECT count(*) FROM (
      SELECT FROM payroll_line AS line JOIN app_user AS person ON person.id = line.user_id
       WHERE ${next} FOR KEY SHARE OF person) AS locked`;
  const reading = sql<ClaimedLine>`
    SELECT line.id, line.line_number, line.user_id, line.amount_minor, wallet.ledger_account_id,
           CASE WHEN person.deactivated_at IS NOT NULL THEN 'employee_inactive'
                WHEN wallet.closed_at IS NOT NULL THEN 'wallet_closed' END AS problem
      FROM payroll_line AS line
      JOIN app_user AS person ON person.id = line.user_id
      JOIN wallet ON wallet.id = line.wallet_id
     WHERE ${next}`;
  const [, { rows }] = await awaitInOrder([locking.execute(tx), reading.execute(tx)]);
  return rows;
}
