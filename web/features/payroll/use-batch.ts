import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery } from '#web/api/query.ts';
import { toast, type ToastMessage } from '#web/ui/toast-queue.ts';
import { isMoving } from './batch-rail.ts';

/** Live events report progress; asking too keeps it moving where they do not get through. */
const POLL_MS = 1_000;

/** How often a batch and its lines are asked for by themselves, in milliseconds. */
export function pollInterval({
  status,
  approval,
}: Pick<PayrollBatch, 'status' | 'approval'>): number | false {
  return isMoving(status) && approval === null ? POLL_MS : false;
}

/** One batch, followed while it is being paid; shows its result once. */
export function useBatch(id: string) {
  const query = useQuery({
    ...apiQuery('adminGetPayrollBatch', { params: { id } }),
    refetchInterval: ({ state }) => state.data !== undefined && pollInterval(state.data),
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
    if (before?.id !== batch.id) return;
    const result = resultToast(before.status, batch);
    if (result === null) return;
    markStale(queryClient, 'payroll');
    toast(result);
  }, [batch, queryClient]);
}

/**
 * The message about a batch that was paid or failed since it was `before`. Null for one that still moves,
 * and for one that was stopped or declined: it paid nobody, and its buttons say what they did.
 */
export function resultToast(
  before: PayrollStatus,
  { status, declined, paidTotal }: Pick<PayrollBatch, 'status' | 'declined' | 'paidTotal'>,
): ToastMessage | null {
  if (!isMoving(before) || declined !== null) return null;
  if (status === 'failed') {
    return {
      title: 'Payroll Processing Failed',
      message: 'There was an error processing the payroll',
      tone: 'critical',
    };
  }
  if (status !== 'completed') return null;
  return {
    title: 'Payroll Processed Successfully',
    message: `${formatMoney(paidTotal)} was sent.`,
    tone: 'positive',
  };
}
