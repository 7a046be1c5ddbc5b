import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { useSettled } from '#web/lib/typing.ts';
import type { PayrollOrder } from './payroll-form.ts';

/**
 * People an order would pay, requested again after its fields have stopped changing. The last
 * preview stays on screen until the new one arrives, and `isUpdating` says that it is out of date.
 */
export function usePreview(order: PayrollOrder | null) {
  const key = JSON.stringify(order);
  const isSettled = useSettled(key) === key;
  const query = useQuery({
    queryKey: ['adminPreviewPayroll', order],
    queryFn:
      order === null
        ? skipToken
        : ({ signal }) => call('adminPreviewPayroll', { body: order }, { signal }),
    enabled: isSettled,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return {
    preview: order === null ? undefined : query.data,
    error: order === null ? null : query.error,
    isUpdating: order !== null && (!isSettled || query.isFetching),
    refresh: () => void query.refetch(),
  };
}

export type PreviewState = ReturnType<typeof usePreview>;
