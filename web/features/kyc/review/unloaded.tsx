import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { errorMessage } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** In place of what the desk shows, while it loads or when it could not be loaded. */
export function Unloaded({ query }: { query: UseQueryResult }) {
  const { isError, error } = query;
  useEffect(() => {
    if (isError) toast({ title: 'Failed to load application details', tone: 'critical' });
  }, [isError]);
  if (!isError) return <Skeleton lines={8} label="Loading the application" />;
  return (
    <ErrorState
      title="Nothing to review here"
      message={errorMessage(error, 'Please try again.')}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
