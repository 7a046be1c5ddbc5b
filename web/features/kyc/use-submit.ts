import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KycApplication } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS, KYC_REQUIRED_FIELDS } from '#contract/kyc.ts';
import { ApiError, call } from '#web/api/client.ts';
import type { FormProblem } from '#web/ui/form-summary.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { fieldOf } from './answer-values.ts';
import { ANSWER_LABELS } from './answer-words.ts';
import type { Autosave } from './autosave.ts';

interface SubmitOptions {
  autosave: Autosave;
  onSubmitted: (application: KycApplication) => void;
  /** The application is no longer what is on screen: submitted elsewhere, or by somebody else. */
  onChanged: () => void;
}

/** Submits the application once everything typed is saved; tells what is missing instead. */
export function useSubmit({ autosave, onSubmitted, onChanged }: SubmitOptions) {
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);

  const submit = useMutation({
    // Without a connection it fails at once and says so, instead of waiting for one in silence.
    networkMode: 'always',
    mutationFn: async () => {
      if (!(await autosave.flush())) throw new Error('Your last changes are not saved yet.');
      const { version } = autosave.state().application;
      return call('submitMyApplication', { body: { version } });
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
      const found = problemsOf(error);
      setProblems(found);
      setAttempt((count) => count + 1);
      if (found.length > 0) return;
      toast({
        title: 'Submission Failed',
        message: error instanceof ApiError ? error.message : 'Failed to submit application',
        tone: 'critical',
      });
      if (error instanceof ApiError) onChanged();
    },
  });

  return { submit, problems, attempt };
}

const LABELS: Readonly<Record<string, string>> = { ...ANSWER_LABELS, ...KYC_DOCUMENT_LABELS };

function problemsOf(error: unknown): FormProblem[] {
  if (!(error instanceof ApiError) || error.problem.code !== 'application_incomplete') return [];
  return error.fields.map(({ path, message }) => {
    const answer = KYC_REQUIRED_FIELDS.find((name) => name === path);
    return {
      name: answer === undefined ? path : fieldOf(answer),
      message: `${LABELS[path] ?? path}: ${message}`,
    };
  });
}
