import type { KycApplication } from '#contract/api.ts';
import type { KycStatus } from '#contract/kyc.ts';
import { stepsTaken } from '#web/features/kyc/history.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

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
  const past = stepsTaken(history).map((step, place) => ({
    ...step,
    ...(history[place]?.action === 'submitted' && { who: 'You' }),
    ...(place === history.length - 1 && SAID_ABOVE.includes(status) && { note: undefined }),
  }));
  return [...past, ...AHEAD[status]];
}
