import type { AdminDashboard } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { formatDay } from '#web/lib/format.ts';
import { BarChart, type ChartBar } from '#web/ui/bar-chart.tsx';
import { chartScale } from '#web/ui/chart-scale.ts';

type Weeks = AdminDashboard['cashOutByWeek'];

/** Completed withdrawals and paid bills of recent weeks. The last bar is the current week. */
export function CashOutChart({ weeks }: { weeks: Weeks }) {
  const words = weeks.map(
    ({ weekOf, amount }) => `week of ${formatDay(weekOf, 'short')} ${formatMoney(amount)}`,
  );
  return (
    <BarChart
      label={`Completed withdrawals and paid bills by week: ${words.join(', ')} so far.`}
      bars={barsOf(weeks)}
      scale={chartScale(weeks.map(({ amount }) => amount))}
      isTall
    />
  );
}

/**
 * Bars with labels. The month is named where it changes and under the current week: "Oct 19", "26",
 * "Nov 2".
 */
function barsOf(weeks: Weeks): ChartBar[] {
  return weeks.map(({ weekOf, amount }, index) => {
    const isNow = index === weeks.length - 1;
    const isNewMonth = weeks[index - 1]?.weekOf.slice(0, 7) !== weekOf.slice(0, 7);
    return {
      id: weekOf,
      label: isNow || isNewMonth ? formatDay(weekOf, 'short') : String(Number(weekOf.slice(8))),
      amount,
      look: isNow ? 'now' : undefined,
    };
  });
}
