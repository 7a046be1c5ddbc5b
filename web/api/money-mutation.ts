import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RouteInput, RouteReply, RouteName } from '#contract/api.ts';
import { newKey } from '#web/lib/new-key.ts';
import { ApiError, call, type CallOptions } from './client.ts';
import { keepUnanswered, loadUnanswered, type Unanswered } from './unanswered.ts';

/** A refusal after which the request certainly has had no effect, and never will under this key. */
export function isDefinitive(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status < 500 && error.problem.status !== 429;
}

/**
 * True if nobody knows that the request had its effect: no answer came, or the server itself does not know
 * (503: its COMMIT was not answered).
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  return !(error instanceof ApiError) || error.problem.status === 503;
}

interface Handlers<Input, Reply> {
  onSuccess?: (reply: Reply, input: Input) => unknown;
  onError?: (error: Error, input: Input) => unknown;
  /**
   * Under which an unanswered request is kept for a reload: what it asks for is kept too, and the person's
   * id is part of the name. Without one it is kept as long as the screen.
   */
  keptAs?: string;
}

/**
 * A mutation with an Idempotency-Key that is new for each new input and after each definitive
 * answer, and is kept only to retry a request whose outcome is unknown: a double click, a retry and
 * a lost reply have one effect, and a second identical request on purpose works. An operation that
 * needs no key ignores it.
 */
export function useKeyedMutation<Input, Reply>({
  send,
  keptAs,
  ...handlers
}: Handlers<Input, Reply> & {
  send: (input: Input, options: CallOptions) => Promise<Reply>;
}) {
  const unsettled = useRef<Unanswered | null>(null);

  function keep(request: Unanswered | null): void {
    unsettled.current = request;
    if (keptAs !== undefined) keepUnanswered(keptAs, request);
  }
  function last(): Unanswered | null {
    return unsettled.current ?? (keptAs === undefined ? null : loadUnanswered(keptAs));
  }

  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const text = textOf(input);
      const before = last();
      const isRetry = before !== null && before.input === text;
      const current = isRetry ? before : { input: text, key: newKey() };
      keep(current);
      try {
        const reply = await send(input, { idempotencyKey: current.key });
        keep(null);
        return reply;
      } catch (error) {
        if (isDefinitive(error)) keep(null);
        throw error;
      }
    },
    ...handlers,
  });
  return {
    ...mutation,
    /** State of the last attempt, for whoever waits for it. */
    outcome: {
      isSending: mutation.isPending,
      /** It has no answer: nobody knows whether it had its effect. */
      isUnknown: !mutation.isPending && isOutcomeUnknown(mutation.error),
    },
    /** True if this same request was sent and not answered, before a reload too. */
    isUnanswered: (input: Input) => {
      const isRefused = mutation.error !== null && !isOutcomeUnknown(mutation.error);
      return !mutation.isPending && !isRefused && last()?.input === textOf(input);
    },
  };
}

function textOf(input: unknown): string | undefined {
  return JSON.stringify(input);
}

/** A {@link useKeyedMutation} of one operation: for everything that moves or promises money. */
export function useMoneyMutation<Name extends RouteName>(
  name: Name,
  handlers: Handlers<RouteInput<Name>, RouteReply<Name>> = {},
) {
  const run = call as (
    name: Name,
    input: RouteInput<Name>,
    options: CallOptions,
  ) => Promise<RouteReply<Name>>;
  return useKeyedMutation({
    send: (input: RouteInput<Name>, options) => run(name, input, options),
    ...handlers,
  });
}
