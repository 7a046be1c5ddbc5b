import type { FieldError } from '#contract/errors.ts';
import { hasReachedAge, KYC_MIN_AGE_YEARS, KYC_REQUIRED_FIELDS } from '#contract/kyc.ts';
import type { StoredAnswers } from './answers.ts';

/**
 * What keeps an application from being submitted on `today` (`2026-12-08`): required answers that
 * are missing (spec, section 5) and dates that do not fit the day. Nothing is an empty list.
 */
export function submissionErrors(
  answers: StoredAnswers,
  answered: readonly string[],
  today: string,
): FieldError[] {
  const errors: FieldError[] = KYC_REQUIRED_FIELDS.filter((name) => !answered.includes(name)).map(
    (path) => ({ path, message: 'This answer is required' }),
  );
  const { dateOfBirth, idExpiryDate } = answers;
  if (dateOfBirth !== undefined) errors.push(...birthErrors(dateOfBirth, today));
  if (idExpiryDate !== undefined && idExpiryDate <= today) {
    errors.push({ path: 'idExpiryDate', message: 'The document has to be valid beyond today' });
  }
  return errors;
}

function birthErrors(dateOfBirth: string, today: string): FieldError[] {
  const path = 'dateOfBirth';
  if (dateOfBirth >= today) return [{ path, message: 'Enter a date in the past' }];
  if (hasReachedAge(dateOfBirth, KYC_MIN_AGE_YEARS, today)) return [];
  return [{ path, message: `You have to be at least ${KYC_MIN_AGE_YEARS} years old` }];
}
