import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { errorMessage } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { ReviewFrame, type DeskNavigation } from './desk-frame.tsx';

interface UnloadedDeskProps {
  /** Name of the thing that is loading: "KYC application". */
  title: string;
  query: UseQueryResult;
  navigation: DeskNavigation;
}

/** The desk while what it shows loads, or when that could not be loaded. */
export function UnloadedDesk({ title, query, navigation }: UnloadedDeskProps) {
  const { isError, error } = query;
  useEffect(() => {
    if (isError) toast({ title: 'Failed to load application details', tone: 'critical' });
  }, [isError]);
  return (
    <ReviewFrame title={title} subtitle="" status={undefined} navigation={navigation}>
      {isError ? (
        <ErrorState
          title="Nothing to review here"
          message={errorMessage(error, 'Please try again.')}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <Skeleton lines={8} label="Loading the application" />
      )}
    </ReviewFrame>
  );
}
