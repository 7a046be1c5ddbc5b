import type { ApplicationReview } from '#contract/api.ts';
import type { KycEvent, KycStatus } from '#contract/kyc.ts';
import { notesOf } from '#web/features/kyc/notes.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

const DONE: Record<KycEvent, Pick<DatedStep, 'state' | 'what'>> = {
  submitted: { what: 'Submitted', state: 'done' },
  moved_to_review: { what: 'Moved to review', state: 'done' },
  approved: { what: 'Approved', state: 'arrived' },
  rejected: { what: 'Rejected', state: 'stop' },
  resubmission_requested: { what: 'Resubmission requested', state: 'done' },
  name_changed: { what: 'Name changed, in review again', state: 'done' },
  address_corrected: { what: 'Address corrected', state: 'done' },
};

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
  const steps = history.map((event, place): DatedStep => {
    const isAgain =
      event.action === 'submitted' &&
      history.slice(0, place).some(({ action }) => action === 'submitted');
    return {
      ...DONE[event.action],
      ...(isAgain ? { what: 'Submitted again' } : {}),
      who: event.by,
      note: notesOf(event),
      at: event.at,
    };
  });
  const waiting = WAITING[status];
  return waiting === undefined ? steps : [...steps, { state: 'now', what: waiting }];
}
