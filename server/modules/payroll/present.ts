import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { Department } from '#contract/company.ts';
import type { FundingType } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { DecidedAct } from '#contract/things/thing.ts';
import type {
  PayrollLineReason,
  PayrollLineStatus,
  PayrollStatus,
  ReversalReason,
} from '#contract/payroll.ts';
import type { RecoveryStatus } from '#contract/recovery.ts';
import type { WalletType } from '#contract/wallets.ts';
import { approvalOf } from './approval.ts';
import type { BatchReader } from './approval.ts';
import type { Breakdown } from './breakdown.ts';
import { lastAct } from '#server/modules/acts/index.ts';
import type { RecordedAct } from '#server/modules/acts/index.ts';
import { avatarUrl } from '#server/lib/avatar-url.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { fundingReference, lineReference } from './rules.ts';

export type FundedEmployee = NonNullable<PayrollBatch['fundedEmployee']>;

/** A row of payroll_batch with the name of its sender, and the acts that were done to it. */
export interface BatchRow {
  id: string;
  number: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  fundedEmployee: FundedEmployee | null;
  name: string;
  payPeriod: string;
  description: string;
  walletType: WalletType;
  department: Department | 'all' | 'chosen';
  /** Null: each person's own. */
  amountMinor: bigint | null;
  /** Pay date; null: sent as soon as it could no longer be stopped. */
  payOn: string | null;
  currency: Currency;
  status: PayrollStatus;
  payableCount: number;
  skippedCount: number;
  totalMinor: bigint;
  /** Paid by all batches of its confirmation; null: it was confirmed alone. */
  togetherMinor: bigint | null;
  /** The others of them, as JSON of the database. */
  together: TogetherRow[];
  postedThrough: number;
  paidCount: number;
  failedCount: number;
  paidMinor: bigint;
  /** Taken back of what was paid: whole lines, and the money of these and of parts of others. */
  reversedCount: number;
  reversedMinor: bigint;
  /** Failed lines that a funding pays in their place, as JSON of the database; null where none failed. */
  paidOtherwise: { lines: number; minor: string } | null;
  createdBy: string;
  createdByName: string;
  /** The administrator who last changed its amounts in the draft; null: nobody, or its sender typed them. */
  amountsBy: string | null;
  /** Groups of differences that had to be acknowledged; null where nothing was compared. */
  differences: string[] | null;
  needsApproval: boolean;
  approvedAt: Date | null;
  /** Milliseconds until it is sent, at least 0; null when it cannot be stopped. */
  sendsInMs: number | null;
  postAfter: Date;
  draftId: string | null;
  note: string | null;
  discardedAt: Date | null;
  declineReason: string | null;
  createdAt: Date;
  startedAt: Date | null;
  processedAt: Date | null;
  done: RecordedAct[];
}

/** Another batch of the same confirmation. Its total is in minor units. */
interface TogetherRow {
  id: string;
  number: string;
  walletType: WalletType;
  status: PayrollStatus;
  total: string;
}

/** A row of payroll_line with whose it is. */
export interface LineRow {
  id: string;
  lineNumber: number;
  userId: string;
  personName: string;
  employeeNumber: string | null;
  avatarId: string | null;
  department: Department;
  walletLast4: string | null;
  status: PayrollLineStatus;
  reason: PayrollLineReason | null;
  amountMinor: bigint;
  reversedMinor: bigint;
  reversals: ReversalRow[];
  breakdown: Breakdown | null;
  /** The funding that pays a failed line in its place. */
  paidOtherwise: { id: string; number: string; status: PayrollStatus } | null;
  /** The newest recovery, as JSON of the database with amounts in minor units. */
  recovery: { id: string; status: RecoveryStatus; amount: string; recovered: string } | null;
  deductedMinor: bigint;
  processedAt: Date | null;
}

/** A reversal as JSON of the database. */
interface ReversalRow {
  /** In minor units. */
  amount: string;
  reason: ReversalReason;
  message: string;
  by: string;
  at: string;
  number: number;
}

export function presentBatch(row: BatchRow, reader: BatchReader): PayrollBatch {
  const { currency } = row;
  return {
    id: row.id,
    name: row.name,
    number: row.number,
    fundingType: row.fundingType,
    fundedEmployee: row.fundedEmployee,
    payPeriod: row.payPeriod,
    description: row.description,
    walletType: row.walletType,
    department: row.department,
    amount: row.amountMinor === null ? null : money(row.amountMinor, currency),
    payOn: row.payOn,
    day: dayOf(row, reader.duties.settings),
    status: row.status,
    createdBy: row.createdByName,
    approval: approvalOf(row, reader),
    approvedBy: lastAct(payrollBatch, row, 'approve')?.by ?? null,
    declined: declineOf(row),
    createdAt: row.createdAt.toISOString(),
    window: presentWindow(row),
    stopped: stepOf(row, 'stop'),
    draftId: row.draftId,
    note: row.note ?? '',
    discardedAt: row.discardedAt?.toISOString() ?? null,
    processedAt: row.processedAt?.toISOString() ?? null,
    employees: row.payableCount,
    paidCount: row.paidCount,
    failedCount: row.failedCount,
    skippedCount: row.skippedCount,
    total: money(row.totalMinor, currency),
    paidTotal: money(row.paidMinor, currency),
    reversedCount: row.reversedCount,
    reversedTotal: money(row.reversedMinor, currency),
    together: row.together.map(({ total, ...other }) => ({
      ...other,
      total: money(BigInt(total), currency),
    })),
    paidOtherwise: {
      lines: row.paidOtherwise?.lines ?? 0,
      total: money(BigInt(row.paidOtherwise?.minor ?? 0), currency),
    },
    failedTotal: isDecided(row.status) ? money(row.totalMinor - row.paidMinor, currency) : null,
    history: batchHistory(row),
  };
}

/** Day of the company on which a batch is paid: its pay date, without one the day on which it was sent. */
export function dayOf(
  { payOn, createdAt }: Pick<BatchRow, 'payOn' | 'createdAt'>,
  { timeZone }: Pick<CompanySettings, 'timeZone'>,
): string {
  return payOn ?? dayIn(timeZone, createdAt);
}

/** True of a batch whose lines were all paid or have failed. */
function isDecided(status: PayrollStatus): boolean {
  return status === 'completed' || status === 'failed';
}

function declineOf(row: BatchRow): PayrollBatch['declined'] {
  const declined = stepOf(row, 'decline');
  const { declineReason: reason } = row;
  return declined === null || reason === null ? null : { ...declined, reason };
}

/** The person who did an act last, and when; null where nobody did it. */
function stepOf(row: BatchRow, act: DecidedAct<typeof payrollBatch>) {
  const done = lastAct(payrollBatch, row, act);
  if (done === undefined || done.by === null) return null;
  return { by: done.by, at: new Date(done.at).toISOString() };
}

/** The window in which a payroll can be stopped: it begins when it is confirmed, or approved. */
export function presentWindow({
  sendsInMs,
  postAfter,
  createdAt,
  approvedAt,
}: Pick<BatchRow, 'sendsInMs' | 'postAfter' | 'createdAt' | 'approvedAt'>): PayrollBatch['window'] {
  if (sendsInMs === null) return null;
  const ofMs = postAfter.getTime() - (approvedAt ?? createdAt).getTime();
  return { leftMs: Math.round(sendsInMs), ofMs: Math.max(0, ofMs) };
}

export function presentLine(
  row: LineRow,
  batch: Pick<BatchRow, 'number' | 'fundingType' | 'currency'>,
): PayrollLine {
  const isPaid = row.status === 'processed' || row.status === 'reversed';
  const reference = lineReference(batch, row.lineNumber);
  return {
    id: row.id,
    employee: {
      id: row.userId,
      name: row.personName,
      employeeId: row.employeeNumber,
      avatarUrl: avatarUrl(row.avatarId),
      department: row.department,
    },
    walletLast4: row.walletLast4,
    status: row.status,
    reason: row.reason,
    amount: money(row.amountMinor, batch.currency),
    reference: isPaid ? reference : null,
    paidOtherwise: row.paidOtherwise && {
      batchId: row.paidOtherwise.id,
      reference: fundingReference(row.paidOtherwise.number),
      status: row.paidOtherwise.status,
    },
    reversed: money(row.reversedMinor, batch.currency),
    reversals: row.reversals.map(({ amount, number, at, ...reversal }) => ({
      ...reversal,
      amount: money(BigInt(amount), batch.currency),
      at: new Date(at).toISOString(),
      reference: `${reference}-R${number}`,
    })),
    recovery: row.recovery === null ? null : presentLineRecovery(row.recovery, batch.currency),
    deducted: money(row.deductedMinor, batch.currency),
  };
}

function presentLineRecovery(
  { id, status, amount, recovered }: NonNullable<LineRow['recovery']>,
  currency: Currency,
): PayrollLine['recovery'] {
  return {
    id,
    status,
    amount: money(BigInt(amount), currency),
    recovered: money(BigInt(recovered), currency),
    left: money(BigInt(amount) - BigInt(recovered), currency),
  };
}

const DECISIONS = [
  ['approved', 'approve'],
  ['stopped', 'stop'],
  ['declined', 'decline'],
] as const;

/** The steps a batch has reached: Draft, Processing, Completed (or Failed). */
function batchHistory(row: BatchRow): PayrollBatch['history'] {
  const steps: PayrollBatch['history'] = [
    { status: 'draft', at: row.createdAt.toISOString(), by: row.createdByName, note: null },
  ];
  if (row.status === 'pending') {
    steps.push({ status: 'pending', at: row.createdAt.toISOString(), by: null, note: null });
  }
  for (const [status, act] of DECISIONS) {
    const step = stepOf(row, act);
    const note = act === 'decline' ? row.declineReason : null;
    if (step !== null) steps.push({ status, ...step, note });
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
