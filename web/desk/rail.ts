import type { RailStep } from '#contract/api.ts';
import type { StatusName } from '#web/ui/status-table.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

/** Words of a step that was taken, by the status that it led to. */
const DONE = {
  pending: 'Requested',
  approved: 'Approved',
  processing: 'Sent',
  completed: 'Arrived',
  scheduled: 'Scheduled',
  due: 'Due',
  sent: 'Sent',
  paid: 'Paid',
  verified: 'Verified',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  returned: 'Returned by bank',
} as const satisfies Partial<Record<StatusName, string>>;

type RailStatus = keyof typeof DONE;

/** Look of the last step, where the thing has ended. */
const AT_END: Partial<Record<RailStatus, DatedStep['state']>> = {
  completed: 'arrived',
  paid: 'arrived',
  verified: 'arrived',
  rejected: 'stop',
  returned: 'stop',
  cancelled: 'void',
};

/**
 * Steps that were taken, for a rail.
 *
 * @param words of steps that this thing calls differently
 */
export function takenSteps(
  history: readonly RailStep[],
  words: Partial<Record<RailStatus, string>> = {},
): DatedStep[] {
  return history.map((step, index): DatedStep => {
    const status = step.status as RailStatus;
    const isLast = index === history.length - 1;
    return {
      state: (isLast ? AT_END[status] : undefined) ?? 'done',
      what: words[status] ?? DONE[status],
      // The bank returned it; an admin recorded that.
      who: status === 'returned' ? `Recorded by ${step.by ?? 'Purser'}` : (step.by ?? undefined),
      note: step.note ?? undefined,
      at: step.at,
    };
  });
}
