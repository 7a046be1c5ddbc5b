import { describe, expect, test } from 'vitest';
import { accountNumberRule, routingNumberRule } from './account-formats.ts';
import { bankAccountRules } from './bank-accounts.ts';
import { emailRule } from './email.ts';
import { appCodeOf } from './identity.ts';
import { kycAnswerRules } from './kyc-answer-rules.ts';
import { fullNameRule } from './people.ts';
import { nameRules } from './person-name.ts';
import { line, paragraph, problemOf, readNumber, withoutEnds } from './rules.ts';
import { readAmount } from './money.ts';
import type { TextRule } from './rules.ts';

/** Texts as they are copied from pages, mails, papers and spreadsheets. */
const COPIED: readonly [what: string, rule: TextRule, typed: string, kept: string][] = [
  ['phone', kycAnswerRules.phoneNumber, '\u202a+1 (415) 555\u20110100\u202c', '+1 (415) 555-0100'],
  ['phone', kycAnswerRules.phoneNumber, '415\u2013555\u20130100', '415-555-0100'],
  ['routing number', routingNumberRule, '\u202d021000021\u202c', '021000021'],
  ['routing number', routingNumberRule, '021\u2011000\u2011021', '021000021'],
  ['routing number', routingNumberRule, '021000021\u200b', '021000021'],
  ['account number', accountNumberRule, '\u200e12345678', '12345678'],
  ['account number', accountNumberRule, '1234\u00a05678', '12345678'],
  ['name', fullNameRule, 'Jane\u00a0Roe', 'Jane Roe'],
  ['name', fullNameRule, 'Jane Roe\u200b', 'Jane Roe'],
  [
    'name',
    fullNameRule,
    '\u200e\u0645\u062d\u0645\u062f \u0639\u0644\u064a\u200f',
    '\u0645\u062d\u0645\u062f \u0639\u0644\u064a',
  ],
  ['name', fullNameRule, '\u5c71\u7530\u3000\u592a\u90ce', '\u5c71\u7530 \u592a\u90ce'],
  ['name', fullNameRule, 'Anne\u2011Marie  Roe', 'Anne-Marie Roe'],
  ['name', nameRules.firstName, 'Nu\u0301ria', 'N\u00faria'],
  ['holder', bankAccountRules.accountHolderName, ' Jane\u00a0 Roe\u200e', 'Jane Roe'],
  ['name on an application', kycAnswerRules.fullName, 'Jane\u202fRoe', 'Jane Roe'],
  ['email', emailRule, 'maya@purser.test\u200b', 'maya@purser.test'],
  ['postal code', kycAnswerRules.postalCode, '\u200eSW1A\u00a01AA', 'SW1A 1AA'],
  ['ID number', kycAnswerRules.idNumber, 'X12\u201134567\u200b', 'X12-34567'],
  ['ID number', kycAnswerRules.idNumber, 'LEE**JD234QT', 'LEE**JD234QT'],
  ['ID number', kycAnswerRules.idNumber, 'A123456(7)', 'A123456(7)'],
  ['ID number', kycAnswerRules.idNumber, '\u0410\u0412123456', '\u0410\u0412123456'],
  ['city', kycAnswerRules.city, '\u200bNew\u00a0York ', 'New York'],
  ['reason', paragraph(100), '\ufeff first\nsecond \u200b', 'first\nsecond'],
];

test.each(COPIED)('%s: a copied one is taken as it is meant', (_what, rule, typed, kept) => {
  expect(rule.clean(typed)).toBe(kept);
  expect(rule.clean(kept)).toBe(kept);
  expect(problemOf(rule, typed)).toBeUndefined();
});

test.each(['\u200e320.00', '320.00\u200b', '\u00a0320.00'])('an amount is read: %j', (typed) => {
  expect(readAmount(typed, 'USD')).toBe(32_000n);
});

test('a code and a whole number are read', () => {
  expect(appCodeOf('\u202a284\u00a0193\u202c')).toBe('284193');
  expect(appCodeOf('284\u2011193')).toBe('284193');
  expect(readNumber({ least: 1, most: 90, problem: 'x' }, '\u200e30\u200b')).toBe(30);
});

describe('a refusal names the character', () => {
  test.each([
    [line(80), 'Ma\u200bya', 'Remove the invisible character U+200B.'],
    [fullNameRule, 'Na\u202edia Osei', 'Remove the invisible character U+202E.'],
    [line(80), 'a\tb', 'Remove the tab.'],
    [emailRule, 'ma\u200bya@purser.test', 'Remove the invisible character U+200B.'],
    [accountNumberRule, '1234O678', 'Remove \u201cO\u201d.'],
    [routingNumberRule, '02100002l', 'Remove \u201cl\u201d.'],
    [kycAnswerRules.phoneNumber, '415 555 0100 x7', 'Remove \u201cx\u201d.'],
    [kycAnswerRules.postalCode, '98101#', 'Remove \u201c#\u201d.'],
    [kycAnswerRules.idNumber, 'X123_456', 'Remove \u201c_\u201d.'],
  ])('%#: %o', (rule, typed, words) => {
    expect(problemOf(rule, typed)).toContain(words);
  });
});

test('a control character at an end is refused, not dropped', () => {
  expect(withoutEnds('Ann\u0000')).toBe('Ann\u0000');
});
