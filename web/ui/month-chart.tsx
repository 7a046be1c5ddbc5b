import type { Money } from '#contract/money.ts';
import { BarChart, type ChartBar } from './bar-chart.tsx';

interface MonthChartProps {
  /** Full description with figures, so that nobody has to read the bars. */
  label: string;
  /** January to December. Null for a future month. */
  amounts: readonly (Money | null)[];
  /** Index of the current month, 0 to 11, which is drawn in ink. */
  current: number;
  /** Amount expected in the next month, drawn dotted. */
  expected?: Money | undefined;
  /** Draws all months alike. */
  isBlank?: boolean | undefined;
}

const LETTERS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D'] as const;

/** Twelve bars of a year. */
export function MonthChart({ label, amounts, current, expected, isBlank }: MonthChartProps) {
  const bars = LETTERS.map((letter, month): ChartBar => {
    const planned = month === current + 1 ? expected : undefined;
    return {
      id: String(month),
      label: letter,
      amount: amounts[month] ?? planned ?? null,
      look: month === current ? 'now' : month > current ? 'planned' : undefined,
    };
  });
  return <BarChart label={label} bars={bars} isBlank={isBlank} />;
}
