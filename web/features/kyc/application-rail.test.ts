import { describe, expect, test } from 'vitest';
import { applicationRail } from './application-rail.ts';

const ZONE = 'America/New_York';

describe('applicationRail', () => {
  test('of a submitted application waits for a decision', () => {
    const steps = applicationRail(
      { status: 'submitted', submittedAt: '2026-12-07T14:12:00.000Z', history: [] },
      ZONE,
    );
    expect(steps.map(({ state, what }) => [state, what])).toEqual([
      ['done', 'Submitted'],
      ['now', 'Waiting for a decision'],
      ['next', 'Approved'],
    ]);
    expect(steps[0]).toMatchObject({ who: 'You', time: 'Dec 7, 2026, 9:12 AM' });
  });

  test('of one that was mended tells both, in order, and ends with the rejection', () => {
    const notes = 'The back is cut off.';
    const steps = applicationRail(
      {
        status: 'rejected',
        submittedAt: '2026-12-03T10:00:00.000Z',
        history: [
          {
            action: 'resubmission_requested',
            by: 'Renee Albright',
            notes,
            at: '2026-12-02T10:00:00.000Z',
          },
          { action: 'rejected', by: 'Renee Albright', notes: null, at: '2026-12-04T10:00:00.000Z' },
        ],
      },
      ZONE,
    );
    expect(steps.map(({ what }) => what)).toEqual([
      'Resubmission requested',
      'Submitted again',
      'Rejected',
    ]);
    expect(steps[0]?.note).toBe(notes);
    expect(steps[2]?.state).toBe('stop');
  });
});
