import { expect, test } from 'vitest';
import type { Bill } from '#contract/api.ts';
import { billRail } from './bill-rail.ts';

const sent = {
  status: 'sent',
  amount: { minor: '7000', currency: 'USD' },
  walletName: 'Salary',
  payOn: '2026-12-08',
  payee: { name: 'Harbor Fiber', last4: '5502' },
  history: [{ status: 'sent', at: '2026-12-08T15:00:00.000Z', by: 'Renee Albright', note: null }],
} as unknown as Bill;
const lastOf = (reader: 'payer' | 'admin') => billRail(sent, reader).at(-1)?.who;

test('only the payer reads that a notification follows when a bill is paid', () => {
  expect(lastOf('payer')).toBe('When the bank has settled it. We notify you.');
  expect(lastOf('admin')).toBe('When the bank has settled it.');
});
