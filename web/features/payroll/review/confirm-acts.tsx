import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { useDecision } from '#web/kit/use-decision.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { BATCH_DECISIONS, NOT_CHANGED, type AskedBatch, type OpenTask } from '../batch-dialog.tsx';

/** Confirms a payroll as its second person. @param props.why why not yet */
export function ConfirmPayroll({ batch, why }: { batch: AskedBatch; why: string | undefined }) {
  const confirm = useDecision({
    send: (id: string, options) => call('adminApprovePayroll', { params: { id } }, options),
    topic: 'payroll',
    done: () => ({
      title: BATCH_DECISIONS.approve.done,
      message: `${batch.name}, ${formatMoney(batch.total)}.`,
    }),
    unchanged: NOT_CHANGED,
    onSettled: () => undefined,
  });
  return (
    <Button
      kind="money"
      isPending={confirm.isPending}
      pendingLabel="Confirming"
      why={why}
      onPress={() => confirm.mutate(batch.id)}
    >
      Confirm Payroll <Money amount={batch.total} />
    </Button>
  );
}

/** Button that asks for a reason and sends a payroll back: it becomes a draft. */
export function SendBack({ batch, onTask }: { batch: AskedBatch; onTask: OpenTask }) {
  return (
    <Button onPress={() => onTask({ act: 'sendBack', batch })}>
      {BATCH_DECISIONS.sendBack.label}
    </Button>
  );
}

interface TakeBackProps {
  batch: AskedBatch;
  /** Opens the draft that it became. */
  onDraft: (draftId: string) => void;
}

/** Takes one’s own payroll back before somebody confirms it. */
export function TakeBack({ batch, onDraft }: TakeBackProps) {
  const body = { reason: 'Taken back by its sender.' };
  const takeBack = useDecision({
    send: (id: string, options) => call('adminDeclinePayroll', { params: { id }, body }, options),
    topic: 'payroll',
    done: () => ({ title: 'Payroll Taken Back', message: `${batch.name} is a draft again.` }),
    unchanged: NOT_CHANGED,
    onSettled: () => undefined,
    onReply: ({ draftId }) => {
      if (draftId !== null) onDraft(draftId);
    },
  });
  return (
    <Button
      isPending={takeBack.isPending}
      pendingLabel="Taking back"
      onPress={() => takeBack.mutate(batch.id)}
    >
      Take Back
    </Button>
  );
}
