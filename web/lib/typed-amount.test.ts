import { expect, test } from 'vitest';
import { readAmount } from '#contract/money.ts';
import { groupAmount } from './typed-amount.ts';

test.each([
  ['1234567.5', '1,234,567.5'],
  ['1920', '1,920'],
  ['320.00', '320.00'],
  ['1,920.00', '1,920.00'],
  ['12,34', '12,34'],
  ['$1234', '$1234'],
  ['1e9', '1e9'],
  ['', ''],
])('%s is shown as %s', (typed, shown) => {
  expect(groupAmount(typed)).toBe(shown);
});

test('grouping never changes what an amount is', () => {
  for (const typed of ['1234567.5', '1000', '999999.99', '10000000', '01234.50', '0001']) {
    expect(readAmount(groupAmount(typed), 'USD')).toBe(readAmount(typed, 'USD'));
  }
});
