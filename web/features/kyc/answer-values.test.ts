import { describe, expect, test } from 'vitest';
import { checkAnswers, formatProblem, valuesOf, type AnswerValues } from './answer-values.ts';

const RULES = { today: '2026-12-08', minAgeYears: 18 };

function check(values: Partial<AnswerValues>) {
  return checkAnswers({ ...valuesOf({}), ...values }, RULES);
}

describe('valuesOf', () => {
  test('shows saved answers as they are typed', () => {
    const values = valuesOf({ dateOfBirth: '1991-03-14', expectedMonthlyTxVolume: 10_000 });
    expect(values.dateOfBirth).toBe('03/14/1991');
    expect(values.expectedMonthlyTxVolume).toBe('10000');
    expect(values.pep).toBe(false);
    expect(values.city).toBe('');
  });
});

describe('checkAnswers', () => {
  test('holds a postal code against the country', () => {
    expect(check({ country: 'US', postalCode: 'SW1A 1AA' })).toEqual({
      postalCode: 'This is not a postal code of the chosen country',
    });
    expect(check({ country: 'GB', postalCode: 'SW1A 1AA' })).toEqual({});
    expect(check({ country: 'other', postalCode: '' })).toEqual({});
    expect(check({ postalCode: '98101' })).toEqual({});
  });

  test('leaves what is missing alone', () => {
    expect(check({})).toEqual({});
  });

  test.each([
    ['12/09/2026', 'Enter a date in the past'],
    ['12/09/2008', 'You have to be at least 18 years old'],
    ['31/12/1990', 'Enter the month first: 12/31/1990'],
    ['31.13.1990', 'Enter a date as MM/DD/YYYY'],
    ['02/30/1990', 'This day does not exist'],
    ['01/01/1800', 'Check the year'],
  ])('refuses the birth date %s', (dateOfBirth, message) => {
    expect(check({ dateOfBirth })).toEqual({ dateOfBirth: message });
  });

  test('takes who comes of age today', () => {
    expect(check({ dateOfBirth: '12/08/2008' })).toEqual({});
  });

  test('refuses a document that expires today or has expired', () => {
    expect(check({ idExpiryDate: '12/08/2026' })).toHaveProperty('idExpiryDate');
    expect(check({ idExpiryDate: '12/09/2026' })).toEqual({});
  });
});

describe('formatProblem', () => {
  test.each([
    ['phoneNumber', '12345'],
    ['email', 'maya@'],
    ['postalCode', '!'],
    ['idNumber', '#1'],
    ['occupation', 'x'.repeat(81)],
  ] as const)('refuses %s %s', (field, value) => {
    expect(formatProblem(field, value)).toBeDefined();
  });

  test.each([
    ['phoneNumber', '(206) 555-0148'],
    ['postalCode', 'SW1A 1AA'],
    ['idNumber', 'SPEC-7K42-1908'],
    ['accountPurpose', ''],
  ] as const)('takes %s %j', (field, value) => {
    expect(formatProblem(field, value)).toBeUndefined();
  });
});
