import { expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import { readTyped, typedOf, wordsOf } from './typed-settings.ts';

test('reading back a displayed value gives the same value', () => {
  for (const [name, value] of [
    ['payrollLineLimit', money(5_000_000n, 'USD')],
    ['separatePayout', null],
    ['joinDomains', ['a.example', 'b.example']],
    ['adminIdleMinutes', 30],
    ['requireAdminTwoFactor', true],
    ['supportEmail', ''],
    ['payrollFrequency', 'monthly'],
    ['payrollFirstPayday', '2026-12-11'],
    ['payrollFirstPayday', ''],
  ] satisfies [SettingName, SettingValues[SettingName]][]) {
    expect(readTyped(name, typedOf(name, value), 'USD'), name).toEqual({ value });
  }
});

test('an error message comes from the setting’s own rule', () => {
  expect(readTyped('kycRetentionDays', '0', 'USD')).toEqual({
    problem: 'Enter a number of days from 30 to 3650',
  });
  expect(readTyped('payrollLineLimit', '', 'USD')).toEqual({
    problem: 'Please fill in all required fields',
  });
  expect(readTyped('payrollLineLimit', '1000000000000000000', 'USD')).toEqual({
    problem: 'Please enter a valid amount',
  });
  expect(readTyped('payrollFirstPayday', '02/30/2026', 'USD')).toEqual({
    problem: 'This day does not exist',
  });
  expect(readTyped('joinDomains', 'Tallis.example, no domain', 'USD')).toEqual({
    problem: 'Enter a domain such as example.com',
  });
  expect(readTyped('joinDomains', '@Tallis.example; tallis.example', 'USD')).toEqual({
    value: ['tallis.example'],
  });
});

test('a value is described in words', () => {
  expect(wordsOf('payrollCancelSeconds', 30)).toBe('30 seconds');
  expect(wordsOf('timeZone', 'pst')).toBe('Pacific (PST)');
  expect(wordsOf('payrollFirstPayday', '2026-12-11')).toBe('Dec 11, 2026');
  expect(wordsOf('separatePayout', null)).toBe('Not set');
  expect(wordsOf('separatePayout', money(250_000n, 'USD'))).toBe('2,500.00 USD');
});
