import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { RouteInput, RouteReply } from '#contract/api.ts';
import type { RouteName } from '#contract/paths.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { ApiError, call } from './client.ts';
import type { CallOptions } from './client.ts';

const MAX_RETRIES = 2;

/** A refusal is an answer: only what never arrived is worth asking again. */
function shouldRetry(failures: number, error: unknown): boolean {
  return !(error instanceof ApiError) && failures < MAX_RETRIES;
}

/**
 * The client of the whole app. When the server no longer knows the person (signed out elsewhere,
 * expired), knows another one, or wants two-factor of them first, who is signed in is asked again, and the guards lead to
 * signing in and back, or to setting it up.
 *
 * @param onAttempt called whenever a person tries to change something
 */
export function createQueryClient({ onAttempt }: { onAttempt: () => void }): QueryClient {
  const onError = (error: unknown): void => {
    const code = error instanceof ApiError ? error.problem.code : null;
    const isTurnedAway =
      code === 'unauthenticated' || code === 'two_factor_required' || code === 'other_person';
    if (isTurnedAway) void queryClient.invalidateQueries({ queryKey: ['getSession'] });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError, onMutate: onAttempt }),
    defaultOptions: {
      // Without a connection a request fails and says so, instead of waiting for one in silence.
      queries: {
        networkMode: 'always',
        retry: shouldRetry,
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return queryClient;
}

/** Query options of an operation that reads; its key starts with the operation's name. */
export function apiQuery<Name extends RouteName>(name: Name, input: RouteInput<Name>) {
  // The input is checked here; inside, the tuple's conditional type cannot be resolved for any Name.
  const run = call as (
    name: Name,
    input: RouteInput<Name>,
    options: CallOptions,
  ) => Promise<RouteReply<Name>>;
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => run(name, input, { signal }),
  });
}

/** The sentence to show for whatever a call threw; `fallback` for a bug. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ReadableError && error.message !== '' ? error.message : fallback;
}
