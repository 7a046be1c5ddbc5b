import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KycApplication } from '#contract/api.ts';
import {
  ANSWER_MISSING,
  APPLICATION_DOCUMENT_TYPES,
  IMAGE_MISSING,
  KYC_DOCUMENT_LABELS,
  KYC_REQUIRED_FIELDS,
} from '#contract/kyc.ts';
import { ApiError, call } from '#web/api/client.ts';
import { answerOf, fieldOf, formatProblem } from '#web/features/kyc/answer-values.ts';
import { ANSWER_LABELS } from '#web/features/kyc/answer-words.ts';
import type { FormProblem } from '#web/ui/form-summary.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import type { Autosave, SeenApplication } from './autosave.ts';
import { stepAsking } from './wizard-plan.ts';

interface SubmitOptions {
  autosave: Autosave;
  onSubmitted: (application: KycApplication) => void;
  /** The application is no longer what is on screen: submitted elsewhere, or by another person. */
  onChanged: () => void;
}

/** Submits the application once everything typed is saved; says what is missing instead. */
export function useSubmit({ autosave, onSubmitted, onChanged }: SubmitOptions) {
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);

  const submit = useMutation({
    mutationFn: async () => {
      if (!(await autosave.flush())) {
        throw new UnsavedError('Your last changes are not saved yet.', []);
      }
      const unsaved = unsavedProblems(autosave);
      if (unsaved.length > 0) throw new UnsavedError('Not everything is saved', unsaved);
      const { id, version } = autosave.state().application;
      return submitOnce({ id, version });
    },
    onSuccess: (application) => {
      toast({
        title: 'Application Submitted',
        message: 'Your KYC application has been submitted for review',
        tone: 'positive',
      });
      onSubmitted(application);
    },
    onError: (error) => {
      const found = error instanceof UnsavedError ? error.problems : problemsOf(error);
      setProblems(found);
      setAttempt((count) => count + 1);
      if (found.length > 0) return;
      toast({
        title: 'Submission Failed',
        message:
          error instanceof ApiError || error instanceof UnsavedError
            ? error.message
            : 'Failed to submit application',
        tone: 'critical',
      });
      if (error instanceof ApiError) onChanged();
    },
  });

  return { submit, problems, attempt };
}

/** Something on screen is not saved, so that what would be submitted is not what is seen. */
class UnsavedError extends Error {
  override readonly name = 'UnsavedError';
  readonly problems: FormProblem[];

  constructor(message: string, problems: FormProblem[]) {
    super(message);
    this.problems = problems;
  }
}

function unsavedProblems(autosave: Autosave): FormProblem[] {
  const values = autosave.values();
  const { refused } = autosave.state();
  return autosave.unsaved().map((field) => {
    const why = refused[field] ?? formatProblem(field, values[field]) ?? 'It is not saved yet';
    const name = answerOf(field);
    const section = stepAsking(name).title;
    return { name: field, message: `${ANSWER_LABELS[name]}: ${why}`, section };
  });
}

/**
 * Submits it once. If the reply is lost, the application itself shows if it was submitted.
 *
 * @throws ApiError when it was refused; UnknownOutcomeError when nobody knows
 */
async function submitOnce(seen: SeenApplication): Promise<KycApplication> {
  try {
    return await call('submitMyApplication', { body: seen });
  } catch (error) {
    if (error instanceof ApiError && error.problem.status < 500) throw error;
    const now = await call('getMyApplication');
    if (now.id === seen.id && now.status === 'submitted') return now;
    throw error;
  }
}

/** The missing parts that keep an application from being submitted, by step. */
export function problemsOf(error: unknown): FormProblem[] {
  if (!(error instanceof ApiError) || error.problem.code !== 'application_incomplete') return [];
  return error.fields.map(({ path, message }) => {
    const answer = KYC_REQUIRED_FIELDS.find((name) => name === path);
    if (answer !== undefined) {
      const section = stepAsking(answer).title;
      return { name: fieldOf(answer), message: lineOf(ANSWER_LABELS[answer], message), section };
    }
    const image = APPLICATION_DOCUMENT_TYPES.find((type) => type === path);
    if (image === undefined) return { name: path, message };
    const section = stepAsking(image).title;
    return { name: image, message: lineOf(KYC_DOCUMENT_LABELS[image], message), section };
  });
}

/** The title over the lines says already that these are missing. */
function lineOf(label: string, message: string): string {
  const isMissing = message === ANSWER_MISSING || message === IMAGE_MISSING;
  return isMissing ? label : `${label}: ${message}`;
}
