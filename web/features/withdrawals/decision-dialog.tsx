import type { AdminWithdrawal } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { useMoneyMutation } from '#web/api/money-mutation.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import {
  DECISIONS,
  PLAIN_ROUTES,
  REASONED_ROUTES,
  isReasoned,
  type Decision,
  type PlainDecision,
  type ReasonedDecision,
} from './decisions.ts';
import { useDecided } from './use-decided.ts';

interface DecisionDialogProps<Of extends Decision> {
  withdrawal: AdminWithdrawal;
  decision: Of;
  onClose: () => void;
}

/** Asks before a withdrawal is decided, naming amount, person and bank; closes itself with the result. */
export function DecisionDialog({ decision, ...rest }: DecisionDialogProps<Decision>) {
  return isReasoned(decision) ? (
    <ReasonedDialog decision={decision} {...rest} />
  ) : (
    <PlainDialog decision={decision} {...rest} />
  );
}

const QUESTIONS: Record<PlainDecision, { title: string; consequence: string; pending: string }> = {
  approve: {
    title: 'Approve this withdrawal?',
    consequence: 'The amount stays held until it is paid out.',
    pending: 'Approving',
  },
  startProcessing: {
    title: 'Start processing this withdrawal?',
    consequence: 'It shows as on its way until you complete or stop it.',
    pending: 'Starting',
  },
  complete: {
    title: 'Complete this withdrawal?',
    consequence: 'The held amount leaves the wallet and is booked as paid out.',
    pending: 'Completing',
  },
};

function PlainDialog({ withdrawal, decision, onClose }: DecisionDialogProps<PlainDecision>) {
  const decide = useMoneyMutation(PLAIN_ROUTES[decision], useDecided(decision, onClose));
  const { title, consequence, pending } = QUESTIONS[decision];
  return (
    <ConfirmDialog
      isOpen
      title={title}
      kind="money"
      keepLabel="Not now"
      confirmLabel={DECISIONS[decision].label}
      isPending={decide.isPending}
      pendingLabel={pending}
      onClose={onClose}
      onConfirm={() => decide.mutate({ params: { id: withdrawal.id } })}
    >
      <p>
        <Movement withdrawal={withdrawal} /> {consequence}
      </p>
    </ConfirmDialog>
  );
}

const REASON_WORDS: Record<
  ReasonedDecision,
  { title: string; consequence: string; confirm: string; emptyHint: string; pending: string }
> = {
  reject: {
    title: 'Reject withdrawal',
    consequence: 'The amount returns to the employee’s available balance.',
    confirm: 'Reject',
    emptyHint: 'Enter a reason to reject.',
    pending: 'Rejecting',
  },
  stop: {
    title: 'Stop withdrawal',
    consequence:
      'Only if the payout has not left. The amount returns to the employee’s available balance.',
    confirm: 'Stop',
    emptyHint: 'Enter a reason to stop.',
    pending: 'Stopping',
  },
  return: {
    title: 'Returned by bank',
    consequence: 'The payout is reversed and the amount is back in the employee’s wallet.',
    confirm: 'Book the return',
    emptyHint: 'Enter the bank’s reason.',
    pending: 'Booking',
  },
};

function ReasonedDialog({ withdrawal, decision, onClose }: DecisionDialogProps<ReasonedDecision>) {
  const decide = useMoneyMutation(REASONED_ROUTES[decision], useDecided(decision, onClose));
  const { title, consequence, confirm, emptyHint, pending } = REASON_WORDS[decision];
  return (
    <ReasonDialog
      title={title}
      keepLabel="Keep Request"
      confirmLabel={confirm}
      emptyHint={emptyHint}
      maxLength={REASON_MAX_LENGTH}
      isPending={decide.isPending}
      pendingLabel={pending}
      onClose={onClose}
      onConfirm={(reason) => decide.mutate({ params: { id: withdrawal.id }, body: { reason } })}
    >
      <Movement withdrawal={withdrawal} /> {consequence}
    </ReasonDialog>
  );
}

/** "$2,150.00 from Anil Deshpande to Halden Community ••3376." */
function Movement({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  const { amount, employee, bankName, bankLast4 } = withdrawal;
  return (
    <>
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {bankName}{' '}
      ••{bankLast4}.
    </>
  );
}
