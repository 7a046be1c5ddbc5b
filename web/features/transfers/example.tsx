import type { AutomaticTransfers } from '#contract/api.ts';
import { bankingDaysAfter } from '#contract/banking-days.ts';
import { formatPercent } from '#contract/automatic-transfers.ts';
import { money, negated } from '#contract/money.ts';
import { DEFAULT_URGENCY, URGENCY_DAYS } from '#contract/withdrawals.ts';
import { formatDay, formatDayRange } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { allotExample, targetLabel, type Rule } from './rules.ts';

/** Transfers that the rules of an account would have done with the last payroll into it. */
export function TransferExample({ of }: { of: AutomaticTransfers }) {
  const { example, rules, walletName } = of;
  if (example === null) return null;
  const { before, paid, paidOn } = example;
  const allotted = allotExample(example, rules);
  const staysMinor = allotted.reduce(
    (minor, { amountMinor }) => minor - amountMinor,
    BigInt(before.minor) + BigInt(paid.minor),
  );
  const day = formatDay(paidOn, 'weekday');
  return (
    <div className={rules.length === 0 ? 'transfers__example' : 'sheet transfers__example'}>
      <Section title={rules.length === 0 ? 'Your last payroll' : 'With your last payroll'}>
        <p className="muted num">
          {rules.length === 0 ? day : `Payslip of ${day}. An example: nothing has moved.`}
        </p>
        <dl className="tally">
          <Line label={`Balance of ${walletName} before`} amount={before} />
          <Line label="Payroll" amount={paid} signs="always" />
          {allotted.map(({ rule, amountMinor }, index) => (
            <div key={rules[index]?.position}>
              <dt>
                {index + 1}&ensp;{lineLabel(rule)}
                <small>{lineDetail(rule, example)}</small>
              </dt>
              <dd>
                <Money amount={negated(money(amountMinor, paid.currency))} />
              </dd>
            </div>
          ))}
          <Line label={`Stays in ${walletName}`} amount={money(staysMinor, paid.currency)} />
        </dl>
      </Section>
    </div>
  );
}

type Example = NonNullable<AutomaticTransfers['example']>;

interface LineProps {
  label: string;
  amount: Parameters<typeof Money>[0]['amount'];
  signs?: 'always';
}

function Line({ label, amount, signs }: LineProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Money amount={amount} signs={signs} />
      </dd>
    </div>
  );
}

function lineLabel({ percentHundredths, to }: Rule): string {
  const share = percentHundredths === null ? 'To' : `${formatPercent(percentHundredths)} to`;
  return `${share} ${targetLabel(to)}`;
}

function lineDetail({ to, refusal }: Rule, { paid, paidOn }: Example): string | null {
  if (refusal !== null) return 'Left out';
  if (to.kind === 'wallet') return null;
  const arrival = bankingDaysAfter(paidOn, URGENCY_DAYS[DEFAULT_URGENCY], paid.currency);
  return `At the bank ${formatDayRange(arrival.from, arrival.to)}`;
}
