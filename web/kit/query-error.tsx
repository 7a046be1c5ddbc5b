import type { UseQueryResult } from '@tanstack/react-query';
import { errorMessage } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';

interface QueryErrorProps {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** Name of the data in a sentence: "the withdrawal". */
  what?: string;
  /** Words of its own, where the product's specification has them. */
  title?: string;
}

/** Reason why a query has no data, with Retry. */
export function QueryError({ query, what = 'this', title = failedToLoad(what) }: QueryErrorProps) {
  return (
    <ErrorState
      title={title}
      message={errorMessage(query.error, 'Please try again.')}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}

/**
 * True while there is data, or it is on its way: a view that draws both stands under the error then. Data whose update is
 * refused stays, as `createQueryClient` explains. Only rows of a list, which are those of its filter, give way to the error.
 */
export function isDrawn({ data, isError }: Pick<UseQueryResult, 'data' | 'isError'>): boolean {
  return data !== undefined || !isError;
}

/** "Failed to load the withdrawal": the one sentence for data that could not be loaded. */
export function failedToLoad(what: string): string {
  return `Failed to load ${what}`;
}
