import { expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { pollInterval, resultToast } from './use-batch.ts';

const paidTotal = money(2_880_000n, 'USD');
const nothing = money(0n, 'USD');

test('reports the total of a sent payroll, and reports a failed one', () => {
  const sent = { status: 'completed', declined: null, paidTotal } as const;
  expect(resultToast('processing', sent)).toMatchObject({ message: '$28,800.00 was sent.' });
  expect(resultToast('completed', sent)).toBeNull();
  const failed = { status: 'failed', declined: null, paidTotal: nothing } as const;
  expect(resultToast('pending', failed)).toMatchObject({ title: 'Payroll Processing Failed' });
});

test('does not call a stopped or declined payroll processed', () => {
  const draft = { status: 'draft', declined: null, paidTotal: nothing } as const;
  expect(resultToast('pending', draft)).toBeNull();
  const declined = { by: 'Priya Nair', at: '2026-12-08T15:00:00.000Z', reason: 'Wrong month' };
  expect(resultToast('pending', { ...draft, declined })).toBeNull();
});

test('polls a batch each second while it is paid or can still be stopped, and rarely before its pay date', () => {
  const batch = { status: 'processing', approval: null, window: null } as const;
  expect(pollInterval(batch)).toBe(1_000);
  const waiting = (leftMs: number) =>
    pollInterval({ ...batch, status: 'pending', window: { leftMs, ofMs: leftMs } });
  expect(waiting(60_000)).toBe(1_000);
  expect(waiting(3 * 86_400_000)).toBe(60_000);
  const approval = {
    mayApprove: true,
    isMine: false,
    people: [],
    changedAmounts: false,
    differences: 0,
  };
  expect(pollInterval({ ...batch, status: 'pending', approval })).toBe(false);
  expect(pollInterval({ ...batch, status: 'completed' })).toBe(false);
});
