import { useState } from 'react';
import type { DepositOptions, Wallet } from '#contract/api.ts';
import {
  DEPOSIT_METHODS,
  expectedDeposit,
  methodName,
  type DepositMethodId,
} from '#contract/deposits.ts';
import { dayIn } from '#contract/calendar.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney, money, negated } from '#contract/money.ts';
import type { FormFields } from '#web/kit/form-state.ts';
import { Available } from '#web/kit/wallet-field.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { useAmountWords } from '#web/lib/privacy.ts';
import { Facts } from '#web/ui/facts.tsx';
import { FieldText } from '#web/ui/field-text.tsx';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { tallyOf, type DepositPlan, type DepositValues } from './check-deposit.ts';
import { DepositHead } from './deposit-head.tsx';
import { byMethod, feeWords, limitWords, methodWords, timeWords } from './words.ts';
import './deposit.css';

type Fields = FormFields<DepositValues>;

/** Step 1: the wallet it goes to. */
export function AccountStep({ fields, wallets }: { fields: Fields; wallets: readonly Wallet[] }) {
  const write = useAmountWords();
  return (
    <RadioChoices
      label="Deposit into"
      {...fields.walletId}
      choices={wallets.map(({ id, name, accountNumberLast4, available }) => ({
        value: id,
        label: name,
        detail: `••${accountNumberLast4}`,
        consequence: write(formatMoney(available)),
        consequenceDetail: 'Available',
      }))}
    />
  );
}

interface MethodStepProps {
  fields: Fields;
  methods: DepositOptions['methods'];
  /** The wallet of a person who has one alone, which was not asked for. */
  only: Wallet | undefined;
}

/** Step 2: how the money comes, with limits, fee and time of each way. */
export function MethodStep({ fields, methods, only }: MethodStepProps) {
  const { currency } = useCompany();
  const choices = (
    <RadioChoices<DepositMethodId>
      label="How will you send it?"
      {...fields.method}
      choices={methods.map(({ id }) => ({
        value: id,
        label: methodName(id, currency),
        detail: limitWords(id, currency),
        consequence: feeWords(id, currency),
        consequenceDetail: timeWords(id),
      }))}
    />
  );
  if (only === undefined) return choices;
  return (
    <>
      <FieldText
        label="Deposit into"
        name={fields.walletId.name}
        error={fields.walletId.error}
        aside={<Available amount={only.available} />}
      >
        {walletLabel(only)}
      </FieldText>
      {choices}
    </>
  );
}

interface AmountStepProps {
  fields: Fields;
  wallet: Wallet;
  method: DepositOptions['methods'][number];
}

/** Step 3: how much, and what it costs. */
export function AmountStep({ fields, wallet, method: { id, leftToday } }: AmountStepProps) {
  const { currency } = leftToday;
  const { minMinor, maxMinor } = DEPOSIT_METHODS[id];
  const range = [minMinor, maxMinor].map((minor) => formatMoney(money(minor, currency)));
  const left = `You can send ${formatMoney(leftToday)} more by ${byMethod(id, currency)} today.`;
  const tally = tallyOf(id, fields.amount.value, currency);
  return (
    <ShownAmounts>
      <MoneyField
        label="Amount"
        isRequired
        currency={currency}
        aside={
          <span className="muted num">{`${methodName(id, currency)} to ••${wallet.accountNumberLast4}`}</span>
        }
        hint={`${range.join(' to ')}. ${left}`}
        {...fields.amount}
      />
      <TextField
        label="Description"
        optional
        maxLength={DESCRIPTION_MAX_LENGTH}
        placeholder="For your own records"
        {...fields.description}
      />
      <dl className="tally">
        <TallyLine label="You send" amount={tally?.total} />
        <TallyLine
          label="Fee"
          detail={DEPOSIT_METHODS[id].fee.basisPoints > 0n ? feeRate(id, currency) : undefined}
          amount={tally === null ? undefined : negated(tally.fee)}
        />
        <TallyLine label="Arrives in your wallet" amount={tally?.amount} />
      </dl>
    </ShownAmounts>
  );
}

function feeRate(id: DepositMethodId, currency: DepositPlan['amount']['currency']): string {
  return feeWords(id, currency).replace(/ fee$/, '');
}

interface TallyLineProps {
  label: string;
  detail?: string | undefined;
  /** Undefined while it is not known. */
  amount: DepositPlan['amount'] | undefined;
}

function TallyLine({ label, detail, amount }: TallyLineProps) {
  return (
    <div>
      <dt>
        {label}
        {detail !== undefined && <span className="meta"> {detail}</span>}
      </dt>
      <dd>{amount === undefined ? <span className="faint">–</span> : <Money amount={amount} />}</dd>
    </div>
  );
}

/** Step 4: the deposit in full, before it is asked for. */
export function ReviewStep({ plan }: { plan: DepositPlan }) {
  const { wallet, method, amount, fee, total, description } = plan;
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const expected = expectedDeposit(method, today, amount.currency);
  const after = money(BigInt(wallet.available.minor) + BigInt(amount.minor), amount.currency);
  const time = timeWords(method);
  return (
    <div className="dialog__parts">
      <ShownAmounts>
        <DepositHead line="Arrives in your wallet" amount={amount} />
      </ShownAmounts>
      <Facts
        isTight
        facts={[
          { label: 'To', value: `${wallet.name} ••${wallet.accountNumberLast4}` },
          {
            label: 'Method',
            value: `${methodName(method, amount.currency)}, ${time.slice(0, 1).toLowerCase()}${time.slice(1)}`,
          },
          { label: 'You send', value: shown(total) },
          { label: 'Fee', value: shown(negated(fee)) },
          ...(expected === null
            ? []
            : [
                {
                  label: 'Expected',
                  value: `${formatDayRange(expected.from, expected.to)}, ${expected.to.slice(0, 4)}`,
                },
              ]),
          ...(description === '' ? [] : [{ label: 'Description', value: description }]),
          { label: 'Available after', value: <Money amount={after} /> },
        ]}
      />
      <p className="muted">
        {methodWords(method, amount.currency).before} The money is in your wallet once an
        administrator has confirmed that it arrived. You can cancel while it is pending.
      </p>
    </div>
  );
}

function shown(amount: DepositPlan['amount']) {
  return (
    <ShownAmounts>
      <Money amount={amount} />
    </ShownAmounts>
  );
}
