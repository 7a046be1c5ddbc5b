import type { FieldError } from '#contract/errors.ts';
import {
  ANSWER_MISSING,
  APPLICATION_DOCUMENT_TYPES,
  BIRTH_YEAR_PROBLEM,
  hasReachedAge,
  IMAGE_MISSING,
  KYC_REQUIRED_FIELDS,
  MAX_AGE_YEARS,
} from '#contract/kyc.ts';
import type { StoredAnswers } from './answers.ts';

/**
 * What keeps an application from being submitted on `today` (`2026-12-08`): required answers that
 * are missing, dates that do not fit the day, and images that are missing or were
 * rejected. Nothing is an empty list.
 */
export function submissionErrors(
  {
    answers,
    answered,
    documents,
  }: {
    answers: StoredAnswers;
    answered: readonly string[];
    documents: readonly { type: string; status: string }[];
  },
  { today, minAgeYears }: { today: string; minAgeYears: number },
): FieldError[] {
  const errors: FieldError[] = KYC_REQUIRED_FIELDS.filter((name) => !answered.includes(name)).map(
    (path) => ({ path, message: ANSWER_MISSING }),
  );
  const { dateOfBirth, idExpiryDate } = answers;
  if (dateOfBirth !== undefined) errors.push(...birthErrors(dateOfBirth, today, minAgeYears));
  if (idExpiryDate !== undefined && idExpiryDate <= today) {
    errors.push({ path: 'idExpiryDate', message: 'The document has to be valid beyond today' });
  }
  for (const path of APPLICATION_DOCUMENT_TYPES) {
    const document = documents.find(({ type }) => type === path);
    if (document === undefined) errors.push({ path, message: IMAGE_MISSING });
    else if (document.status === 'rejected') {
      errors.push({ path, message: 'This image was rejected; upload a new one' });
    }
  }
  return errors;
}

function birthErrors(dateOfBirth: string, today: string, minAgeYears: number): FieldError[] {
  const path = 'dateOfBirth';
  if (hasReachedAge(dateOfBirth, MAX_AGE_YEARS, today)) {
    return [{ path, message: BIRTH_YEAR_PROBLEM }];
  }
  if (dateOfBirth >= today) return [{ path, message: 'Enter a date in the past' }];
  if (hasReachedAge(dateOfBirth, minAgeYears, today)) return [];
  return [{ path, message: `You have to be at least ${minAgeYears} years old` }];
}
