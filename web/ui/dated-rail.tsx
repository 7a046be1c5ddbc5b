import { MoneyRail, type MoneyRailProps, type RailStep } from './money-rail.tsx';
import { Time } from './time.tsx';

/** A step that was taken at a moment, or that has at most an estimate. */
export interface DatedStep extends RailStep {
  /** As the server sends it. */
  at?: string | undefined;
}

interface DatedRailProps extends Omit<MoneyRailProps, 'steps'> {
  steps: readonly DatedStep[];
  /** How moments are written: the time of day under the date, or both in one line. */
  moments?: 'twoLines' | 'shortDateTime' | 'dateTime' | undefined;
}

/** A {@link MoneyRail} of what happened when, in the person's time zone. */
export function DatedRail({ steps, moments = 'twoLines', ...rail }: DatedRailProps) {
  return <MoneyRail {...rail} steps={steps.map((step) => dated(step, moments))} />;
}

function dated(
  { at, ...step }: DatedStep,
  moments: NonNullable<DatedRailProps['moments']>,
): RailStep {
  if (at === undefined) return step;
  return moments === 'twoLines'
    ? { ...step, time: <Time at={at} as="short" />, timeNote: <Time at={at} as="time" /> }
    : { ...step, time: <Time at={at} as={moments} /> };
}
