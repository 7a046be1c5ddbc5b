import { expect, test } from 'vitest';
import { answerText, incomeOptions, volumeOptions } from './answer-words.ts';

test('ranges of income are in the currency of the company', () => {
  expect(incomeOptions('USD').map(({ label }) => label)).toEqual([
    'Under $1,000',
    '$1,000 – $2,500',
    '$2,500 – $5,000',
    '$5,000 – $10,000',
    '$10,000 – $25,000',
    '$25,000 – $50,000',
    'Over $50,000',
  ]);
  expect(incomeOptions('EUR')[1]).toEqual({ value: '1000_2500', label: '€1,000 – €2,500' });
});

test('expected amounts are in the currency of the company', () => {
  expect(volumeOptions('GBP').at(-1)).toEqual({ value: '500000', label: '£500,000' });
});

test('answers that are amounts are read back in the currency of the company', () => {
  const application = {
    answers: { monthlyIncomeRange: 'over_50000' as const, expectedMonthlyTxVolume: 10_000 },
    answered: [],
  } satisfies Parameters<typeof answerText>[0];
  expect(answerText(application, 'monthlyIncomeRange', 'GBP')).toBe('Over £50,000');
  expect(answerText(application, 'expectedMonthlyTxVolume', 'EUR')).toBe('€10,000');
  const none = { answers: {}, answered: [] };
  expect(answerText(none, 'monthlyIncomeRange', 'USD')).toBeUndefined();
});
