import { classNames } from './class-names.ts';

interface ProgressBarProps {
  /** Accessible name: "Documents". */
  label: string;
  /** Between 0 and `max`. Values outside are drawn at the nearer end. */
  value: number;
  max?: number | undefined;
  /** Text for screen readers instead of a percentage: "6 of 9 employees paid". */
  valueText?: string | undefined;
  /** 3 px high with square ends, for the edge of a bar. */
  isThin?: boolean | undefined;
}

/** Progress of work with a known total. */
export function ProgressBar({
  label,
  value,
  max = 100,
  valueText,
  isThin = false,
}: ProgressBarProps) {
  const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
  return (
    <div
      className={classNames('bar', isThin && 'bar--thin')}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(Math.max(value, 0), max)}
      aria-valuetext={valueText}
    >
      <svg aria-hidden="true">
        <rect width={`${share * 100}%`} height="100%" rx={isThin ? 0 : 2} />
      </svg>
    </div>
  );
}
