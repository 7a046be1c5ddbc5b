import { useState } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { call } from '#web/api/client.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { useDecision } from '#web/kit/use-decision.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';

const { approve: APPROVE, decline: DECLINE } = decisionsOf(payrollBatch);
const UNCHANGED = 'The payroll was not changed.';

type Waiting = Pick<PayrollBatch, 'id' | 'name' | 'total'>;

const subjectOf = ({ name, total }: Waiting) => `${name}, ${formatMoney(total)}.`;

/** Confirms a payroll as its second person. @param props.why why not yet */
export function ConfirmPayroll({ batch, why }: { batch: Waiting; why: string | undefined }) {
  const confirm = useDecision({
    send: (id: string, options) => call('adminApprovePayroll', { params: { id } }, options),
    topic: 'payroll',
    done: () => ({ title: APPROVE.done, message: subjectOf(batch) }),
    unchanged: UNCHANGED,
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

const SEND_BACK = {
  ...DECLINE,
  label: 'Send Back',
  title: 'Send this payroll back?',
  pending: 'Sending back',
  done: 'Payroll Sent Back',
};

/** Sends a payroll back with a reason: it becomes a draft. */
export function SendBack({ batch }: { batch: Waiting }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onPress={() => setAsking(true)}>{SEND_BACK.label}</Button>
      {isAsking && (
        <DecisionDialog
          decision={SEND_BACK}
          id={batch.id}
          subject={subjectOf(batch)}
          topic="payroll"
          unchanged={UNCHANGED}
          onClose={() => setAsking(false)}
        >
          {DECLINE.consequence}
        </DecisionDialog>
      )}
    </>
  );
}

interface TakeBackProps {
  batch: Waiting;
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
    unchanged: UNCHANGED,
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
