import type { ApplicationReview } from '#contract/api.ts';
import type { KycStatus } from '#contract/kyc.ts';
import { stepsTaken } from '#web/features/kyc/history.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

/** The step that is awaited now; nothing after the last decision. */
const WAITING: Partial<Record<KycStatus, string>> = {
  submitted: 'Waiting for a decision',
  in_review: 'Waiting for a decision',
  resubmit_required: 'Waiting for the employee',
};

/** The steps of an application so far, with person and time, and the one it waits for. */
export function reviewRail({
  status,
  history,
}: Pick<ApplicationReview['application'], 'status' | 'history'>): DatedStep[] {
  const steps = stepsTaken(history, { moved_to_review: 'Moved to review' });
  const waiting = WAITING[status];
  return waiting === undefined ? steps : [...steps, { state: 'now', what: waiting }];
}
