import type { SettingsReply } from '#contract/api.ts';
import { bankHoliday, bankHolidaysWords } from '#contract/bank-holidays.ts';
import type { Currency } from '#contract/money.ts';
import { formatDay } from '#web/lib/format.ts';

type Payday = SettingsReply['nextPaydays'][number];

interface PaydaysProps {
  days: readonly Payday[];
  /** True while the schedule is being edited: the days are still those of the old schedule. */
  isStale: boolean;
  /** Currency of the company. */
  currency: Currency;
}

/** Next days on which payroll is due. */
export function Paydays({ days, isStale, currency }: PaydaysProps) {
  return (
    <div className="setting">
      <div className="setting__name">
        <span className="field__label">Next paydays</span>
        <p className="field__hint">In the company’s time zone. {bankHolidaysWords(currency)}</p>
      </div>
      {isStale || days.length === 0 ? (
        <p className="setting__fixed muted">
          {isStale ? 'Shown once the schedule is saved.' : 'No schedule is set.'}
        </p>
      ) : (
        <ul className="paydays">
          {days.map(({ on, movedFrom }) => (
            <li key={on}>
              {formatDay(on, 'long')}
              {movedFrom !== null && (
                <span className="meta paydays__why">{reasonOf(movedFrom, currency)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Reason a payday was moved: "Thursday, November 26 is Thanksgiving Day". */
function reasonOf(movedFrom: string, currency: Currency): string {
  return `${formatDay(movedFrom, 'long')} is ${bankHoliday(movedFrom, currency) ?? 'a weekend'}`;
}
