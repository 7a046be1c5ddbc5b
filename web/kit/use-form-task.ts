import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, type CallOptions } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { useKeyedMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import type { FormState } from './form-state.ts';

interface FormTaskOptions<Values extends FieldValues, Reply> {
  send: (values: Values, options: CallOptions) => Promise<Reply>;
  /** It is done: close, say so, ask again for what shows it. */
  onDone: (reply: Reply) => void;
  /** The field that a refusal is about, where the server names none. */
  places?: Partial<Record<ErrorCode, FieldPath<Values>>>;
  /** The message over a failure that no field explains; without it the form says it itself. */
  failedTitle?: string;
  /** Under it, where the server gave no reason. */
  failedHint?: string;
}

/** State of sending a form. */
export interface FormTask<Values extends FieldValues> {
  submit: (values: Values) => void;
  isPending: boolean;
  /** Why it was not done, where no field says it and no message did. */
  failure: string | undefined;
  /** State of sending, for `OutcomeNotice`. */
  outcome: { isSending: boolean; isUnknown: boolean };
}

/**
 * Sends a form. What the server refuses is shown at the fields that it names. A retry after an
 * unknown outcome carries the same Idempotency-Key.
 */
export function useFormTask<Values extends FieldValues, Reply>(
  { form, fields }: FormState<Values>,
  { send, onDone, places = {}, failedTitle, failedHint }: FormTaskOptions<Values, Reply>,
): FormTask<Values> {
  const names = Object.keys(fields) as FieldPath<Values>[];
  const [failure, setFailure] = useState<string>();

  /** True if a field shows it. */
  function placeProblem(error: unknown): boolean {
    const refusal = error instanceof ApiError ? error : undefined;
    const name = refusal && places[refusal.problem.code];
    if (refusal === undefined || name === undefined) return showProblem(form, names, error);
    form.setError(name, { type: 'server', message: refusal.message });
    return true;
  }

  const mutation = useKeyedMutation<Values, Reply>({
    send,
    onSuccess: onDone,
    onError: (error) => {
      if (placeProblem(error)) return;
      if (failedTitle === undefined) {
        setFailure(errorMessage(error, 'Nothing was changed. Please try again.'));
      } else {
        const message = error instanceof ApiError ? error.message : failedHint;
        toast({ title: failedTitle, message, tone: 'critical' });
      }
    },
  });

  return {
    submit: (values) => {
      setFailure(undefined);
      mutation.mutate(values);
    },
    isPending: mutation.isPending,
    failure,
    outcome: mutation.outcome,
  };
}
