import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ErrorCode } from '#contract/errors.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { ApiError, type CallOptions } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { useKeyedMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast, type ToastWords } from '#web/ui/toast-queue.ts';
import type { FormState } from './form-state.ts';

/** Field that a refusal is about, with words in place of the server's sentence. */
type Place<Values extends FieldValues> =
  | FieldPath<Values>
  | { field: FieldPath<Values>; message: string };

/** Fields that refusals are about, where the server names none. */
export type Places<Values extends FieldValues> = Partial<Record<ErrorCode, Place<Values>>>;

export interface FormTaskOptions<Values extends FieldValues, Reply, Input = Values> {
  send: (input: Input, options: CallOptions) => Promise<Reply>;
  /** Topics whose reads are asked for again once it is done. */
  topics?: readonly EventTopic[];
  /** Message once it is done. */
  done?: ToastWords | ((reply: Reply, input: Input) => ToastWords);
  /** Called once it is done: close, go on. */
  onDone?: (reply: Reply, input: Input) => unknown;
  places?: Places<Values>;
  /** Called after a field has shown a refusal. */
  onPlaced?: (field: FieldPath<Values>) => void;
  /** Says a failure that no field explains. Without it the form says it itself. */
  onFailed?: (error: Error, input: Input) => void;
  /** Name under which an unanswered request is kept for a reload, see {@link useKeyedMutation}. */
  keptAs?: string;
}

/** State of sending a form. */
export interface FormTask<Input> {
  submit: (input: Input) => void;
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
export function useFormTask<Values extends FieldValues, Reply, Input = Values>(
  { form, fields, focus }: FormState<Values>,
  options: FormTaskOptions<Values, Reply, Input>,
): FormTask<Input> & { isUnanswered: (input: Input) => boolean } {
  const { send, topics = [], done, onDone, places = {}, onPlaced, onFailed, keptAs } = options;
  const names = Object.keys(fields) as FieldPath<Values>[];
  const [failure, setFailure] = useState<string>();
  const queryClient = useQueryClient();

  /** Shows a refusal at the fields it is about. Returns the first of them. */
  function showAtFields(error: ApiError): FieldPath<Values> | undefined {
    const place = places[error.problem.code];
    const problems = place === undefined ? namedProblems(error, names) : [placed(place, error)];
    for (const { field, message } of problems) form.setError(field, { type: 'server', message });
    return problems[0]?.field;
  }

  const mutation = useKeyedMutation<Input, Reply>({
    send,
    ...(keptAs !== undefined && { keptAs }),
    onSuccess: async (reply, input) => {
      for (const topic of topics) markStale(queryClient, topic);
      await onDone?.(reply, input);
      const words = typeof done === 'function' ? done(reply, input) : done;
      if (words !== undefined) toast({ ...words, tone: 'positive' });
    },
    onError: (error, input) => {
      const field = error instanceof ApiError ? showAtFields(error) : undefined;
      if (field !== undefined) {
        if (focus === 'field') form.setFocus(field);
        onPlaced?.(field);
      } else if (onFailed !== undefined) onFailed(error, input);
      else setFailure(errorMessage(error, 'Nothing was changed. Please try again.'));
    },
  });

  return {
    submit: (input) => {
      setFailure(undefined);
      mutation.mutate(input);
    },
    isPending: mutation.isPending,
    failure,
    outcome: mutation.outcome,
    isUnanswered: mutation.isUnanswered,
  };
}

function placed<Values extends FieldValues>(place: Place<Values>, error: ApiError) {
  return typeof place === 'string' ? { field: place, message: error.message } : place;
}

/** Problems that the server names by fields of this form. */
function namedProblems<Values extends FieldValues>(
  error: ApiError,
  names: readonly FieldPath<Values>[],
) {
  return error.fields.flatMap(({ path, message }) => {
    const field = names.find((known) => path === known || path.startsWith(`${known}.`));
    return field === undefined ? [] : [{ field, message }];
  });
}
