import { describe, expect, it } from 'vitest';
import type { ApplicationReview } from '#contract/api.ts';
import { reviewRail } from './rail.ts';

type Application = Pick<ApplicationReview['application'], 'status' | 'history'>;
type Event = Application['history'][number];

function railOf(application: Application) {
  return reviewRail(application);
}

function event(action: Event['action'], at: string, words: Partial<Event> = {}): Event {
  const by = action === 'submitted' ? 'Priya Raghunathan' : 'Renee Albright';
  return { action, by, notes: null, items: [], changes: [], at, ...words };
}

const submitted = event('submitted', '2026-12-07T16:52:00.000Z');
const movedToReview = event('moved_to_review', '2026-12-08T17:05:00.000Z');

describe('reviewRail', () => {
  it('waits for a decision once submitted', () => {
    const steps = railOf({ status: 'in_review', history: [submitted, movedToReview] });
    expect(steps.map(({ state, what, who }) => [state, what, who])).toEqual([
      ['done', 'Submitted', 'Priya Raghunathan'],
      ['done', 'Moved to review', 'Renee Albright'],
      ['now', 'Waiting for a decision', undefined],
    ]);
    expect(steps[0]).toMatchObject({ at: '2026-12-07T16:52:00.000Z' });
  });

  it('shows both submissions, and what was asked to be corrected in between', () => {
    const asked = event('resubmission_requested', '2026-12-08T18:00:00.000Z', {
      notes: 'Please look at these.',
      items: [
        { item: 'contact', note: 'Give the street' },
        { item: 'id_back', note: 'Too dark' },
      ],
    });
    const again = event('submitted', '2026-12-09T16:00:00.000Z');
    const steps = railOf({
      status: 'submitted',
      history: [submitted, movedToReview, asked, again],
    });
    expect(steps.map(({ what }) => what)).toEqual([
      'Submitted',
      'Moved to review',
      'Resubmission requested',
      'Submitted again',
      'Waiting for a decision',
    ]);
    expect(steps[2]?.note).toBe(
      'Please look at these.\nContact Details: Give the street\nBack of ID: Too dark',
    );
  });

  it('ends with a rejection and its reason', () => {
    const rejected = event('rejected', '2026-12-08T18:00:00.000Z', {
      notes: 'Not the same person',
    });
    const steps = railOf({ status: 'rejected', history: [submitted, movedToReview, rejected] });
    expect(steps.at(-1)).toMatchObject({ state: 'stop', note: 'Not the same person' });
  });
});
