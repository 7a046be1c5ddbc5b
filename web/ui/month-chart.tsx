import type { Money } from '#contract/money.ts';
import { BarChart, type ChartBar } from './bar-chart.tsx';

interface MonthChartProps {
  /** What it shows, in words and with its figures: nobody has to read the bars. */
  label: string;
  /** January to December; null for a month that has not come. */
  amounts: readonly (Money | null)[];
  /** 0 to 11: drawn in ink. */
  current: number;
  /** Expected in the month after the current one; drawn dotted. */
  expected?: Money | undefined;
  /** Draws every month the same. */
  isBlank?: boolean | undefined;
}

const LETTERS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D'] as const;

/** Twelve bars over one year. */
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
