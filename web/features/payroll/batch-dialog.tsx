import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { employeesWords } from './words.ts';

const FundDialog = loadedDialog(async () => (await import('./funding/fund-dialog.tsx')).FundDialog);
const ReverseLine = loadedDialog(async () => (await import('./reverse-line.tsx')).ReverseLine);
const ReverseBatch = loadedDialog(async () => (await import('./reverse-batch.tsx')).ReverseBatch);

const OFFERED = decisionsOf(payrollBatch);

/** Decisions about a batch, by the name of their button. */
export const BATCH_DECISIONS = {
  ...OFFERED,
  /** Declining, where its differences were checked. */
  sendBack: {
    ...OFFERED.decline,
    label: 'Send Back',
    title: 'Send this payroll back?',
    pending: 'Sending back',
    done: 'Payroll Sent Back',
  },
} as const;

type BatchAct = keyof typeof BATCH_DECISIONS;

/** Fields of a batch that a question about it shows. */
export type AskedBatch = Pick<PayrollBatch, 'id' | 'name' | 'employees' | 'total'>;

/** Dialog that was opened about a batch, or about one of its lines. */
export type BatchTask =
  | { act: BatchAct; batch: AskedBatch }
  | { act: 'reverseAll'; batch: PayrollBatch }
  | { act: 'reverseLine'; line: Pick<PayrollLine, 'id'> }
  | { act: 'payLine'; line: PayrollLine; batch: PayrollBatch };

/** Opens a dialog. Lists and views keep it outside what they draw of a batch, which is drawn again when that changes. */
export type OpenTask = (task: BatchTask) => void;

interface BatchDialogProps {
  task: BatchTask | undefined;
  onClose: () => void;
}

/** The dialog that is open about a batch, if any. */
export function BatchDialog({ task, onClose }: BatchDialogProps) {
  if (task === undefined) return null;
  if (task.act === 'reverseLine') return <ReverseLine lineId={task.line.id} onClose={onClose} />;
  if (task.act === 'reverseAll') return <ReverseBatch batch={task.batch} onClose={onClose} />;
  if (task.act === 'payLine') return <PayLine {...task} onClose={onClose} />;
  return <BatchQuestion {...task} onClose={onClose} />;
}

type TaskOf<Act> = Extract<BatchTask, { act: Act }> & Pick<BatchDialogProps, 'onClose'>;

function PayLine({ line, batch, onClose }: TaskOf<'payLine'>) {
  return (
    <FundDialog
      employeeId={line.employee.id}
      pays={{
        id: line.id,
        amount: line.amount,
        walletLast4: line.walletLast4,
        description: `${batch.description}, batch ${batch.number}`.slice(0, DESCRIPTION_MAX_LENGTH),
      }}
      onClose={onClose}
    />
  );
}

/** Sentence of a failure that says nothing itself, for an act that does not change a batch. */
export const NOT_STOPPED = 'The payroll was not stopped.';
export const NOT_CHANGED = 'The payroll was not changed.';

/** Asks before a batch is decided, for a reason where one is needed. */
function BatchQuestion({ act, batch, onClose }: TaskOf<BatchAct>) {
  const { id, name, employees, total } = batch;
  const decision = BATCH_DECISIONS[act];
  const subject = `${name}, ${formatMoney(total)}.`;
  const common = { id, topic: 'payroll', decision, subject, onClose } as const;
  switch (act) {
    case 'stop':
      return (
        <DecisionDialog
          {...common}
          subject={`${name} is a draft. Nobody was paid.`}
          unchanged={NOT_STOPPED}
        >
          {subject} {decision.consequence}
        </DecisionDialog>
      );
    case 'discard':
      return (
        <DecisionDialog {...common} unchanged="The draft was not discarded.">
          {name} is no longer listed. Nobody was paid, and the audit trail keeps a record.
        </DecisionDialog>
      );
    case 'sendBack':
      return (
        <DecisionDialog {...common} unchanged={NOT_CHANGED}>
          {decision.consequence}
        </DecisionDialog>
      );
    default:
      return (
        <DecisionDialog
          {...common}
          decision={{
            ...decision,
            ...(act === 'approve' && { confirm: `Approve ${formatMoney(total)}` }),
          }}
          unchanged={NOT_CHANGED}
          details={
            <Facts
              isTight
              facts={[
                { label: 'Payroll', value: name },
                { label: 'Employees', value: employeesWords(employees) },
                { label: 'Total', value: <Money amount={total} /> },
              ]}
            />
          }
        >
          {decision.consequence}
        </DecisionDialog>
      );
  }
}
