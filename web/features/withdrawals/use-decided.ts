import { useQueryClient } from '@tanstack/react-query';
import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { ApiError } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { DECISIONS, type Decision } from './decisions.ts';

/**
 * What follows a decision: its result is told, and everything that shows withdrawals is asked for
 * again. After a refusal too, because somebody else may have been faster.
 */
export function useDecided(decision: Decision, onClose: () => void) {
  const queryClient = useQueryClient();
  return {
    onSuccess: ({ amount, employee }: AdminWithdrawal) => {
      markStale(queryClient, 'withdrawals');
      toast({
        title: DECISIONS[decision].done,
        message: `${formatMoney(amount)} of ${employee.name}.`,
        tone: 'positive',
      });
      onClose();
    },
    onError: (error: Error) => {
      markStale(queryClient, 'withdrawals');
      toast({
        title: 'Action Failed',
        message: errorMessage(error, 'The withdrawal was not changed.'),
        tone: 'critical',
      });
      // An unknown outcome keeps the question open: pressing again retries the same request safely.
      if (error instanceof ApiError) onClose();
    },
  };
}
