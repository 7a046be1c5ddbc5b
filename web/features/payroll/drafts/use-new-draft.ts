import type { PayrollBatch, PayrollDraft, RouteInput } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';

type NewDraft = RouteInput<'adminCreatePayrollDraft'>['body'];

/** Makes a draft, and says why if it was not made. @param onMade takes its id */
export function useNewDraft(onMade: (draftId: string) => void) {
  return useAction({
    send: (body: NewDraft, options) => call('adminCreatePayrollDraft', { body }, options),
    topics: ['payroll'],
    failed: 'The draft was not made',
    onDone: ({ id }) => onMade(id),
  });
}

/** A draft of the same people and amounts as another, without its pay date. */
export function copyOfDraft({ id, ...order }: PayrollDraft): NewDraft {
  const { walletType, department, description, hasOwnAmounts, amount } = order;
  return { walletType, department, description, hasOwnAmounts, amount, copyOf: { draft: id } };
}

/** A draft of the same people and amounts as a payroll that was sent, without its pay date. */
export function copyOfBatch({ id, ...order }: PayrollBatch): NewDraft {
  const { walletType, department, description, amount } = order;
  const hasOwnAmounts = amount === null;
  return { walletType, department, description, hasOwnAmounts, amount, copyOf: { batch: id } };
}
