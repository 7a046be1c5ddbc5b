import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import type { FundingType } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { PayrollLineReason, PayrollLineStatus, PayrollStatus } from '#contract/payroll.ts';
import type { WalletType } from '#contract/wallets.ts';
import { lineReference } from './rules.ts';

/** A row of payroll_batch with the name of who made it. */
export interface BatchRow {
  id: string;
  number: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  name: string;
  payPeriod: string;
  description: string;
  walletType: WalletType;
  department: Department | 'all';
  amountMinor: bigint;
  currency: Currency;
  status: PayrollStatus;
  payableCount: number;
  skippedCount: number;
  totalMinor: bigint;
  postedThrough: number;
  paidCount: number;
  failedCount: number;
  paidMinor: bigint;
  createdByName: string;
  needsApproval: boolean;
  approvedAt: Date | null;
  approvedByName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  processedAt: Date | null;
}

/** A row of payroll_line with whose it is. */
export interface LineRow {
  id: string;
  lineNumber: number;
  userId: string;
  personName: string;
  employeeNumber: string | null;
  walletLast4: string | null;
  status: PayrollLineStatus;
  reason: PayrollLineReason | null;
  amountMinor: bigint;
}

export function presentBatch(row: BatchRow): PayrollBatch {
  const { currency } = row;
  return {
    id: row.id,
    name: row.name,
    number: row.number,
    fundingType: row.fundingType,
    payPeriod: row.payPeriod,
    description: row.description,
    walletType: row.walletType,
    department: row.department,
    amount: money(row.amountMinor, currency),
    status: row.status,
    createdBy: row.createdByName,
    waitsForApproval: row.status === 'pending' && row.needsApproval && row.approvedAt === null,
    approvedBy: row.approvedByName,
    createdAt: row.createdAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
    employees: row.payableCount,
    paidCount: row.paidCount,
    failedCount: row.failedCount,
    skippedCount: row.skippedCount,
    total: money(row.totalMinor, currency),
    paidTotal: money(row.paidMinor, currency),
    history: batchHistory(row),
  };
}

export function presentLine(row: LineRow, batch: BatchRow): PayrollLine {
  const isPaid = row.status === 'processed' || row.status === 'reversed';
  return {
    id: row.id,
    employee: { id: row.userId, name: row.personName, employeeId: row.employeeNumber },
    walletLast4: row.walletLast4,
    status: row.status,
    reason: row.reason,
    amount: money(row.amountMinor, batch.currency),
    reference: isPaid ? lineReference(batch, row.lineNumber) : null,
  };
}

/** The steps a batch has reached: Draft, Processing, Completed (or Failed). */
function batchHistory(row: BatchRow): PayrollBatch['history'] {
  const steps: PayrollBatch['history'] = [
    { status: 'draft', at: row.createdAt.toISOString(), by: row.createdByName, note: null },
  ];
  if (row.status === 'pending') {
    steps.push({ status: 'pending', at: row.createdAt.toISOString(), by: null, note: null });
  }
  if (row.startedAt !== null) {
    const note = `${row.paidCount} of ${row.payableCount} employees paid`;
    steps.push({ status: 'processing', at: row.startedAt.toISOString(), by: null, note });
  }
  if (row.processedAt !== null) {
    const note = row.failedCount > 0 ? `${row.failedCount} of ${row.payableCount} failed` : null;
    steps.push({ status: row.status, at: row.processedAt.toISOString(), by: null, note });
  }
  return steps;
}
