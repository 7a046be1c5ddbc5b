import type { ReactNode } from 'react';
import { money } from '#contract/money.ts';
import { Facts } from '#web/ui/facts.tsx';
import { MoneyRail } from '#web/ui/money-rail.tsx';
import { Balance } from '#web/ui/money.tsx';
import { MonthChart } from '#web/ui/month-chart.tsx';
import { Status } from '#web/ui/status.tsx';

export interface Slide {
  id: string;
  title: string;
  line: string;
  slip: ReactNode;
}

interface SlipProps {
  label: string;
  amount: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}

/** A paper slip with sample data. */
function Slip({ label, amount, end, children }: SlipProps) {
  return (
    <div className="slip">
      <div className="slip__head">
        <div>
          <p className="muted">{label}</p>
          {amount}
        </div>
        {end}
      </div>
      {children}
    </div>
  );
}

/** The pictures show an example in US dollars, independent of the company's currency. */
const specimen = (minor: bigint) => money(minor, 'USD');

/** October is the year's highest month because it has three paydays. */
const SPECIMEN_YEAR = [
  485280n,
  485280n,
  537840n,
  485280n,
  727920n,
  485280n,
  509040n,
  509040n,
  509040n,
  763560n,
  509040n,
] as const;

/** The four slides on the sign-up screen. */
export const SLIDES: readonly Slide[] = [
  {
    id: 'instant-payments',
    title: 'Instant Payments',
    line: 'Your salary reaches your wallet the moment payroll runs.',
    slip: (
      <Slip
        label="Salary Wallet"
        amount={<Balance amount={specimen(242640n)} signs="always" />}
        end={<Status status="completed" />}
      >
        <MoneyRail
          label="A payroll on its way"
          layout="narrow"
          steps={[
            { state: 'done', what: 'Requested', who: 'Payroll, November', time: '9:00 AM' },
            { state: 'done', what: 'Approved', who: 'Your employer', time: '9:01 AM' },
            { state: 'done', what: 'Sent', time: '9:02 AM' },
            { state: 'arrived', what: 'Arrived', who: 'In your wallet', time: '9:02 AM' },
          ]}
        />
      </Slip>
    ),
  },
  {
    id: 'smart-analytics',
    title: 'Smart Analytics',
    line: 'See what came in, what went out and what comes next.',
    slip: (
      <Slip
        label="Net pay in October"
        amount={<Balance amount={specimen(763560n)} />}
        end={<span className="muted">Three paydays</span>}
      >
        <MonthChart
          label="Net pay by month. Highest October, $7,635.60, a month with three paydays."
          amounts={SPECIMEN_YEAR.map(specimen)}
          current={9}
        />
      </Slip>
    ),
  },
  {
    id: 'global-access',
    title: 'Global Access',
    line: 'One balance, wherever you open it.',
    slip: (
      <Slip label="Available" amount={<Balance amount={specimen(481236n)} />}>
        <Facts
          isTight
          facts={[
            { label: 'Seattle', value: 'Tue, 9:02 AM' },
            { label: 'São Paulo', value: 'Tue, 2:02 PM' },
            { label: 'Lisbon', value: 'Tue, 5:02 PM' },
            { label: 'Manila', value: 'Wed, 1:02 AM' },
          ]}
        />
      </Slip>
    ),
  },
  {
    id: 'bank-grade-security',
    title: 'Bank-Grade Security',
    line: 'Nothing leaves your wallet unchecked.',
    slip: (
      <Slip label="To Cascade Federal ••2208" amount={<Balance amount={specimen(-40000n)} />}>
        <Facts
          isTight
          facts={[
            { label: 'Identity', value: <Status status="verified" /> },
            { label: 'Destination bank', value: <Status status="verified" /> },
            { label: 'Withdrawal', value: <Status status="approved" /> },
            { label: 'Account number', value: '•••• 7731' },
          ]}
        />
      </Slip>
    ),
  },
];
