import { expect, test } from 'vitest';
import { placeOf } from './notification-place.ts';

const RELATED = '019b0000-0000-7000-8000-000000000001';

test('a withdrawal leads to the very request', () => {
  const notification = {
    type: 'withdrawal',
    title: 'Withdrawal to approve',
    relatedId: RELATED,
  } as const;
  expect(placeOf(notification, 'admin')).toBe(`/admin/withdrawals?request=${RELATED}`);
  expect(placeOf(notification, 'employee')).toBe(`/employee/withdraw?request=${RELATED}`);
});

test('a bank account leads an admin to the bank accounts, an application to the queue', () => {
  const about = (title: string) =>
    placeOf({ type: 'verification', title, relatedId: RELATED }, 'admin');
  expect(about('Bank account to verify')).toBe('/admin/bank-accounts');
  expect(about('KYC application to review')).toBe('/admin/kyc-review');
});

test('a change of two-factor leads its owner to where it is set', () => {
  const change = { type: 'security', title: 'Two-factor turned off', relatedId: RELATED } as const;
  expect(placeOf(change, 'admin')).toBe('/admin/profile');
  expect(placeOf(change, 'employee')).toBe('/employee/profile?tab=security');
  expect(placeOf({ ...change, title: 'Security rules changed' }, 'admin')).toBe('/admin/dashboard');
});

test('a payment or a bill leads to the payments', () => {
  const about = (title: string) => ({ type: 'info', title, relatedId: RELATED }) as const;
  expect(placeOf(about('Bill to pay'), 'admin')).toBe('/admin/bills');
  expect(placeOf(about('Payment Received'), 'employee')).toBe('/employee/dashboard?tab=payments');
  expect(placeOf(about('Welcome'), 'employee')).toBe('/employee/dashboard');
});
