import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money, type Money as Amount } from '#contract/money.ts';
import { instalmentOver, payrollsOf, RECOVERY_PERCENT } from '#contract/recovery.ts';
import { MISSING, readNumber } from '#contract/rules.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { FormFields } from '#web/kit/form-state.ts';
import type { Problems } from '#web/lib/form.ts';
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
import { checkReversal, type ReversalValues } from '../reversal-fields.tsx';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

/** Values of a reversal, with what to do where the wallet has less than the payment. */
export interface GoneValues extends ReversalValues {
  /** Take back what is left, or recover the rest as well. Empty while nobody chose. */
  what: 'part' | 'recover' | '';
  payrolls: string;
  percent: string;
  answerBy: string;
}

/** Most payrolls that the dialog offers. */
const OFFERED_PAYROLLS = 24;

/** Terms to begin with. */
export function startOfGone({ percent, answerBy }: Reversible['recovery']) {
  return { payrolls: '2', percent: String(percent), answerBy: typedDate(answerBy) };
}

/** Terms of a recovery whose fields were checked. */
export function termsOf(values: GoneValues, recovery: Reversible['recovery']) {
  return {
    percent: readNumber(RECOVERY_PERCENT, values.percent) ?? recovery.percent,
    startsOn: recovery.paydays[0] ?? recovery.answerBy,
    answerBy: parseTypedDate(values.answerBy) ?? recovery.answerBy,
  };
}

/** Amount of one instalment of the rest. */
export function instalmentOf(rest: Amount, payrolls: string): Amount {
  return money(instalmentOver(BigInt(rest.minor), Number(payrolls)), rest.currency);
}

/** Problems of the fields where the wallet has less than the payment. */
export function checkGone(values: GoneValues): Problems<GoneValues> {
  if (values.what !== 'recover') {
    return { ...(values.what === '' && { what: MISSING }), ...checkReversal(values) };
  }
  const percent = readNumber(RECOVERY_PERCENT, values.percent);
  return {
    ...checkReversal(values),
    ...(percent === null && { percent: RECOVERY_PERCENT.problem }),
    ...(parseTypedDate(values.answerBy) === null && { answerBy: MISSING }),
  };
}

interface GoneChoicesProps {
  reversible: Reversible;
  fields: FormFields<GoneValues>;
  what: GoneValues['what'];
}

/** Choice of a line whose wallet has less: what is left is taken back, and the rest stays or is recovered by an agreement. */
export function GoneChoices({ reversible, fields, what }: GoneChoicesProps) {
  const { line, left, available, recovery } = reversible;
  const { name } = line.employee;
  return (
    <>
      <RadioChoices
        label="What to do"
        choices={[
          {
            value: 'part',
            label: 'Reverse what is left',
            consequence: <Money amount={available} />,
            detail: `Now. The rest stays with ${name}.`,
            isDisabled: available.minor === '0',
          },
          {
            value: 'recover',
            label: 'Recover from the next payrolls',
            consequence: <Money amount={left} />,
            detail: recovery.refusal ?? `What is left now, the rest in parts, if ${name} agrees.`,
            isDisabled: recovery.refusal !== null,
          },
        ]}
        {...fields.what}
      />
      {what === 'recover' && (
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
            hint={`At most ${recovery.percent}% as a rule. ${name} sees when it is more.`}
            {...fields.percent}
          />
          <DateField label="Answer by" isRequired {...fields.answerBy} />
        </>
      )}
    </>
  );
}

interface GonePlanProps {
  reversible: Reversible;
  instalment: Amount;
  percent: number;
}

/** Amounts and days of a recovery, and what happens first. */
export function GonePlan({ reversible, instalment, percent }: GonePlanProps) {
  const { line, left, available } = reversible;
  return (
    <>
      <div className="reversal-sums">
        <Facts
          isTight
          facts={planOf(reversible, minus(left, available), { instalment, percent })}
        />
      </div>
      <p className="meta">
        {`${line.employee.name} is asked first, and sees the dates and amounts. Nothing is taken from a payroll before they accept. Without an answer, administrators are notified and nothing is taken.`}
      </p>
    </>
  );
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
export function GoneNotice({ reversible }: { reversible: Reversible }) {
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

export function minus(one: Amount, other: Amount): Amount {
  return money(BigInt(one.minor) - BigInt(other.minor), one.currency);
}
