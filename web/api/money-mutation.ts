import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RouteInput, RouteReply } from '#contract/api.ts';
import type { RouteName } from '#contract/paths.ts';
import { ApiError, call } from './client.ts';
import type { CallOptions } from './client.ts';

/** A refusal after which the request certainly has had no effect, and never will under this key. */
function isDefinitive(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status < 500 && error.problem.status !== 429;
}

interface Handlers<Input, Reply> {
  onSuccess?: (reply: Reply, input: Input) => unknown;
  onError?: (error: Error, input: Input) => void;
}

/**
 * A mutation with an Idempotency-Key that is new for each new input and after each definitive
 * answer, and is kept only to retry a request whose outcome is unknown: a double click, a retry and
 * a lost reply have one effect, and a second identical request on purpose works. An operation that
 * needs no key ignores it.
 */
export function useKeyedMutation<Input, Reply>({
  send,
  ...handlers
}: Handlers<Input, Reply> & {
  send: (input: Input, options: CallOptions) => Promise<Reply>;
}) {
  const unsettled = useRef<{ input: string | undefined; key: string } | null>(null);

  return useMutation({
    mutationFn: async (input: Input) => {
      const text = JSON.stringify(input) as string | undefined;
      const last = unsettled.current;
      const isRetry = last !== null && last.input === text;
      const current = isRetry ? last : { input: text, key: crypto.randomUUID() };
      unsettled.current = current;
      try {
        const reply = await send(input, { idempotencyKey: current.key });
        unsettled.current = null;
        return reply;
      } catch (error) {
        if (isDefinitive(error)) unsettled.current = null;
        throw error;
      }
    },
    ...handlers,
  });
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
