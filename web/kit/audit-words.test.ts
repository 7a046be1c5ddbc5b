import { expect, test } from 'vitest';
import { auditWords, changesOf, factLabel, factWords } from './audit-words.ts';

test('an act has words; one that is new shows its name', () => {
  expect(auditWords('settings.updated')).toBe('Changed setting');
  expect(auditWords('kyc.review_claimed')).toBe('KYC review claimed');
});

test('a change is described by the names of the settings, before and after', () => {
  const details = {
    fields: ['payrollCancelSeconds', 'separatePayout', 'separatePayoutMinor', 'schedule', 'demo'],
    before: ['60', 'null', 'null', 'null', '"unfinished"'],
    after: [
      '30',
      '{"minor":"250000","currency":"USD"}',
      '250000',
      '{"frequency":"weekly"}',
      '"complete"',
    ],
  };
  expect(changesOf(details, 'USD')).toEqual([
    { label: 'Cancel window', before: '60', after: '30' },
    { label: 'Completing a payout of at least', before: 'None', after: '2500.00 USD' },
    { label: 'Completing a payout of at least', before: 'None', after: '250000' },
    { label: 'Payroll schedule', before: 'None', after: '{"frequency":"weekly"}' },
    { label: 'Demo', before: 'unfinished', after: 'complete' },
  ]);
  expect(changesOf({ reason: 'Left' }, 'USD')).toEqual([]);
});

test('a fact has a label, and an amount is not in its smallest unit', () => {
  expect([factLabel('amountMinor', 'USD'), factWords('amountMinor', '150000')]).toEqual([
    'Amount',
    '1500.00',
  ]);
  expect(factWords('reason', 'Left')).toBe('Left');
  expect(factWords('fields', ['a', 'b'])).toBe('a, b');
});
