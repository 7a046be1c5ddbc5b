import { expect, test } from 'vitest';
import { KYC_REQUIRED_FIELDS } from '#contract/kyc.ts';
import { submissionErrors } from './submit-application.ts';

test.each([
  ['1800-01-01', 'Check the year'],
  ['2026-12-08', 'Enter a date in the past'],
  ['2010-01-01', 'You have to be at least 18 years old'],
  ['1991-03-14', undefined],
])('a birthday of %s is refused with: %s', (dateOfBirth, message) => {
  const material = { answers: { dateOfBirth }, answered: KYC_REQUIRED_FIELDS, documents: [] };
  const errors = submissionErrors(material, { today: '2026-12-08', minAgeYears: 18 });
  expect(errors.find(({ path }) => path === 'dateOfBirth')?.message).toBe(message);
});

const PLACES = [
  ['US', '98101', undefined],
  ['US', 'SW1A 1AA', 'This is not a postal code of the chosen country'],
  ['GB', undefined, 'This answer is required'],
  ['other', undefined, undefined],
  ['other', '110001', undefined],
] as const;

test.each(PLACES)(
  'in %s the postal code %s is refused with: %s',
  (country, postalCode, message) => {
    const answers = { country, ...(postalCode !== undefined && { postalCode }) };
    const answered = KYC_REQUIRED_FIELDS.filter(
      (name) => name !== 'postalCode' || postalCode !== undefined,
    );
    const material = { answers, answered, documents: [] };
    const errors = submissionErrors(material, { today: '2026-12-08', minAgeYears: 18 });
    expect(errors.find(({ path }) => path === 'postalCode')?.message).toBe(message);
  },
);
