import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Bill, StandingBill } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useKeyedMutation } from '#web/api/money-mutation.ts';
import { toast } from '#web/ui/toast-queue.ts';
import type { BillPlan, BillValues, NewPayee } from './check-bill.ts';

/** The field that can correct a refusal: something changed since the form was checked. */
const CORRECTABLE: Partial<Record<ErrorCode, keyof BillValues>> = {
  amount_invalid: 'amount',
  insufficient_funds: 'amount',
  bill_limit: 'amount',
  bill_daily_limit: 'amount',
  bill_day_invalid: 'payOn',
  standing_bill_end_invalid: 'endsOn',
  standing_bill_limit: 'repeats',
  payee_not_found: 'payeeId',
  payee_returned: 'payeeId',
  payee_limit: 'isSaved',
  wallet_not_found: 'walletId',
};

/** What was set up: a bill, or one that is repeated. */
export type Scheduled = { kind: 'bill'; bill: Bill } | { kind: 'standing'; standing: StandingBill };

interface Handlers {
  /** The bill that the new one takes the place of. */
  changed?: Bill | undefined;
  onScheduled: (scheduled: Scheduled) => void;
  /** Refused for good; with the field that can correct it, if one can. */
  onRefused: (problem: { field: keyof BillValues; message: string } | undefined) => void;
}

/**
 * Schedules the bill, or changes one. A new payee is entered first, once: a retry schedules the bill to
 * the same. While the outcome is unknown neither handler runs: sending it again is safe.
 */
export function useScheduleBill({ changed, onScheduled, onRefused }: Handlers) {
  const queryClient = useQueryClient();
  const entered = useRef<{ payee: NewPayee; id: string }>(undefined);

  async function payeeIdOf({ payee }: BillPlan): Promise<string> {
    if ('id' in payee) return payee.id;
    if (entered.current?.payee === payee) return entered.current.id;
    const { id } = await call('addPayee', { body: payee });
    entered.current = { payee, id };
    return id;
  }
  function showChange(): void {
    for (const topic of ['payments', 'wallets'] as const) markStale(queryClient, topic);
  }

  const request = useKeyedMutation<BillPlan, Scheduled>({
    send: async (plan, options) => {
      const { wallet, amount, payOn, dueOn, memo } = plan;
      const payeeId = await payeeIdOf(plan);
      const from = { walletId: wallet.id, payeeId, amount, memo };
      if (plan.repeat !== null) {
        const body = { ...from, startsOn: payOn, ...plan.repeat };
        const standing = await call('createStandingBill', { body }, options);
        return { kind: 'standing', standing };
      }
      const body = { ...from, payOn, dueOn };
      const bill =
        changed === undefined
          ? await call('scheduleBill', { body }, options)
          : await call('changeBill', { params: { id: changed.id }, body }, options);
      return { kind: 'bill', bill };
    },
    onSuccess: (scheduled) => {
      showChange();
      onScheduled(scheduled);
    },
    onError: (error) => {
      showChange();
      if (!(error instanceof ApiError) || isOutcomeUnknown(error)) {
        toast({ title: 'The bill could not be scheduled. Please try again.', tone: 'critical' });
        return;
      }
      const field = CORRECTABLE[error.problem.code];
      if (field === undefined) toast({ title: error.message, tone: 'critical' });
      onRefused(field === undefined ? undefined : { field, message: error.message });
    },
  });
  return { outcome: request.outcome, send: (plan: BillPlan) => request.mutate(plan) };
}
