import type { KycApplication } from '#contract/api.ts';
import type { KycEvent, KycStatus } from '#contract/kyc.ts';
import { notesOf } from '#web/features/kyc/notes.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

const TAKEN: Record<KycEvent, Pick<DatedStep, 'state' | 'what'>> = {
  submitted: { state: 'done', what: 'Submitted' },
  moved_to_review: { state: 'done', what: 'In review' },
  approved: { state: 'arrived', what: 'Approved' },
  rejected: { state: 'stop', what: 'Rejected' },
  resubmission_requested: { state: 'done', what: 'Resubmission requested' },
  name_changed: { state: 'done', what: 'Name changed, in review again' },
  address_corrected: { state: 'done', what: 'Address corrected' },
};

const DECISION: DatedStep = {
  state: 'now',
  what: 'Waiting for a decision',
  who: 'Usually within 1–2 business days',
};
const APPROVED: DatedStep = { state: 'next', what: 'Approved', who: 'Money can leave your wallet' };
const REVIEW: DatedStep = { state: 'next', what: 'Review', who: 'Within 1–2 business days' };

/** The step that comes next. */
const AHEAD: Record<KycStatus, readonly DatedStep[]> = {
  in_progress: [{ state: 'now', what: 'Waiting for your application' }, REVIEW, APPROVED],
  submitted: [DECISION, APPROVED],
  in_review: [DECISION, APPROVED],
  resubmit_required: [{ state: 'now', what: 'Waiting for your changes' }, REVIEW, APPROVED],
  approved: [],
  rejected: [],
};

/** The message over the rail says already what these wait for. */
const SAID_ABOVE: readonly KycStatus[] = ['resubmit_required', 'rejected'];

/** The steps of the person's application so far, with person and time, and the next one. */
export function applicationRail({
  status,
  history,
}: Pick<KycApplication, 'status' | 'history'>): DatedStep[] {
  const past = history.map((event, place): DatedStep => {
    const isOwn = event.action === 'submitted';
    const isAgain = isOwn && history.slice(0, place).some(({ action }) => action === 'submitted');
    const isSaidAbove = place === history.length - 1 && SAID_ABOVE.includes(status);
    return {
      ...TAKEN[event.action],
      ...(isAgain ? { what: 'Submitted again' } : {}),
      who: isOwn ? 'You' : event.by,
      note: isSaidAbove ? undefined : notesOf(event),
      at: event.at,
    };
  });
  return [...past, ...AHEAD[status]];
}
