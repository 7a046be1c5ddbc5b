import { describe, expect, it } from 'vitest';
import type { ApplicationReview } from '#contract/api.ts';
import { reviewRail } from './review-rail.ts';

type Application = ApplicationReview['application'];

function railOf(application: Pick<Application, 'status' | 'submittedAt' | 'history'>) {
  return reviewRail(application as Application, 'Priya Raghunathan', 'America/Los_Angeles');
}

const movedToReview = {
  action: 'moved_to_review',
  by: 'Renee Albright',
  notes: null,
  at: '2026-12-08T17:05:00.000Z',
} as const;

describe('reviewRail', () => {
  it('waits for a decision once submitted', () => {
    const steps = railOf({
      status: 'in_review',
      submittedAt: '2026-12-07T16:52:00.000Z',
      history: [movedToReview],
    });
    expect(steps.map(({ state, what, who }) => [state, what, who])).toEqual([
      ['done', 'Submitted', 'Priya Raghunathan'],
      ['done', 'Moved to review', 'Renee Albright'],
      ['now', 'Waiting for a decision', undefined],
    ]);
    expect(steps[0]).toMatchObject({ time: 'Dec 7', timeNote: '8:52 AM' });
  });

  it('tells a second submission from the first', () => {
    const asked = {
      ...movedToReview,
      action: 'resubmission_requested',
      notes: 'Too dark',
    } as const;
    const steps = railOf({
      status: 'submitted',
      submittedAt: '2026-12-09T16:00:00.000Z',
      history: [movedToReview, asked],
    });
    expect(steps.map(({ what }) => what)).toEqual([
      'Moved to review',
      'Resubmission requested',
      'Submitted again',
      'Waiting for a decision',
    ]);
  });

  it('ends with a rejection and its reason', () => {
    const steps = railOf({
      status: 'rejected',
      submittedAt: '2026-12-07T16:52:00.000Z',
      history: [{ ...movedToReview, action: 'rejected', notes: 'Not the same person' }],
    });
    expect(steps.at(-1)).toMatchObject({ state: 'stop', note: 'Not the same person' });
  });
});
