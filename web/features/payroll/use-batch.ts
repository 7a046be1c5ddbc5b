import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { isMoving } from './batch-rail.ts';

/** Live events report progress; asking too keeps it moving where they do not get through. */
const POLL_MS = 1_000;

/** How often a batch and its lines are asked for by themselves, in milliseconds. */
export function pollInterval(status: PayrollStatus): number | false {
  return isMoving(status) ? POLL_MS : false;
}

/** One batch, followed while it is being paid; shows its result once. */
export function useBatch(id: string) {
  const query = useQuery({
    ...apiQuery('adminGetPayrollBatch', { params: { id } }),
    refetchInterval: ({ state }) => state.data !== undefined && pollInterval(state.data.status),
  });
  useToldResult(query.data);
  return query;
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
