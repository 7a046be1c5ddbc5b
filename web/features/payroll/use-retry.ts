import { useQueryClient } from '@tanstack/react-query';
import type { PayrollBatch } from '#contract/api.ts';
import type { CallOptions } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction } from '#web/kit/action.tsx';

/** Tries failed lines again: all of a batch, or one. The reply is the batch, which is then followed. */
export function useRetry(send: (id: string, options: CallOptions) => Promise<PayrollBatch>) {
  const queryClient = useQueryClient();
  return useAction({
    send,
    topics: ['payroll'],
    failed: 'Error',
    hint: 'Failed to process payroll',
    onDone: (reply) =>
      queryClient.setQueryData(
        apiQuery('adminGetPayrollBatch', { params: { id: reply.id } }).queryKey,
        reply,
      ),
  });
}
