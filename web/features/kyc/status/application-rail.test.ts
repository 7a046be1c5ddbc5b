import { describe, expect, test } from 'vitest';
import type { KycApplication } from '#contract/api.ts';
import { applicationRail } from './application-rail.ts';

type Event = KycApplication['history'][number];

function event(action: Event['action'], at: string, words: Partial<Event> = {}): Event {
  const by = action === 'submitted' ? 'Maya Castellanos' : 'Renee Albright';
  return { action, by, notes: null, items: [], changes: [], at: `${at}T14:12:00.000Z`, ...words };
}

describe('applicationRail', () => {
  test('waits for a decision about a submitted application', () => {
    const steps = applicationRail({
      status: 'submitted',
      history: [event('submitted', '2026-12-07')],
    });
    expect(steps.map(({ state, what }) => [state, what])).toEqual([
      ['done', 'Submitted'],
      ['now', 'Waiting for a decision'],
      ['next', 'Approved'],
    ]);
    expect(steps[0]).toMatchObject({ who: 'You', at: '2026-12-07T14:12:00.000Z' });
  });

  test('shows both submissions of a corrected one and the request, and ends with the rejection', () => {
    const steps = applicationRail({
      status: 'rejected',
      history: [
        event('submitted', '2026-12-01'),
        event('resubmission_requested', '2026-12-02', {
          notes: 'Please take another picture.',
          items: [{ item: 'id_back', note: 'It is cut off.' }],
        }),
        event('submitted', '2026-12-03'),
        event('rejected', '2026-12-04', { notes: 'Not readable' }),
      ],
    });
    expect(steps.map(({ what }) => what)).toEqual([
      'Submitted',
      'Resubmission requested',
      'Submitted again',
      'Rejected',
    ]);
    // The message over the rail says it.
    expect(steps[3]?.note).toBeUndefined();
    expect(steps[1]?.note).toBe('Please take another picture.\nBack of ID: It is cut off.');
    expect(steps[3]).toMatchObject({ state: 'stop' });
  });
});
