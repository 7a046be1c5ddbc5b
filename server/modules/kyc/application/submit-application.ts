import { dayIn } from '#contract/calendar.ts';
import type { FieldError } from '#contract/errors.ts';
import {
  ANSWER_MISSING,
  APPLICATION_DOCUMENT_TYPES,
  BIRTH_YEAR_PROBLEM,
  hasReachedAge,
  IMAGE_MISSING,
  MAX_AGE_YEARS,
  requiredFields,
} from '#contract/kyc.ts';
import { postalCodeProblem } from '#contract/postal-codes.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { applicationDocuments } from '../documents/documents.ts';
import { checkSeen, lockOwnApplication } from '../lock-application.ts';
import type { SeenApplication } from '../lock-application.ts';
import { openAnswers } from './answers.ts';
import type { StoredAnswers } from './answers.ts';
import { NO_WORDS, enterAction } from './history.ts';
import { presentApplication } from './present.ts';

/**
 * Submits the actor's own application as they reviewed it (`seen`); from then on it cannot be
 * edited unless an admin asks for it.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`, `application_stale`,
 *   `application_incomplete` with every answer and image that is missing or does not fit
 */
export async function submitApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  seen: SeenApplication,
): Promise<KycApplication> {
  const userId = by.actor.id;
  const row = await lockOwnApplication(tx, userId, 'submit');
  checkSeen(row, seen);
  const { timeZone, kycMinAgeYears } = await readSettings(tx);
  const now = services.clock.now();
  const answers = await openAnswers(tx, services.vault, row);
  const documents = await applicationDocuments(tx, row.id);
  const errors = submissionErrors(
    { answers, answered: row.answered, documents },
    { today: dayIn(timeZone, now), minAgeYears: kycMinAgeYears },
  );
  if (errors.length > 0) throw new AppError('application_incomplete', {}, errors);

  const submitted = await tx
    .updateTable('kycApplication')
    .set({
      status: 'submitted',
      submittedAt: now,
      unrecordedFields: [],
      version: row.version + 1,
      updatedAt: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterAction(tx, services, by, submitted, { action: 'submitted', written: NO_WORDS });
  journal(tx, by, application, 'submit', {
    id: row.id,
    userId,
    at: now,
    details: { fields: row.unrecordedFields },
    words: {},
  });
  return presentApplication(tx, services.vault, submitted);
}

/**
 * Reasons that keep an application from being submitted on `today` (`2026-12-08`): required answers that
 * are missing, a postal code of another country, dates that do not fit the day, and images that are missing or were
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
  const { country, postalCode = '', dateOfBirth, idExpiryDate } = answers;
  const errors: FieldError[] = requiredFields(country)
    .filter((name) => !answered.includes(name))
    .map((path) => ({ path, message: ANSWER_MISSING }));
  const code = postalCode === '' ? undefined : postalCodeProblem(country, postalCode);
  if (code !== undefined) errors.push({ path: 'postalCode', message: code });
  if (dateOfBirth !== undefined) errors.push(...birthErrors(dateOfBirth, today, minAgeYears));
  if (idExpiryDate !== undefined && idExpiryDate <= today) {
    errors.push({ path: 'idExpiryDate', message: 'The document must be valid beyond today' });
  }
  for (const path of APPLICATION_DOCUMENT_TYPES) {
    const document = documents.find(({ type }) => type === path);
    if (document === undefined) errors.push({ path, message: IMAGE_MISSING });
    else if (document.status === 'rejected') {
      errors.push({ path, message: 'This image was rejected. Upload a new one' });
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
