import type { UseQueryResult } from '@tanstack/react-query';
import { errorMessage } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';

interface QueryErrorProps {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** What failed: "Error Loading Statistics". */
  title: string;
}

/** Why a query has nothing to show, and a way to ask again. */
export function QueryError({ query, title }: QueryErrorProps) {
  return (
    <ErrorState
      title={title}
      message={errorMessage(query.error, 'Please try again.')}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
