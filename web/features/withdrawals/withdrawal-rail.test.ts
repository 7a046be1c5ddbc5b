import { expect, test } from 'vitest';
import type { Withdrawal } from '#contract/api.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { withdrawalRail } from './withdrawal-rail.ts';

const at = '2026-12-07T19:41:00.000Z';

function withdrawalThrough(...statuses: WithdrawalStatus[]): Withdrawal {
  const status = statuses.at(-1) ?? 'pending';
  const isOnItsWay = ['pending', 'approved', 'processing'].includes(status);
  return {
    id: 'id',
    reference: 'WD-00000001',
    status,
    amount: { minor: '32000', currency: 'USD' },
    walletId: 'wallet',
    walletName: 'Salary Wallet',
    walletLast4: '0001',
    bankAccountId: 'bank',
    bankName: 'Cascade Federal',
    bankLast4: '2208',
    urgency: 'medium',
    reason: 'Rent',
    rejectionReason: null,
    transactionReference: null,
    leftBankOn: null,
    bankReference: null,
    submittedAt: at,
    expected: isOnItsWay ? { from: '2026-12-09', to: '2026-12-10' } : null,
    history: statuses.map((step) => ({ status: step, at, by: 'Renee Albright', note: null })),
    resends: null,
    resentAs: null,
    acts: [],
  };
}

const read = (...statuses: WithdrawalStatus[]) =>
  withdrawalRail(withdrawalThrough(...statuses)).map(({ state, what }) => `${state}: ${what}`);

test('a request on its way says what it waits for and what is ahead', () => {
  expect(read('pending')).toEqual([
    'done: Requested',
    'now: Waiting for approval',
    'next: Sent',
    'next: Arrived',
  ]);
  expect(read('pending', 'approved')).toEqual([
    'done: Requested',
    'done: Approved',
    'now: Being sent',
    'next: Arrived',
  ]);
  expect(read('pending', 'approved', 'processing').at(-1)).toBe('now: On its way');
});

test('the estimate stands at the arrival, and nowhere else', () => {
  const rail = withdrawalRail(withdrawalThrough('pending'));
  expect(rail.map((step) => step.at ?? step.time)).toEqual([at, undefined, undefined, 'Dec 9–10']);
  expect(rail.at(-1)).toMatchObject({ timeNote: 'expected', who: 'Cascade Federal ••2208' });
});

test('the rail ends where the request ended', () => {
  expect(read('pending', 'approved', 'processing', 'completed').at(-1)).toBe('arrived: Arrived');
  expect(read('pending', 'rejected')).toEqual(['done: Requested', 'stop: Rejected']);
  expect(read('pending', 'cancelled').at(-1)).toBe('void: Cancelled');
  expect(read('pending', 'approved', 'processing', 'completed', 'returned').slice(-2)).toEqual([
    'done: Arrived',
    'stop: Returned by bank',
  ]);
});
