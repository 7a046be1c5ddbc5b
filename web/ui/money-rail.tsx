import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/**
 * `done` is past, `now` is current, `next` is ahead, `arrived` is the reached end, `stop` is
 * rejected or failed, `void` is cancelled. No step follows a stop or a void.
 */
type RailState = 'done' | 'now' | 'next' | 'arrived' | 'stop' | 'void';

export interface RailStep {
  state: RailState;
  /** Name of the step: "Approved", or "Waiting for approval". */
  what: string;
  /** Actor, destination or reference. */
  who?: string | undefined;
  /** Full text of a reason. */
  note?: ReactNode;
  /** "Dec 7", or an estimate "Dec 9–10". Without an estimate there is no time: never invent one. */
  time?: ReactNode;
  /** Text under the time: "2:41 PM" or "expected". */
  timeNote?: ReactNode;
}

export interface MoneyRailProps {
  /** Accessible name: "Withdrawal progress". */
  label: string;
  steps: readonly RailStep[];
  /**
   * `standard` in dialogs, `narrow` with a shorter time column, `stacked` in narrow columns,
   * `lying` in wide rows (vertical below 1024 px).
   */
  layout?: 'standard' | 'narrow' | 'stacked' | 'lying' | undefined;
}

/** Spoken text for the look of the dots and lines. */
const spokenState: Record<RailState, string | undefined> = {
  done: 'Done',
  now: 'Current step',
  next: 'Not yet',
  arrived: 'Done',
  stop: undefined,
  void: undefined,
};

/** Steps of a request, with actors and times. {@link DatedRail} formats the times. */
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
          // An act can occur twice in a minute, and steps never change their order.
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
