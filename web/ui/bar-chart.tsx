import type { Money } from '#contract/money.ts';
import type { ChartScale } from './chart-scale.ts';
import { classNames } from './class-names.ts';

export interface ChartBar {
  /** Unique in its chart. */
  id: string;
  /** Text under the bar: "J", "Oct 19". */
  label: string;
  /** Null if there is nothing to draw. */
  amount: Money | null;
  /** `now` is drawn in ink, `planned` is dotted. */
  look?: 'now' | 'planned' | undefined;
}

interface BarChartProps {
  /** Full description with figures, so that nobody has to read the bars. */
  label: string;
  bars: readonly ChartBar[];
  /** Heights with lines and labels. Without a scale the highest bar fills the chart. */
  scale?: ChartScale | undefined;
  isTall?: boolean | undefined;
  /** Draws all bars alike. The label then has no figures. */
  isBlank?: boolean | undefined;
}

const HEIGHT = 100;
const BLANK_HEIGHT = 60;
const BAR_WIDTH = 0.42;
/** Heights are rounded to a hundredth of a percent. Only here does an amount become a length. */
const PRECISION = 100;

/** Bars from a zero base. A chart answers one question. */
export function BarChart({ label, bars, scale, isTall = false, isBlank = false }: BarChartProps) {
  const amounts = bars.map(({ amount }) => (amount === null ? 0n : BigInt(amount.minor)));
  const highest = amounts.reduce((most, amount) => (amount > most ? amount : most), 1n);
  const top = scale?.top ?? highest;
  const heightOf = (amount: bigint) =>
    Number((amount * BigInt(HEIGHT * PRECISION)) / top) / PRECISION;

  return (
    <figure className={classNames('chart', isTall && 'chart--tall')} role="img" aria-label={label}>
      {scale !== undefined && (
        <svg className="chart__scale" aria-hidden="true">
          {scale.lines.map(({ amount, label: words }) => (
            <text key={words} y={`${HEIGHT - heightOf(amount)}%`}>
              {words}
            </text>
          ))}
        </svg>
      )}
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {scale?.lines.map(({ amount, label: words }) => (
          <line
            key={words}
            className="grid-line"
            x1={0}
            x2={bars.length}
            y1={HEIGHT - heightOf(amount)}
            y2={HEIGHT - heightOf(amount)}
          />
        ))}
        {bars.map(({ id, look }, index) => {
          const height = isBlank ? BLANK_HEIGHT : heightOf(amounts[index] ?? 0n);
          return (
            <rect
              key={id}
              className={classNames(
                'b',
                isBlank && 'b--blank',
                !isBlank && look === 'now' && 'b--now',
                !isBlank && look === 'planned' && 'b--plan',
              )}
              x={index + (1 - BAR_WIDTH) / 2}
              y={HEIGHT - height}
              width={BAR_WIDTH}
              height={height}
            />
          );
        })}
      </svg>
      <div className="chart__x" aria-hidden="true">
        {bars.map(({ id, label: words, look }) => (
          <span key={id} className={look === 'now' ? 'now' : undefined}>
            {words}
          </span>
        ))}
      </div>
    </figure>
  );
}
