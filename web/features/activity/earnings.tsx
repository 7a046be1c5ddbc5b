import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { formatDay, inDays } from '#web/lib/format.ts';
import { useAmountsHidden } from '#web/lib/privacy.ts';
import { Money } from '#web/ui/money.tsx';
import { MonthChart } from '#web/ui/month-chart.tsx';
import { Stat } from '#web/ui/stat.tsx';
import { Time } from '#web/ui/time.tsx';
import { MONTHS } from './months.ts';

type Dashboard = RouteReply<'getEmployeeDashboard'>;

/** "Fri, Dec 11" */
function formatPayday(day: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
  return `${weekday.format(new Date(day))}, ${formatDay(day, 'short')}`;
}

/** The three figures under the accounts: last deposit, next payday, earnings this year. */
export function EarningsStats({ dashboard }: { dashboard: Dashboard }) {
  const isHidden = useAmountsHidden();
  const { lastDeposit, nextPayroll, ytdEarnings, ytdPayroll, ytdDeposits, earningsByMonth } =
    dashboard;
  const hasEarned = earningsByMonth.some((amount) => amount !== null && amount.minor !== '0');
  return (
    <dl className="figures figures--keep earnings">
      <Stat
        label="Last Deposit"
        value={lastDeposit === null ? 'None yet' : <Money amount={lastDeposit.amount} />}
        note={
          lastDeposit === null ? undefined : (
            <>
              {lastDeposit.description}, <Time at={lastDeposit.at} as="date" by="company" />
            </>
          )
        }
      />
      <Stat
        label="Next Payroll"
        value={nextPayroll === null ? 'Not scheduled' : formatPayday(nextPayroll.date)}
        note={nextPayroll === null ? undefined : inDays(nextPayroll.inDays)}
      />
      <div className="figure earnings__year">
        <dt className="figure__label">YTD Earnings</dt>
        <dd className="figure__value">
          <Money amount={ytdEarnings} />
        </dd>
        {hasEarned ? (
          <>
            <dd className="figure__note">
              Payroll <Money amount={ytdPayroll} />, deposits <Money amount={ytdDeposits} />
            </dd>
            <dd className="figure__note">
              {isHidden ? 'Received by month, hidden' : 'Received by month'}
            </dd>
            <dd className="earnings__chart">
              <YearChart months={earningsByMonth} />
            </dd>
          </>
        ) : (
          <dd className="figure__note">Your months show here from your first payroll on.</dd>
        )}
      </div>
    </dl>
  );
}

function YearChart({ months }: { months: Dashboard['earningsByMonth'] }) {
  const known = months.flatMap((amount) => (amount === null ? [] : [amount]));
  const current = Math.max(known.length - 1, 0);
  const isHidden = useAmountsHidden();
  const words = known.map((amount, month) => `${MONTHS[month] ?? ''} ${formatMoney(amount)}`);
  return (
    <MonthChart
      label={isHidden ? 'Received by month, hidden.' : `Received by month: ${words.join(', ')}.`}
      isBlank={isHidden}
      amounts={months}
      current={current}
    />
  );
}
