import { useWatch } from 'react-hook-form';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money, type Money as Amount } from '#contract/money.ts';
import { instalmentOver, payrollsOf, RECOVERY_PERCENT } from '#contract/recovery.ts';
import { MISSING, readNumber } from '#contract/rules.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { typedDate } from '#web/lib/typed-date.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { FollowedTransfers } from '../followed-transfers.tsx';
import {
  checkReversal,
  NO_REVERSAL,
  ReversalFields,
  ReversalHead,
  reversalOf,
  type ReversalValues,
} from '../reversal-fields.tsx';
import '../payroll.css';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

interface Values extends ReversalValues {
  /** Take back what is left, or recover the rest as well. */
  what: 'part' | 'recover';
  payrolls: string;
  percent: string;
  answerBy: string;
}

/** Most payrolls that the dialog offers. */
const OFFERED_PAYROLLS = 24;

/** A paid line whose wallet has less: what is left is taken back, and the rest stays or is recovered by an agreement. */
export function GoneLine({ reversible, onClose }: { reversible: Reversible; onClose: () => void }) {
  const { line, left, available, refusal, recovery } = reversible;
  const { employee } = line;
  const rest = minus(left, available);
  const hasSome = available.minor !== '0';
  const initial: Values = {
    what: 'recover',
    payrolls: '2',
    percent: String(recovery.percent),
    answerBy: typedDate(recovery.answerBy),
    ...NO_REVERSAL,
  };
  const state = useFormState({ initial, check });
  const [what, payrolls, percent] = useWatch({
    control: state.form.control,
    name: ['what', 'payrolls', 'percent'],
  });
  const instalment = money(instalmentOver(BigInt(rest.minor), Number(payrolls)), rest.currency);
  const isPart = what === 'part';
  const task = useFormTask(state, {
    send: (values: Values, options): Promise<unknown> => {
      const params = { id: line.id };
      if (values.what === 'part') {
        const body = { amount: available, left, ...reversalOf(values) };
        return call('adminReversePayrollLine', { params, body }, options);
      }
      const body = {
        now: hasSome ? available : null,
        left,
        instalment,
        ...reversalOf(values),
        percent: readNumber(RECOVERY_PERCENT, values.percent) ?? recovery.percent,
        startsOn: recovery.paydays[0] ?? recovery.answerBy,
        answerBy: parseTypedDate(values.answerBy) ?? recovery.answerBy,
      };
      return call('adminProposeRecovery', { params, body }, options);
    },
    topics: ['payroll', 'wallets'],
    done: (_reply, values) => ({
      title: values.what === 'part' ? 'Payment Reversed' : 'Recovery Proposed',
      message:
        values.what === 'part'
          ? `${formatMoney(available)} was taken back from ${employee.name}.`
          : `${employee.name} is asked to pay ${formatMoney(rest)} back.`,
    }),
    places: { recovery_terms: 'answerBy' },
    onDone: onClose,
  });
  const reverses = `Reverse ${formatMoney(available)}`;
  const asks = `Ask ${employee.name}`;
  return (
    <FormDialog
      title="Reverse Payment"
      state={state}
      task={task}
      sent={{
        what: isPart ? 'the reversal' : 'the proposal',
        where: 'in the lines of this payroll',
      }}
      submit={{
        label: isPart ? reverses : hasSome ? `${reverses} and ${asks}` : asks,
        pending: isPart ? 'Reversing' : 'Asking',
        kind: 'danger',
        why: refusal ?? (isPart && !hasSome ? 'Nothing of it is available.' : undefined),
      }}
      cancel="Keep Payment"
      onClose={onClose}
    >
      {(fields) => (
        <>
          <ReversalHead employee={employee} amount={left} />
          {refusal !== null && <Notice tone="caution">{refusal}</Notice>}
          <GoneNotice reversible={reversible} />
          <FollowedTransfers lineId={line.id} />
          <RadioChoices
            label="What to do"
            choices={[
              {
                value: 'part',
                label: 'Reverse what is left',
                consequence: <Money amount={available} />,
                detail: `Now. The rest stays with ${employee.name}.`,
                isDisabled: !hasSome,
              },
              {
                value: 'recover',
                label: 'Recover from the next payrolls',
                consequence: <Money amount={left} />,
                detail: `What is left now, the rest in parts, if ${employee.name} agrees.`,
              },
            ]}
            {...fields.what}
          />
          {!isPart && (
            <>
              <Select
                label="Spread over"
                isRequired
                options={Array.from({ length: OFFERED_PAYROLLS }, (_, index) => ({
                  value: String(index + 1),
                  label: counted(index + 1, 'payroll'),
                }))}
                {...fields.payrolls}
              />
              <TextField
                label="Largest part of a payment, percent"
                isRequired
                inputMode="numeric"
                hint={`At most ${recovery.percent}% as a rule. ${employee.name} sees when it is more.`}
                {...fields.percent}
              />
              <DateField label="Answer by" isRequired {...fields.answerBy} />
            </>
          )}
          <ReversalFields who="employee" fields={fields} />
          {!isPart && (
            <>
              <div className="reversal-sums">
                <Facts
                  isTight
                  facts={planOf(reversible, rest, { instalment, percent: Number(percent) })}
                />
              </div>
              <p className="meta">
                {`${employee.name} is asked first, and sees the dates and amounts. Nothing is taken from a payroll before they accept. Without an answer, administrators are notified and nothing is taken.`}
              </p>
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

function check(values: Values) {
  if (values.what === 'part') return checkReversal(values);
  const percent = readNumber(RECOVERY_PERCENT, values.percent);
  return {
    ...checkReversal(values),
    ...(percent === null && { percent: RECOVERY_PERCENT.problem }),
    ...(parseTypedDate(values.answerBy) === null && { answerBy: MISSING }),
  };
}

/** Amounts of a recovery: now, on the next paydays, and their sum. Those of usual pay say what it is. */
function planOf(
  { wallet, available, left, recovery: { paydays, usual } }: Reversible,
  rest: Amount,
  { instalment, percent }: { instalment: Amount; percent: number },
) {
  const restMinor = BigInt(rest.minor);
  const instalmentMinor = BigInt(instalment.minor);
  const count = payrollsOf(restMinor, instalmentMinor);
  const shareMinor = (BigInt(usual.minor) * BigInt(Math.trunc(percent) || 0)) / 100n;
  const isAbove = usual.minor !== '0' && instalmentMinor > shareMinor;
  const last = restMinor - instalmentMinor * BigInt(count - 1);
  const parts = Array.from({ length: count }, (_, index) => ({
    label: `${paydays[index] === undefined ? `Payroll ${index + 1}` : formatDay(paydays[index], 'date')}${index === 0 && usual.minor !== '0' ? `, from a usual pay of ${formatMoney(usual)}${isAbove ? `, of which at most ${formatMoney(money(shareMinor, usual.currency))} is taken` : ''}` : ''}`,
    value: <Money amount={index === count - 1 ? money(last, rest.currency) : instalment} />,
  }));
  return [
    {
      label: `Now, from ${WALLET_LABELS[wallet.type]} ••${wallet.last4}`,
      value: <Money amount={available} />,
    },
    ...parts,
    { label: 'Recovered', value: <Money amount={left} /> },
  ];
}

/** Amount that is left of a line whose money is partly gone, and where the rest went. */
function GoneNotice({ reversible }: { reversible: Reversible }) {
  const { available, paidOut } = reversible;
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
        `${rest.amount} was withdrawn to ${paidOut.to}, ${rest.at}${paidOut.isCompleted ? '' : ', and is on its way'}.`}
    </Notice>
  );
}

function minus(one: Amount, other: Amount): Amount {
  return money(BigInt(one.minor) - BigInt(other.minor), one.currency);
}
