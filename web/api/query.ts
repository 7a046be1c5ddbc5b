import {
  focusManager,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  type Query,
} from '@tanstack/react-query';
import type { RouteInput, RouteReply, RouteName } from '#contract/api.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { ApiError, call } from './client.ts';
import type { CallOptions } from './client.ts';

const MAX_RETRIES = 2;
/** The least time after which data is read again that could not be updated; twice that at most, so that pages spread. */
const UPDATE_AGAIN_MS = 8_000;

/** A refusal is an answer: only what never arrived is worth asking again. */
function shouldRetry(failures: number, error: unknown): boolean {
  return !(error instanceof ApiError) && failures < MAX_RETRIES;
}

/** True if the server answered that the person may not have the data, or that there is none. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status < 500 && error.problem.status !== 429;
}

interface QueryClientOptions {
  /** Called whenever a person tries to change something. */
  onAttempt: () => void;
  /** Called when data on the page could not be updated. It stays, and is read again after `updateAgainMs`. */
  onOutdated?: () => void;
  updateAgainMs?: number;
}

/**
 * The client of the whole app. Data that could not be updated stays on the page with the forms and dialogs that
 * depend on it; only a refusal is shown, above it. When the server no longer knows the person (signed out elsewhere,
 * expired), knows another one, or wants two-factor of them first, who is signed in is asked again, and the guards lead to
 * signing in and back, or to setting it up.
 */
export function createQueryClient({
  onAttempt,
  onOutdated,
  updateAgainMs = UPDATE_AGAIN_MS,
}: QueryClientOptions): QueryClient {
  const onError = (error: unknown): void => {
    const code = error instanceof ApiError ? error.problem.code : null;
    const isTurnedAway =
      code === 'unauthenticated' || code === 'two_factor_required' || code === 'other_person';
    if (isTurnedAway) void queryClient.invalidateQueries({ queryKey: ['getSession'] });
  };
  const keepData = (error: unknown, query: Query<unknown, unknown>): void => {
    if (query.state.data === undefined || isRefusal(error)) return;
    query.setState({ status: 'success', error: null, isInvalidated: true });
    if (!query.isActive()) return;
    onOutdated?.();
    setTimeout(
      () => {
        // A page that nobody looks at reads again when somebody does.
        const isWanted = query.isActive() && query.state.isInvalidated && focusManager.isFocused();
        if (isWanted) void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true });
      },
      updateAgainMs * (1 + Math.random()),
    );
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        onError(error);
        keepData(error, query);
      },
    }),
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
