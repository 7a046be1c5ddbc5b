import type { MinorAmount } from '#web/lib/format.ts';
import { classNames } from './class-names.ts';

interface MonthChartProps {
  /** What it shows, in words and with its figures: nobody has to read the bars. */
  label: string;
  /** January to December; null for a month that has not come. */
  amounts: readonly (MinorAmount | null)[];
  /** 0 to 11: drawn in ink. */
  current: number;
  /** Expected in the month after the current one; drawn dotted. */
  expected?: MinorAmount | undefined;
}

const LETTERS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D'] as const;
const HEIGHT = 100;
const BAR_WIDTH = 0.42;

/** Twelve bars over one year, zero at the base. The only place where an amount becomes a length. */
export function MonthChart({ label, amounts, current, expected }: MonthChartProps) {
  const values = LETTERS.map((_, month) => {
    const amount = amounts[month] ?? (month === current + 1 ? expected : undefined);
    return amount === undefined || amount === null ? 0n : BigInt(amount);
  });
  const highest = values.reduce((most, value) => (value > most ? value : most), 1n);

  return (
    <figure className="chart" role="img" aria-label={label}>
      <svg viewBox={`0 0 12 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map((value, month) => {
          const height = Number((value * BigInt(HEIGHT)) / highest);
          return (
            <rect
              key={month}
              className={classNames(
                'b',
                month === current && 'b--now',
                month > current && 'b--plan',
              )}
              x={month + (1 - BAR_WIDTH) / 2}
              y={HEIGHT - height}
              width={BAR_WIDTH}
              height={height}
            />
          );
        })}
      </svg>
      <div className="chart__x" aria-hidden="true">
        {LETTERS.map((letter, month) => (
          <span key={month} className={month === current ? 'now' : undefined}>
            {letter}
          </span>
        ))}
      </div>
    </figure>
  );
}
