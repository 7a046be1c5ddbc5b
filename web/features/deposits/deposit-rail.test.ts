import { expect, test } from 'vitest';
import type { Deposit, Wallet } from '#contract/api.ts';
import { checkDeposit, depositSummary, tallyOf } from './check-deposit.ts';
import { depositRail } from './deposit-rail.ts';
import { feeWords, limitWords } from './words.ts';

const usd = (minor: string) => ({ minor, currency: 'USD' as const });
const REQUESTED = {
  status: 'pending',
  at: '2026-12-08T14:41:00.000Z',
  by: 'Maya Castellanos',
  note: null,
};
const WIRE: Deposit = {
  id: '1',
  reference: 'DEP-83704512',
  status: 'pending',
  walletId: '2',
  walletName: 'Salary Wallet',
  walletLast4: '7731',
  method: 'wire',
  methodName: 'Wire transfer',
  amount: usd('150000'),
  fee: usd('2500'),
  total: usd('152500'),
  description: '',
  rejectionReason: null,
  submittedAt: REQUESTED.at,
  expected: { from: '2026-12-08', to: '2026-12-08' },
  history: [REQUESTED],
  acts: [],
};

const drawn = (deposit: Deposit) =>
  depositRail(deposit, 'Tallis & Reed').map(({ state, what, time }) => [state, what, time]);

test('a deposit that waits shows what is ahead, and no time that nobody knows', () => {
  expect(drawn(WIRE)).toEqual([
    ['done', 'Requested', undefined],
    ['now', 'Waiting for approval', 'Now'],
    ['next', 'Arrived', 'Dec 8'],
  ]);
  expect(drawn({ ...WIRE, method: 'physical_check', expected: null }).at(-1)).toEqual([
    'next',
    'Arrived',
    undefined,
  ]);
});

test.each([
  ['approved', ['done', 'done', 'arrived']],
  ['rejected', ['done', 'stop']],
  ['cancelled', ['done', 'void']],
] as const)('one that is %s ends there', (status, states) => {
  const ended = { ...REQUESTED, status };
  const deposit = { ...WIRE, status, expected: null, history: [REQUESTED, ended] };
  expect(drawn(deposit).map(([state]) => state)).toEqual(states);
});

test('fees and limits are written as people say them', () => {
  expect(feeWords('card', 'USD')).toBe('2.5% + $0.30 fee');
  expect(feeWords('wire', 'USD')).toBe('$25.00 fee');
  expect(feeWords('ach', 'USD')).toBe('Free');
  expect(limitWords('wire', 'USD')).toBe('$1,000 to $100,000 each, $500,000 a day');
});

test('2.5% and 30 cents round half up, and the sum is what is sent', () => {
  expect(tallyOf('card', '100.20', 'USD')).toEqual({
    amount: usd('10020'),
    fee: usd('281'),
    total: usd('10301'),
  });
  expect(tallyOf('card', '5', 'USD')).toBeNull();
});

test('each step asks for its own', () => {
  const choices = { wallets: [], methods: [{ id: 'ach' as const, leftToday: usd('500') }] };
  const values = { walletId: '', method: 'ach' as const, amount: '', description: '' };
  expect(checkDeposit(values, 0, choices)).toEqual({
    walletId: 'Choose an account',
  });
  const wallet = { id: 'first' } as Wallet;
  const chosen = { ...choices, wallets: [wallet] };
  expect(checkDeposit({ ...values, walletId: 'first' }, 2, chosen)).toEqual({
    amount: 'Enter an amount',
  });
});

test('the sentence for something missing stands over the lines, and not in them', () => {
  expect(depositSummary([{ message: 'Enter an amount' }])).toBe(
    'Please fill in all required fields',
  );
  expect(depositSummary([{ message: 'Please enter a valid amount' }])).toBe(
    'Please check your deposit',
  );
});
