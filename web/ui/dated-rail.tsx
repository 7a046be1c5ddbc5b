import { MoneyRail, type MoneyRailProps, type RailStep } from './money-rail.tsx';
import { Time } from './time.tsx';

/** A step with the time it was taken, or at most an estimate. */
export interface DatedStep extends RailStep {
  /** Time as the server sends it. */
  at?: string | undefined;
}

interface DatedRailProps extends Omit<MoneyRailProps, 'steps'> {
  steps: readonly DatedStep[];
  /** Format of times: two lines, or date and time of day in one line. */
  moments?: 'twoLines' | 'shortDateTime' | 'dateTime' | undefined;
}

/** A {@link MoneyRail} with times in the person's time zone. */
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
