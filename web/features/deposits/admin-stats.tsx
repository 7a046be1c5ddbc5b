import { useQuery } from '@tanstack/react-query';
import { daysBetween, dayIn } from '#contract/calendar.ts';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Time } from '#web/ui/time.tsx';

/** Deposits that wait, how long they have waited, and those decided this month. */
export function DepositStats() {
  const { timeZone } = useCompany();
  return (
    <Figures
      query={useQuery(apiQuery('adminDepositStats', {}))}
      labels={['Pending Deposits', 'Waiting longest', 'Approved this month', 'Rejected this month']}
      figuresOf={({ pending, waitingSince, approvedThisMonth, rejectedThisMonth }) => [
        { value: formatCount(pending.count), note: `${formatMoney(pending.amount)} waiting` },
        waitingSince === null
          ? { value: 'None', note: 'Nothing waits' }
          : {
              value: waitedWords(waitingSince, timeZone),
              note: (
                <>
                  Since <Time at={waitingSince} as="shortDateTime" />
                </>
              ),
            },
        {
          value: <Money amount={approvedThisMonth.amount} />,
          note: counted(approvedThisMonth.count, 'deposit'),
        },
        {
          value: formatCount(rejectedThisMonth.count),
          note: formatMoney(rejectedThisMonth.amount),
        },
      ]}
    />
  );
}

/** "Today", "1 day", "12 days", by the company's calendar. */
function waitedWords(since: string, timeZone: string): string {
  const days = daysBetween(dayIn(timeZone, new Date(since)), dayIn(timeZone, new Date()));
  return days === 0 ? 'Today' : counted(days, 'day');
}
