import { expect, test } from 'vitest';
import { checkCompletion } from './completion.tsx';

const check = (leftBankOn: string, bankReference = '') =>
  checkCompletion({ leftBankOn, bankReference }, '2026-12-08');

test('a day that is over or today, and a short reference or none, can complete a payout', () => {
  expect(check('12/08/2026')).toEqual({});
  expect(check('11/30/2026', 'x'.repeat(35))).toEqual({});
});

test('a day ahead, no day and a long reference are said at their fields', () => {
  expect(check('12/09/2026')).toEqual({ leftBankOn: 'This day is in the future' });
  expect(check('')).toEqual({ leftBankOn: 'Enter a date as MM/DD/YYYY' });
  expect(check('12/08/2026', 'x'.repeat(36))).toEqual({
    bankReference: 'Use at most 35 characters',
  });
});
