import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FundingType } from '#contract/funding.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Breakdown } from '#server/modules/payroll/index.ts';

/** A line of a payroll, or of an individual funding, that was paid to a person. */
export interface PaidLine {
  id: string;
  transactionId: string;
  reference: string;
  description: string;
  walletType: WalletType;
  last4: string;
  amountMinor: bigint;
  effectiveAt: Date;
  /** Part of the amount that was taken back. */
  reversedMinor: bigint;
  /** Time of the last reversal; null if nothing was taken back. */
  reversedAt: Date | null;
  payPeriod: string;
  batchNumber: string;
  batchId: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  /** The payroll provider's; null without one. */
  breakdown: Breakdown | null;
}

/**
 * Lines paid to a person by payroll and by individual funding, as a table expression with the
 * columns of {@link PaidLine}. It reads the person's lines by an index, however many entries they
 * have.
 */
export function paidLines(userId: string): RawBuilder<PaidLine> {
  return sql`(
    SELECT line.id, one.id AS transaction_id, one.reference, one.description,
           wallet.type AS wallet_type, wallet.last4, line.amount_minor, one.effective_at,
           line.reversed_minor,
           CASE WHEN line.reversed_minor > 0 THEN (
             SELECT max(reversed_at) FROM payroll_reversal WHERE line_id = line.id) END AS reversed_at,
           batch.pay_period, batch.number AS batch_number,
           batch.id AS batch_id, batch.funding_type, line.breakdown
      FROM payroll_line AS line
      JOIN payroll_batch AS batch ON batch.id = line.batch_id
      JOIN wallet ON wallet.id = line.wallet_id
      JOIN ledger_transaction AS one ON one.id = line.ledger_transaction_id
     WHERE line.user_id = ${userId})`;
}

/** SQL of the amount of a row of `paidLines`, less what was taken back of it until a moment. */
export function paidUntil(at: Date): RawBuilder<bigint> {
  return sql`(amount_minor - CASE WHEN reversed_minor = 0 THEN 0 ELSE (
    SELECT coalesce(sum(reversal.amount_minor), 0) FROM payroll_reversal AS reversal
     WHERE reversal.line_id = paid.id AND reversal.reversed_at <= ${at}) END)`;
}
