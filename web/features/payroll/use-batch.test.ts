import { expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { resultToast } from './use-batch.ts';

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
