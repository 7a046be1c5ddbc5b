import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money, negated, type Money as Amount } from '#contract/money.ts';
import {
  REVERSAL_REASON_IDS,
  REVERSAL_REASONS,
  reversalRules,
  type ReversalReason,
} from '#contract/payroll.ts';
import { MISSING } from '#contract/rules.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules, type FormFields } from '#web/kit/form-state.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { useMoments } from '#web/ui/time.tsx';
import './payroll.css';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

export interface ReversalValues {
  reason: ReversalReason | '';
  message: string;
}

const REASON_OPTIONS = REVERSAL_REASON_IDS.map((value) => ({
  value,
  label: REVERSAL_REASONS[value],
}));

export const NO_REVERSAL: ReversalValues = { reason: '', message: '' };

/** Reason of a reversal, and the words to those from whom it takes. */
export function ReversalFields({
  who,
  fields: { reason, message },
}: {
  who: 'employee' | 'employees';
  fields: FormFields<ReversalValues>;
}) {
  return (
    <>
      <Select
        label="Reason"
        isRequired
        placeholder="Choose a reason"
        options={REASON_OPTIONS}
        {...reason}
      />
      <TextArea
        label={`What to tell the ${who}`}
        isRequired
        rows={3}
        maxLength={reversalRules.message.maxLength}
        hint="Shown with the transaction and sent as a notice."
        {...message}
      />
    </>
  );
}

/** Problems of the fields of a reversal. */
export function checkReversal(values: ReversalValues) {
  return {
    ...checkRules(values, { message: reversalRules.message }),
    ...(values.reason === '' && { reason: MISSING }),
  };
}

/** Body of a request for a reversal whose fields were checked. */
export function reversalOf({ reason, message }: ReversalValues) {
  if (reason === '') throw new Error('Sent a reversal without a reason');
  return { reason, message };
}

/** Takes one paid line back, or what its wallet has of it. Shown while it is mounted. */
export function ReverseLine({ lineId, onClose }: { lineId: string; onClose: () => void }) {
  const query = useQuery(apiQuery('adminGetPayrollReversal', { params: { id: lineId } }));
  if (query.data === undefined || query.isError) {
    return (
      <Dialog title="Reverse Payment" isOpen onClose={onClose}>
        <LoadedQuery query={query} what="this payment" lines={6} />
      </Dialog>
    );
  }
  return <ReverseForm reversible={query.data} onClose={onClose} />;
}

function ReverseForm({ reversible, onClose }: { reversible: Reversible; onClose: () => void }) {
  const { line, left, available, refusal } = reversible;
  const amount = smallerOf(left, available);
  const isWhole = amount.minor === left.minor;
  const { employee } = line;
  return (
    <TaskDialog
      title="Reverse Payment"
      initial={NO_REVERSAL}
      check={checkReversal}
      send={(values: ReversalValues, options) => {
        const body = { amount, left, ...reversalOf(values) };
        return call('adminReversePayrollLine', { params: { id: line.id }, body }, options);
      }}
      topics={['payroll', 'wallets']}
      done={{
        title: 'Payment Reversed',
        message: `${formatMoney(amount)} was taken back from ${employee.name}.`,
      }}
      sent={{ what: 'the reversal', where: 'in the lines of this payroll' }}
      submit={{
        label: `Reverse ${formatMoney(amount)}`,
        pending: 'Reversing',
        kind: 'danger',
        why: refusal ?? (amount.minor === '0' ? 'Nothing of it is available.' : undefined),
      }}
      cancel="Keep Payment"
      onClose={onClose}
    >
      {(fields) => (
        <>
          <ShownAmounts>
            <AmountHead
              line={`From ${employee.name}${employee.employeeId === null ? '' : ` ${employee.employeeId}`}`}
              amount={negated(amount)}
              status={<Status status="completed" />}
            />
          </ShownAmounts>
          {refusal !== null && <Notice tone="caution">{refusal}</Notice>}
          {!isWhole && <GoneNotice reversible={reversible} />}
          <div className="reversal-sums">
            <Facts isTight facts={factsOf(reversible, amount)} />
          </div>
          <ReversalFields who="employee" fields={fields} />
          <p className="meta">The money moves immediately. The payment stays in the history.</p>
        </>
      )}
    </TaskDialog>
  );
}

/** Amount that is left of a line whose money is partly gone, and where the rest went. */
function GoneNotice({ reversible }: { reversible: Reversible }) {
  const { available, paidOut, line } = reversible;
  const moments = useMoments();
  const rest = paidOut && {
    amount: formatMoney(paidOut.amount),
    at: moments(paidOut.at, 'dateTime'),
  };
  return (
    <Notice tone="caution">
      <strong>
        {available.minor === '0'
          ? 'None of it is left.'
          : `Only ${formatMoney(available)} of it is left.`}
      </strong>{' '}
      {paidOut !== null &&
        rest !== null &&
        `${rest.amount} was withdrawn to ${paidOut.to}, ${rest.at}${paidOut.isCompleted ? '' : ', and is on its way'}. `}
      {`The rest stays with ${line.employee.name}.`}
    </Notice>
  );
}

function factsOf({ line, wallet, available }: Reversible, amount: Amount): Fact[] {
  return [
    {
      label: `Available in ${WALLET_LABELS[wallet.type]} ••${wallet.last4}`,
      value: <Money amount={available} />,
    },
    { label: `Reversal of ${line.reference}`, value: <Money amount={negated(amount)} /> },
    { label: 'Available after', value: <Money amount={minus(available, amount)} /> },
  ];
}

function smallerOf(one: Amount, other: Amount): Amount {
  return BigInt(one.minor) < BigInt(other.minor) ? one : other;
}

function minus(one: Amount, other: Amount): Amount {
  return money(BigInt(one.minor) - BigInt(other.minor), one.currency);
}
