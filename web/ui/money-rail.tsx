import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/**
 * `done` behind us, `now` waited for, `next` ahead, `arrived` the end reached, `stop` rejected or
 * failed, `void` cancelled. After a stop or a void no step follows.
 */
type RailState = 'done' | 'now' | 'next' | 'arrived' | 'stop' | 'void';

export interface RailStep {
  state: RailState;
  /** "Approved", or the words of waiting: "Waiting for approval". */
  what: string;
  /** The actor, the destination or the reference. */
  who?: string | undefined;
  /** A reason, in full. */
  note?: ReactNode;
  /** "Dec 7", or an estimate "Dec 9–10". Without an estimate there is no time: never invent one. */
  time?: ReactNode;
  /** Under the time: "2:41 PM" or "expected". */
  timeNote?: ReactNode;
}

export interface MoneyRailProps {
  /** Its accessible name: "Withdrawal progress". */
  label: string;
  steps: readonly RailStep[];
  /** `standard` in dialogs, `narrow` with a shorter time column, `stacked` in narrow columns, `lying` in wide rows (stands up below 1024 px). */
  layout?: 'standard' | 'narrow' | 'stacked' | 'lying' | undefined;
}

/** What the dots and lines say by their look. */
const spokenState: Record<RailState, string | undefined> = {
  done: 'Done',
  now: 'Current step',
  next: 'Not yet',
  arrived: 'Done',
  stop: undefined,
  void: undefined,
};

/** Where a request stands, who moved it and when; moments are written by {@link DatedRail}. */
export function MoneyRail({ label, steps, layout = 'standard' }: MoneyRailProps) {
  return (
    <ol
      className={classNames('rail', layout !== 'standard' && `rail--${layout}`)}
      aria-label={label}
    >
      {steps.map((step, place) => (
        <li
          className="rail__step"
          data-state={step.state}
          // The same can be done twice in a minute, and steps never change places.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${place} ${step.what}`}
          aria-current={step.state === 'now' ? 'step' : undefined}
        >
          <span className="rail__time num">
            {step.time}
            {step.timeNote !== undefined && <small>{step.timeNote}</small>}
          </span>
          <div className="rail__body">
            <p className="rail__what">
              {step.what}
              {spokenState[step.state] !== undefined && (
                <VisuallyHidden>{` (${spokenState[step.state]})`}</VisuallyHidden>
              )}
            </p>
            {step.who !== undefined && <p className="rail__who">{step.who}</p>}
            {step.note !== undefined && <div className="rail__note">{step.note}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
