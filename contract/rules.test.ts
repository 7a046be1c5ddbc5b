import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNTS,
  accountNumberRule,
  eitherNumberRule,
  eitherRoutingRule,
  routingNumberRule,
} from './account-formats.ts';
import { bankAccountRules } from './bank-accounts.ts';
import { emailRule } from './email.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from './kyc.ts';
import { kycAnswerRules } from './kyc-answer-rules.ts';
import { decimalAmount, MAX_AMOUNT_MINOR, readAmount } from './money.ts';
import { payrollOrderRules } from './payroll.ts';
import { itemNoteRule, notesRule, reasonRule } from './reasons.ts';
import { amount, numberOf, textOf } from './routes/values.ts';
import { line, plainTextProblem, problemOf, problemUnlessEmpty, readNumber } from './rules.ts';
import type { TextRule } from './rules.ts';

const RULES: Record<string, TextRule> = {
  ...bankAccountRules,
  accountNumberRule,
  routingNumberRule,
  eitherNumberRule,
  eitherRoutingRule,
  iban: ACCOUNTS.iban.number.rule,
  ...kycAnswerRules,
  ...payrollOrderRules,
  emailRule,
  reasonRule,
  notesRule,
  itemNoteRule,
};

/** Typical and malicious input. */
const typed = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.stringMatching(/^[\d -]{0,20}$/),
  fc.emailAddress(),
  fc.integer({ min: 0, max: 3_000 }).map((length) => 'a'.repeat(length)),
  fc.constantFrom('', '   ', '\n', '021000021', ' 021 000 021 ', '+1 (206) 555-0147', 'a\nb'),
);

describe.each(Object.entries(RULES))('the rule %s', (_name, rule) => {
  it('is what the server refuses by, with the same words', () => {
    const schema = textOf(rule);
    fc.assert(
      fc.property(typed, (text) => {
        const { success, data, error } = schema.safeParse(text);
        expect(error?.issues[0]?.message).toBe(problemOf(rule, text));
        if (success) expect(data).toBe(rule.clean(text));
      }),
    );
  });
});

describe('a line', () => {
  const rule = line(5, 'Enter a name');
  it.each([
    ['', 'Enter a name'],
    ['  ', 'Enter a name'],
    ['Maya', undefined],
    [' Maya ', undefined],
    ['Castel', 'Use at most 5 characters'],
    ['a\nb', 'Use plain text on one line. Remove the line break.'],
    ['a\u0000b', 'Use plain text on one line. Remove the invisible character U+0000.'],
  ])('%j: %s', (text, problem) => {
    expect(problemOf(rule, text)).toBe(problem);
  });

  it('may be left empty where that is allowed', () => {
    expect(problemUnlessEmpty(rule, ' ')).toBeUndefined();
    expect(problemUnlessEmpty(rule, 'Castellanos')).toBe('Use at most 5 characters');
  });
});

describe('a whole number', () => {
  it.each([MIN_AGE_YEARS, RETENTION_DAYS])('is read as the server takes it: %j', (rule) => {
    const schema = numberOf(rule);
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 5_000 }), (number) => {
        expect(readNumber(rule, String(number))).toBe(schema.safeParse(number).data ?? null);
      }),
    );
    for (const text of ['', ' ', '18.5', '1e1', '0x12', 'eighteen', '+18']) {
      expect(readNumber(rule, text)).toBeNull();
    }
    expect(readNumber(rule, ` ${rule.least} `)).toBe(rule.least);
  });
});

describe('an amount that a request names', () => {
  it('is read as the server takes it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR + 2n }), (minor) => {
        const read = readAmount(decimalAmount(minor), 'USD');
        expect(read === null).toBe(
          !amount.safeParse({ minor: String(minor), currency: 'USD' }).success,
        );
        if (read !== null) expect(read).toBe(minor);
      }),
    );
  });

  it('is read with the separators of people', () => {
    expect(readAmount(' 1,250.5 ', 'USD')).toBe(125_050n);
  });

  it.each(['', '0', '-1', '1.005', 'ten', '1e3'])('is none in %j', (text) => {
    expect(readAmount(text, 'USD')).toBeNull();
  });
});

describe('a text', () => {
  it.each([
    ['\u001b[31mred', 'Use plain text. Remove the invisible character U+001B.'],
    ['Ann\u0007', 'Use plain text. Remove the invisible character U+0007.'],
    ['An\u009bn', 'Use plain text. Remove the invisible character U+009B.'],
    ['Ann \ud800', 'Use plain text'],
    ['a\tb\r\nc', undefined],
  ])('%j: %s', (text, problem) => {
    expect(plainTextProblem(text)).toBe(problem);
  });
});

describe('a line of text', () => {
  const rule = line(80);
  it.each([
    ['turns the direction', 'Maya \u202eelbajur', 'U+202E'],
    ['isolates a direction', 'Maya \u2066x\u2069', 'U+2066'],
    ['has no width', 'Ma\u200bya', 'U+200B'],
    ['is a byte order mark', 'Ma\ufeffya', 'U+FEFF'],
    ['is a soft hyphen', 'Ma\u00adya', 'U+00AD'],
    ['is a C1 control', 'Ma\u0085ya', 'U+0085'],
    ['ends a line unseen', 'Maya\u2028Lee', 'U+2028'],
  ])('refuses a character that %s', (_what, text, code) => {
    expect(problemOf(rule, text)).toBe(
      `Use plain text on one line. Remove the invisible character ${code}.`,
    );
  });

  it.each(['Zoë Ånström', 'O’Brien', '山田 太郎', 'علی‌رضا', 'क्‍ष', '👩‍💻'])('takes %s', (text) => {
    expect(problemOf(rule, text)).toBeUndefined();
  });
});
