import type { KycApplication } from '#contract/api.ts';
import type { KycDecision, KycStatus } from '#contract/kyc.ts';
import { formatDateTime } from '#web/lib/format.ts';
import type { RailStep } from '#web/ui/money-rail.tsx';

const TAKEN: Record<KycDecision, Pick<RailStep, 'state' | 'what'>> = {
  moved_to_review: { state: 'done', what: 'In review' },
  approved: { state: 'arrived', what: 'Approved' },
  rejected: { state: 'stop', what: 'Rejected' },
  resubmission_requested: { state: 'done', what: 'Resubmission requested' },
};

const DECISION: RailStep = {
  state: 'now',
  what: 'Waiting for a decision',
  who: 'Usually within 1–2 business days',
};
const APPROVED: RailStep = { state: 'next', what: 'Approved', who: 'Money can leave your wallet' };
const REVIEW: RailStep = { state: 'next', what: 'Review', who: 'Within 1–2 business days' };

/** What comes after what has happened. */
const AHEAD: Record<KycStatus, readonly RailStep[]> = {
  in_progress: [{ state: 'now', what: 'Waiting for your application' }, REVIEW, APPROVED],
  submitted: [DECISION, APPROVED],
  in_review: [DECISION, APPROVED],
  resubmit_required: [{ state: 'now', what: 'Waiting for your changes' }, REVIEW, APPROVED],
  approved: [],
  rejected: [],
};

/** What happened with the person's application, by whom and when, and what comes next. */
export function applicationRail(
  { status, submittedAt, history }: Pick<KycApplication, 'status' | 'submittedAt' | 'history'>,
  timeZone: string,
): RailStep[] {
  const events: (Pick<RailStep, 'state' | 'what' | 'who' | 'note'> & { at: string })[] =
    history.map(({ action, by, notes, at }) => ({
      ...TAKEN[action],
      who: by,
      note: notes ?? undefined,
      at,
    }));
  if (submittedAt !== null) {
    const isAgain = history.some(({ at }) => at < submittedAt);
    const what = isAgain ? 'Submitted again' : 'Submitted';
    events.push({ state: 'done', what, who: 'You', at: submittedAt });
  }
  const past = events
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ at, ...step }): RailStep => ({
      ...step,
      time: formatDateTime(at, timeZone),
    }));
  return [...past, ...AHEAD[status]];
}
