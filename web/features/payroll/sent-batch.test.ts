import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/errors.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Moment, MomentLook } from '#web/lib/format.ts';
import { readSentMeanwhile, sentWords } from './sent-batch.ts';
import type { SentBatch } from './sent-batch.ts';

const batch: SentBatch = {
  number: '0049',
  name: 'Salary Wallet - 12/8/2026',
  status: 'completed',
  sentBy: 'Ana Ruiz',
  sentAt: '2026-12-08T19:02:00.000Z',
  employees: 42,
  total: { minor: '123400', currency: 'USD' },
};
const NEW_YORK = { own: 'America/New_York', company: 'America/New_York' };
const inNewYork = (at: Moment, look: MomentLook) => formatMoment(at, look, NEW_YORK);
const words = (changes: Partial<SentBatch> = {}, now = '2026-12-09T04:59:00Z') =>
  sentWords({ ...batch, ...changes }, inNewYork, new Date(now));

describe('a sent batch', () => {
  it('is described by time, sender, amount and number of people', () => {
    expect(words()).toBe(
      'Sent today at 2:02 PM by Ana Ruiz: Salary Wallet - 12/8/2026 (batch 0049), $1,234.00 to 42 employees.',
    );
  });

  it('is described with its day after the company’s day has changed', () => {
    expect(words({}, '2026-12-09T05:00:00Z')).toMatch(/^Sent on Dec 8 at 2:02 PM by /);
  });

  it('says that it paid nobody if it failed', () => {
    expect(words({ status: 'failed', employees: 1 })).toMatch(
      /to 1 employee\. Nobody was paid by it yet\.$/,
    );
  });
});

describe('a refused confirmation', () => {
  const { total, ...given } = batch;
  const details = { ...given, totalMinor: total.minor, currency: total.currency };
  const problem = { code: 'preview_stale', details } as unknown as Problem;

  it('names the batch that was sent since the preview', () => {
    expect(readSentMeanwhile(problem)).toEqual(batch);
  });

  it('names no batch if there was another reason', () => {
    expect(readSentMeanwhile({ ...problem, details: {} })).toBeNull();
    expect(readSentMeanwhile({ ...problem, details: { ...details, currency: 'XXX' } })).toBeNull();
  });
});
