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

/**
 * A mutation that moves money. It carries an Idempotency-Key that is new for each new input and
 * after each definitive answer, and is kept only to retry a request whose outcome is unknown: a
 * double click, a retry and a lost reply pay once, and a second identical request on purpose works.
 */
export function useMoneyMutation<Name extends RouteName>(
  name: Name,
  handlers: {
    onSuccess?: (reply: RouteReply<Name>, input: RouteInput<Name>) => void;
    onError?: (error: Error, input: RouteInput<Name>) => void;
  } = {},
) {
  const unsettled = useRef<{ input: string; key: string } | null>(null);
  const run = call as (
    name: Name,
    input: RouteInput<Name>,
    options: CallOptions,
  ) => Promise<RouteReply<Name>>;

  return useMutation({
    mutationFn: async (input: RouteInput<Name>) => {
      const text = JSON.stringify(input);
      const current =
        unsettled.current?.input === text
          ? unsettled.current
          : { input: text, key: crypto.randomUUID() };
      unsettled.current = current;
      try {
        const reply = await run(name, input, { idempotencyKey: current.key });
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
