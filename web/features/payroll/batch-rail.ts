import type { PayrollBatch, RailStep as HistoryStep } from '#contract/api.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import { employeesWords } from './words.ts';

/** True while the server is paying the batch or is about to. */
export function isMoving(status: PayrollStatus): boolean {
  return status === 'pending' || status === 'processing';
}

/** True of a batch whose lines were all paid or have failed. */
export function isDecided({ status }: Pick<PayrollBatch, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** Draft → Processing → Completed: steps done and steps ahead. */
export function batchRail(batch: PayrollBatch): DatedStep[] {
  const taken = batch.history
    .filter((step) => step.status !== 'pending')
    .map((step) => takenStep(step, batch));
  if (!isMoving(batch.status)) return taken;
  if (batch.approval !== null) {
    return [
      ...taken,
      { state: 'now', what: 'Waiting for approval' },
      { state: 'next', what: 'Processing' },
      { state: 'next', what: 'Completed' },
    ];
  }
  const isStarted = batch.history.some((step) => step.status === 'processing');
  return [
    ...taken,
    ...(isStarted ? [] : [{ state: 'now' as const, what: 'Waiting to be sent' }]),
    {
      state: 'next',
      what: 'Completed',
      who: `${employeesWords(batch.employees)} to be notified`,
    },
  ];
}

function takenStep(step: HistoryStep, batch: PayrollBatch): DatedStep {
  if (step.status === 'declined') {
    const who = step.by === null ? undefined : `By ${step.by}`;
    return { state: 'stop', what: 'Declined', who, at: step.at, note: step.note ?? undefined };
  }
  if (step.status === 'stopped') {
    const who = step.by === null ? undefined : `By ${step.by}`;
    return { state: 'stop', what: 'Stopped', who, at: step.at };
  }
  if (step.status === 'approved') {
    return { state: 'done', what: 'Approved', who: step.by ?? undefined, at: step.at };
  }
  const status = step.status as PayrollStatus;
  return {
    state: stateOf(status, batch),
    what: statusTable[status].label,
    who: whoOf(status, batch) ?? step.by ?? undefined,
    at: step.at,
  };
}

function stateOf(status: PayrollStatus, batch: PayrollBatch): DatedStep['state'] {
  if (status === 'completed') return 'arrived';
  if (status === 'failed') return 'stop';
  return status === batch.status && isMoving(status) ? 'now' : 'done';
}

function whoOf(status: PayrollStatus, batch: PayrollBatch): string | undefined {
  if (status === 'draft') return `Created by ${batch.createdBy}`;
  if (status === 'processing') {
    return `${batch.paidCount} of ${employeesWords(batch.employees)} paid`;
  }
  return status === 'completed' ? `${employeesWords(batch.paidCount)} notified` : undefined;
}
