import { useState } from 'react';
import type { EmployeePage, UsualPay } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { formatMoney, money } from '#contract/money.ts';
import { usualPayRules } from '#contract/usual-pay.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormFields } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay, percentChange } from '#web/lib/format.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useMoments } from '#web/ui/time.tsx';
import {
  checkChange,
  initialChange,
  planChange,
  readUsualAmount,
  type ChangePlan,
  type ChangeValues,
} from './plan-change.ts';
import './usual-pay.css';

interface ChangeUsualPayProps {
  person: EmployeePage;
  pay: UsualPay;
  onClose: () => void;
}

/**
 * Changes what a person is usually paid from a payday on. Open while mounted. Amounts before the change are those with
 * which it was opened: the server refuses the change if somebody else changed one of them meanwhile.
 */
export function ChangeUsualPay({ person, pay: current, onClose }: ChangeUsualPayProps) {
  const { currency } = useCompany();
  const [pay] = useState(current);
  const state = useFormState<ChangeValues>({
    initial: initialChange(pay),
    check: (values) => checkChange(values, pay, currency),
  });
  const plan = planChange(state.form.watch(), pay, currency);
  const task = useFormTask(state, {
    send: (values: ChangeValues, options) => {
      const { validFrom, lines } = planChange(values, pay, currency);
      if (validFrom === null) throw new Error('values that were not checked');
      const body = {
        validFrom,
        reason: usualPayRules.reason.clean(values.reason),
        lines: lines.map(({ walletType, beforeMinor, amountMinor }) => ({
          walletType,
          before: money(beforeMinor, currency),
          amount: money(amountMinor, currency),
        })),
      };
      return call('adminChangeUsualPay', { params: { id: person.id }, body }, options);
    },
    topics: ['payroll'],
    done: ({ changes }) => ({
      title: 'Usual Pay Changed',
      message: changes.some(({ status }) => status === 'waiting')
        ? `The change for ${person.name} waits for another administrator.`
        : `${person.name}.`,
    }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Change Usual Pay"
      state={state}
      task={task}
      summary="Please check the change"
      sent={{ what: 'your change', where: 'under Changes' }}
      submit={{
        label: 'Save Change',
        pending: 'Saving',
        why: plan.lines.length === 0 ? 'Change an amount first.' : undefined,
      }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p>
            {person.name} <span className="faint">{person.employeeId}</span>
          </p>
          <Amounts plan={plan} fields={fields} />
          <div className="form__row">
            <DateField
              label="Valid from"
              isRequired
              hint={paydayHint(plan, pay)}
              min={pay.paydays[0]}
              {...fields.validFrom}
            />
            <TextField
              label="Reason"
              isRequired
              autoComplete="off"
              hint="Kept with the change."
              {...fields.reason}
            />
          </div>
          {plan.needsSecond && pay.rule !== null && <SecondPerson rule={pay.rule} />}
        </>
      )}
    </FormDialog>
  );
}

function paydayHint({ validFrom }: ChangePlan, { paydays }: UsualPay): string {
  if (validFrom === null || !paydays.includes(validFrom)) return 'MM/DD/YYYY';
  const before = paydays.findLast((payday) => payday < validFrom);
  return before === undefined ? 'A payday' : `A payday. ${formatDay(before, 'short')} stays`;
}

interface AmountsProps {
  plan: ChangePlan;
  fields: FormFields<ChangeValues>;
}

/** The amounts of now and from then on, next to each other, and their sums. */
function Amounts({ plan, fields }: AmountsProps) {
  const { currency } = useCompany();
  const percent = percentChange(plan.nowMinor, plan.nextMinor);
  return (
    <>
      <div className="pay-change">
        <p className="pay-change__head" aria-hidden="true">
          <span>Wallet</span>
          <span>Now</span>
          <span>Each payday</span>
        </p>
        {plan.wallets.map(({ walletType, last4, beforeMinor, amountMinor, typed }) => (
          <div
            key={walletType}
            className="pay-change__wallet"
            data-changed={amountMinor !== beforeMinor || undefined}
          >
            <MoneyField
              label={WALLET_LABELS[walletType]}
              currency={currency}
              size="standard"
              aside={
                <>
                  <span className="meta pay-change__number">
                    {last4 === null ? 'Closed' : `•••• ${last4}`}
                  </span>
                  <span className="pay-change__now">
                    <span className="pay-change__narrow">Now </span>
                    {beforeMinor === 0n ? 'None' : <Money amount={money(beforeMinor, currency)} />}
                  </span>
                </>
              }
              {...fields[walletType]}
              value={typed}
              onBlur={() => {
                const { value, onBlur, onChange } = fields[walletType];
                // Left as it is valid: it follows the day again.
                if (readUsualAmount(value, currency) === beforeMinor) onChange(null);
                onBlur();
              }}
            />
          </div>
        ))}
      </div>
      <dl className="tally">
        <div>
          <dt>Now</dt>
          <dd>
            <Money amount={money(plan.nowMinor, currency)} />
          </dd>
        </div>
        <div>
          <dt>Change</dt>
          <dd>
            <Money amount={money(plan.nextMinor - plan.nowMinor, currency)} signs="always" />
            {percent !== undefined && ` (${percent})`}
          </dd>
        </div>
        <div>
          <dt>Each payday</dt>
          <dd>
            <Money amount={money(plan.nextMinor, currency)} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function SecondPerson({ rule }: { rule: NonNullable<UsualPay['rule']> }) {
  const write = useMoments();
  const counted =
    rule.recent.minor === '0'
      ? 'the change'
      : `the change, with ${formatMoney(rule.recent)} changed in the last 30 days,`;
  return (
    <Notice tone="motion" role="status">
      <span className="strong">A second person confirms.</span> It is needed because {counted} is at
      least {formatMoney(rule.least)} a payday.{' '}
      {whoCanWords(rule.people, (at) => write(at, 'weekdayTime'))} Until then the amounts of today
      count.
    </Notice>
  );
}
