import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { markStale } from '#web/api/live.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { apiQuery } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { isMoving } from './batch-rail.ts';

/** Live events tell of progress; asking too keeps it moving where they do not get through. */
const POLL_MS = 1_000;

/** One batch, followed while it is being paid; tells its result once. */
export function useBatch(id: string) {
  const query = useQuery({
    ...apiQuery('getPayrollBatch', { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isMoving(state.data.status) ? POLL_MS : false,
  });
  useToldResult(query.data);
  return query;
}

type LinesQuery = RouteArguments<'listPayrollLines'>['query'];

/** A page of a batch's lines, followed while they are being paid. */
export function useBatchLines(batch: PayrollBatch, query: LinesQuery) {
  const { search, status } = query;
  const params = { id: batch.id };
  const refetchInterval = isMoving(batch.status) ? POLL_MS : false;
  return usePagedList(
    { ...apiQuery('listPayrollLines', { params, query }), refetchInterval },
    { ...apiQuery('countPayrollLines', { params, query: { search, status } }), refetchInterval },
  );
}

/** Says how a batch ended, to whoever watched it end. */
function useToldResult(batch: PayrollBatch | undefined): void {
  const queryClient = useQueryClient();
  const last = useRef<{ id: string; status: PayrollStatus }>(undefined);

  useEffect(() => {
    if (batch === undefined) return;
    const before = last.current;
    last.current = { id: batch.id, status: batch.status };
    const hasEnded = before?.id === batch.id && isMoving(before.status) && !isMoving(batch.status);
    if (!hasEnded) return;
    markStale(queryClient, 'payroll');
    tellResult(batch);
  }, [batch, queryClient]);
}

function tellResult({ status, paidTotal }: PayrollBatch): void {
  if (status === 'failed') {
    toast({
      title: 'Payroll Processing Failed',
      message: 'There was an error processing the payroll',
      tone: 'critical',
    });
    return;
  }
  toast({
    title: 'Payroll Processed Successfully',
    message: `${formatMoney(paidTotal)} was sent.`,
    tone: 'positive',
  });
}
