import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FundingType } from '#contract/funding.ts';
import type { Currency } from '#contract/money.ts';
import type { PayrollLineStatus, PayrollStatus } from '#contract/payroll.ts';
import { OPEN_RECOVERIES } from '#contract/recovery.ts';
import type { WalletType } from '#contract/wallets.ts';
import { awaitInOrder } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';

/** A line that was to be paid, its row locked, with what its wallet can pay back. */
export interface LockedLine {
  id: string;
  lineNumber: number;
  userId: string;
  status: PayrollLineStatus;
  amountMinor: bigint;
  /** Part of the amount that was taken back, by this many reversals. */
  reversedMinor: bigint;
  reversals: number;
  /** Part of the amount that recoveries took from later payments. */
  recoveredMinor: bigint;
  /** True if a recovery of it is proposed or accepted. */
  isRecovering: boolean;
  /** Instalments of recoveries of other lines that were taken from it. They are given back where the rest of it is taken back. */
  deductedMinor: bigint;
  ledgerTransactionId: string | null;
  walletId: string;
  walletType: WalletType;
  ledgerAccountId: string;
  availableMinor: bigint;
  batchId: string;
  batchStatus: PayrollStatus;
  /** Number and kind of its batch, as `lineReference` needs them. */
  number: string;
  fundingType: FundingType | null;
  currency: Currency;
  description: string;
  createdBy: string;
}

/** Amount of a paid line that was neither taken back nor recovered, in minor units. */
export function leftOf({
  amountMinor,
  reversedMinor,
  recoveredMinor,
}: Pick<LockedLine, 'amountMinor' | 'reversedMinor' | 'recoveredMinor'>): bigint {
  return amountMinor - reversedMinor - recoveredMinor;
}

/** True if a wallet can pay that much of its line back. With the rest, it gets what was taken from the line. */
export function canTakeBack(line: LockedLine, amountMinor: bigint): boolean {
  const isRest = amountMinor === leftOf(line);
  return amountMinor <= line.availableMinor + (isRest ? line.deductedMinor : 0n);
}

/**
 * SQL of the columns about recoveries of a row of `payroll_line`: `recovered_minor` of what was recovered of it,
 * `is_recovering`, and `deducted_minor` of the instalments that it carried. Given back ones do not count.
 *
 * @param line the alias or name of the table
 */
export function recoveryColumns(line: string): RawBuilder<unknown> {
  const id = sql.ref(`${line}.id`);
  return sql`
    coalesce((SELECT sum(recovered_minor) FROM recovery WHERE line_id = ${id}), 0)::bigint
      AS recovered_minor,
    EXISTS (SELECT FROM recovery WHERE line_id = ${id} AND status IN (${sql.join(OPEN_RECOVERIES)}))
      AS is_recovering,
    coalesce((SELECT sum(amount_minor) FROM recovery_instalment
               WHERE line_id = ${id} AND given_back_transaction_id IS NULL), 0)::bigint
      AS deducted_minor`;
}

/**
 * Locks lines of one batch until the transaction ends, with their wallets and the batch before them: concurrent
 * reversals, and everything that promises or takes money from the wallets, run one after the other. The recoveries that
 * took instalments from the lines are locked as well, and those of the lines. Lines without a wallet, which were skipped,
 * are left out.
 *
 * @returns the lines by their numbers
 */
export async function lockLines(tx: Tx, lineIds: readonly string[]): Promise<LockedLine[]> {
  const isAmong = sql`line.id = ANY (${lineIds}::uuid[])`;
  const wallets = sql`
    SELECT count(*) FROM (
      SELECT FROM wallet WHERE id IN (SELECT wallet_id FROM payroll_line AS line WHERE ${isAmong})
       ORDER BY id FOR NO KEY UPDATE) AS locked`;
  const batches = sql`
    SELECT count(*) FROM (
      SELECT FROM payroll_batch
       WHERE id IN (SELECT batch_id FROM payroll_line AS line WHERE ${isAmong})
         FOR NO KEY UPDATE) AS locked`;
  const lines = sql`
    SELECT count(*) FROM (
      SELECT FROM payroll_line AS line WHERE ${isAmong}
       ORDER BY line_number FOR NO KEY UPDATE) AS locked`;
  const recoveries = sql`
    SELECT count(*) FROM (
      SELECT FROM recovery
       WHERE line_id = ANY (${lineIds}::uuid[])
          OR id IN (SELECT recovery_id FROM recovery_instalment
                     WHERE line_id = ANY (${lineIds}::uuid[]) AND given_back_transaction_id IS NULL)
       ORDER BY id FOR NO KEY UPDATE) AS locked`;
  // A statement of its own, so that it reads what was locked.
  const reading = sql<LockedLine>`
    SELECT line.id, line.line_number, line.user_id, line.status, line.amount_minor,
           line.reversed_minor, line.ledger_transaction_id, line.wallet_id,
           (SELECT count(*)::integer FROM payroll_reversal WHERE line_id = line.id) AS reversals,
           ${recoveryColumns('line')},
           wallet.type AS wallet_type, wallet.ledger_account_id,
           account.posted - account.held AS available_minor, batch.id AS batch_id,
           batch.status AS batch_status, batch.number, batch.funding_type, batch.currency,
           batch.description, batch.created_by
      FROM payroll_line AS line
      JOIN payroll_batch AS batch ON batch.id = line.batch_id
      JOIN wallet ON wallet.id = line.wallet_id
      JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE ${isAmong} ORDER BY line.line_number`;
  const [, , , , { rows }] = await awaitInOrder([
    wallets.execute(tx),
    batches.execute(tx),
    lines.execute(tx),
    recoveries.execute(tx),
    reading.execute(tx),
  ]);
  return rows;
}
