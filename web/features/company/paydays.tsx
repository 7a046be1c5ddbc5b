import { formatDay } from '#web/lib/format.ts';

interface PaydaysProps {
  /** Calendar days. */
  days: readonly string[];
  /** Whether the schedule is being changed, so that they are those of the old one. */
  isStale: boolean;
}

/** The days payroll is due next. */
export function Paydays({ days, isStale }: PaydaysProps) {
  return (
    <div className="setting">
      <div className="setting__name">
        <span className="field__label">Next paydays</span>
        <p className="field__hint">In the company’s time zone.</p>
      </div>
      {isStale || days.length === 0 ? (
        <p className="setting__fixed muted">
          {isStale ? 'Shown once the schedule is saved.' : 'No schedule is set.'}
        </p>
      ) : (
        <ul className="paydays">
          {days.map((day) => (
            <li key={day}>{formatDay(day, 'long')}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
