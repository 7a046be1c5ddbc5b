import type { ApplicationReview } from '#contract/api.ts';
import type { KycDecision, KycStatus } from '#contract/kyc.ts';
import { formatShortDate, formatTime } from '#web/lib/format.ts';
import type { RailStep } from '#web/ui/money-rail.tsx';

const DONE: Record<KycDecision, { what: string; state: RailStep['state'] }> = {
  moved_to_review: { what: 'Moved to review', state: 'done' },
  approved: { what: 'Approved', state: 'arrived' },
  rejected: { what: 'Rejected', state: 'stop' },
  resubmission_requested: { what: 'Resubmission requested', state: 'done' },
};

/** What is waited for now; nothing after the last decision. */
const WAITING: Partial<Record<KycStatus, string>> = {
  submitted: 'Waiting for a decision',
  in_review: 'Waiting for a decision',
  resubmit_required: 'Waiting for the employee',
};

/** What was done with an application, by whom and when, and what it waits for. */
export function reviewRail(
  { status, submittedAt, history }: ApplicationReview['application'],
  applicant: string,
  timeZone: string,
): RailStep[] {
  const taken = history.map(({ action, by, notes, at }) => ({
    ...DONE[action],
    who: by,
    note: notes ?? undefined,
    at,
  }));
  if (submittedAt !== null) {
    const what = history.some(({ at }) => at < submittedAt) ? 'Submitted again' : 'Submitted';
    taken.push({ what, state: 'done', who: applicant, note: undefined, at: submittedAt });
  }
  const steps = taken
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ at, ...step }): RailStep => ({
      ...step,
      time: formatShortDate(at, timeZone),
      timeNote: formatTime(at, timeZone),
    }));
  const waiting = WAITING[status];
  return waiting === undefined ? steps : [...steps, { state: 'now', what: waiting }];
}
