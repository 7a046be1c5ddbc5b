import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { PayrollPreview } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { employeesWords } from '../words.ts';

type Limit = PayrollPreview['limits'][number];

interface CostSumProps {
  /** Amount that reaches each type of wallet. */
  wallets: readonly { people: number; walletType: WalletType; total: Amount }[];
  total: Amount;
  /** Instalments that recoveries take from it; left out until they are read. */
  deducted: PayrollPreview['deducted'] | undefined;
}

/** Cost of a payroll to the company: what is paid into the wallets, less what recoveries take from it, and no fees. */
export function CostSum({ wallets, total, deducted }: CostSumProps) {
  const { name } = useCompany();
  const deductedMinor = BigInt(deducted?.total.minor ?? 0);
  const amount = (minor: bigint) => <Money amount={money(minor, total.currency)} />;
  return (
    <Section title="Cost" isRuled>
      <dl className="tally">
        {wallets.map(({ people, walletType, total: ofWallet }) => (
          <div key={walletType}>
            <dt>{`${formatCount(people)} × ${WALLET_LABELS[walletType]}`}</dt>
            <dd>
              <Money amount={ofWallet} />
            </dd>
          </div>
        ))}
        {deducted !== undefined && deductedMinor > 0n && (
          <div>
            <dt>{`Recovered from ${employeesWords(deducted.people)}`}</dt>
            <dd>{amount(-deductedMinor)}</dd>
          </div>
        )}
        <div>
          <dt>Fees</dt>
          <dd>{amount(0n)}</dd>
        </div>
        <div>
          <dt>{`Cost to ${name}`}</dt>
          <dd>{amount(BigInt(total.minor) - deductedMinor)}</dd>
        </div>
      </dl>
    </Section>
  );
}

/** Words about the first limit that is passed: "Above the limit of $10,000.00 for one person". */
export function passedWords(limits: readonly Limit[]): string | undefined {
  const passed = limits.find(({ isPassed }) => isPassed);
  return passed && `Above the limit of ${formatMoney(passed.allows)} for one ${passed.limit}`;
}

interface CompanyLimitsProps {
  limits: readonly Limit[];
  /** The rule about two people, of which the month's sum is a limit; left out or null: there is none. */
  secondPerson?: PayrollPreview['secondPerson'];
  total: Amount;
}

/** Limits of the company: what this payroll takes, what is allowed, and which are passed. */
export function CompanyLimits({ limits, secondPerson = null, total }: CompanyLimitsProps) {
  return (
    <Section title="Company limits" isRuled>
      <ul className="limits">
        {limits.map((limit) => (
          <LimitRow
            key={limit.limit}
            name={limit.limit === 'person' ? 'One person' : 'One payroll'}
            takes={limit.takes}
            isPassed={limit.isPassed}
            words={`${limit.person === null ? 'Up' : `${limit.person} gets the most; up`} to ${formatMoney(limit.allows)}`}
          />
        ))}
        {secondPerson !== null && <MonthRow rule={secondPerson} total={total} />}
      </ul>
    </Section>
  );
}

/** Sum of the month that one administrator sends without another. */
function MonthRow({
  rule,
  total,
}: {
  rule: NonNullable<PayrollPreview['secondPerson']>;
  total: Amount;
}) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const sent = BigInt(rule.sentAlone.minor);
  const sum = rule.isNeeded ? sent : sent + BigInt(total.minor);
  return (
    <LimitRow
      name={`Sent alone in ${formatDay(today, 'month')}`}
      takes={money(sum, total.currency)}
      isPassed={false}
      words={
        rule.isNeeded
          ? `A second person confirms this one, so it does not count; below ${formatMoney(rule.from)}`
          : `${formatMoney(rule.sentAlone)} sent before; below ${formatMoney(rule.from)}`
      }
    />
  );
}

interface LimitRowProps {
  name: string;
  takes: Amount;
  isPassed: boolean;
  words: string;
}

function LimitRow({ name, takes, isPassed, words }: LimitRowProps) {
  return (
    <li className={isPassed ? 'limits__passed' : undefined}>
      <Icon of={isPassed ? CircleAlert : CircleCheck} size={16} />
      <span>{name}</span>
      <span className="num">
        <Money amount={takes} />
      </span>
      <span className="meta num">{isPassed ? `Passed. ${words}` : words}</span>
    </li>
  );
}
