import { expect, test } from 'vitest';
import type { AdminWithdrawal } from '#contract/api.ts';
import { rowDecisions } from './decisions.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const row = (
  status: AdminWithdrawal['status'],
  payableFrom: string | null,
  isBankVerified = true,
) => ({ status, payableFrom, isBankVerified }) as AdminWithdrawal;

test('a row offers approving while the account cools off, and sending only afterwards', () => {
  expect(rowDecisions(row('pending', inDays(1)))).toEqual(['reject', 'approve']);
  expect(rowDecisions(row('approved', inDays(1)))).toEqual([]);
  expect(rowDecisions(row('approved', inDays(-1)))).toEqual(['startProcessing']);
  expect(rowDecisions(row('approved', null))).toEqual(['startProcessing']);
  expect(rowDecisions(row('processing', inDays(1)))).toEqual(['complete']);
});

test('a row does not offer to send to an account that the bank sent a payout back from', () => {
  expect(rowDecisions(row('approved', null, false))).toEqual([]);
});
