import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { DecidedAct } from '#contract/things/thing.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { approvalOf } from './approval.ts';
import type { BatchReader } from './approval.ts';
import { lastAct } from '#server/modules/acts/index.ts';
import { avatarUrl } from '#server/lib/avatar-url.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { fundingReference, lineReference } from './rules.ts';
import type { BatchRow, LineRow } from './rows.ts';

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
