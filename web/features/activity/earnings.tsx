import type { RouteReply } from '#contract/api.ts';
import { formatDate, formatMoney, formatShortDate } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { MonthChart } from '#web/ui/month-chart.tsx';
import { Stat } from '#web/ui/stat.tsx';

type Dashboard = RouteReply<'getEmployeeDashboard'>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** "Fri, Dec 11" */
function formatPayday(day: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
  return `${weekday.format(new Date(day))}, ${formatShortDate(day)}`;
}

function inDays(days: number): string {
  if (days === 0) return 'Today';
  return days === 1 ? 'Tomorrow' : `In ${days} days`;
}

/** The three figures under the accounts: what came last, what comes next, what came this year. */
export function EarningsStats({ dashboard, timeZone }: { dashboard: Dashboard; timeZone: string }) {
  const { lastDeposit, nextPayroll, ytdEarnings, earningsByMonth } = dashboard;
  return (
    <dl className="figures figures--keep earnings">
      <Stat
        label="Last Deposit"
        value={
          lastDeposit === null ? (
            'None yet'
          ) : (
            <Money minor={lastDeposit.amount.minor} currency={lastDeposit.amount.currency} />
          )
        }
        note={
          lastDeposit === null
            ? undefined
            : `${lastDeposit.description}, ${formatDate(lastDeposit.at, timeZone)}`
        }
      />
      <Stat
        label="Next Payroll"
        value={formatPayday(nextPayroll.date)}
        note={inDays(nextPayroll.inDays)}
      />
      <div className="figure earnings__year">
        <dt className="figure__label">YTD Earnings</dt>
        <dd className="figure__value">
          <Money minor={ytdEarnings.minor} currency={ytdEarnings.currency} />
        </dd>
        <dd className="figure__note">Received by month</dd>
        <dd className="earnings__chart">
          <YearChart months={earningsByMonth} />
        </dd>
      </div>
    </dl>
  );
}

function YearChart({ months }: { months: Dashboard['earningsByMonth'] }) {
  const known = months.flatMap((amount) => (amount === null ? [] : [amount]));
  const current = Math.max(known.length - 1, 0);
  const words = known.map(
    (amount, month) => `${MONTHS[month] ?? ''} ${formatMoney(amount.minor, amount.currency)}`,
  );
  return (
    <MonthChart
      label={`Received by month: ${words.join(', ')}.`}
      amounts={months.map((amount) => amount?.minor ?? null)}
      current={current}
    />
  );
}
