import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery } from '#web/api/query.ts';
import { toast, type ToastMessage } from '#web/ui/toast-queue.ts';
import { isMoving } from './batch-rail.ts';

/** Live events report progress. Polling covers the case that they do not get through. */
const POLL_MS = 1_000;
/** Until a pay date nothing moves for days. */
const WAITING_POLL_MS = 60_000;

/** Milliseconds between two polls of a batch and its lines. */
export function pollInterval({
  status,
  approval,
  window,
}: Pick<PayrollBatch, 'status' | 'approval' | 'window'>): number | false {
  if (!isMoving(status) || approval !== null) return false;
  return window !== null && window.leftMs > WAITING_POLL_MS ? WAITING_POLL_MS : POLL_MS;
}

/** One batch, followed while it is being paid. Shows its result once. */
export function useBatch(id: string) {
  const query = useQuery({
    ...apiQuery('adminGetPayrollBatch', { params: { id } }),
    refetchInterval: ({ state }) => state.data !== undefined && pollInterval(state.data),
  });
  useToldResult(query.data);
  return query;
}

/** Takes a payroll that was sent: what follows is compared with that reply, the batch's first state. */
export function useFollowSent(): (sent: PayrollBatch) => void {
  const queryClient = useQueryClient();
  return (sent) => {
    const { queryKey } = apiQuery('adminGetPayrollBatch', { params: { id: sent.id } });
    queryClient.setQueryData(queryKey, sent);
    markStale(queryClient, 'payroll');
  };
}

/** Shows a toast with the result to people who watched the batch finish. */
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
 * Toast about a batch that was paid or failed since `before`. Null for one that is still being
 * paid, and for one that was stopped or declined: it paid nobody, and its buttons already reported
 * what they did.
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
