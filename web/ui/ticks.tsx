import { classNames } from './class-names.ts';

/** Number of completed steps, of the four steps of a request. */
export type TickCount = 0 | 1 | 2 | 3 | 4;

/** The money rail in 4 px: one tick per 25 %, green only if all four are complete. */
export function Ticks({ done }: { done: TickCount }) {
  return (
    <span
      className={classNames('ticks', done === 4 && 'is-done')}
      role="img"
      aria-label={`${done * 25}% complete`}
    >
      {[1, 2, 3, 4].map((tick) => (
        <i key={tick} className={classNames(tick <= done && 'on')} />
      ))}
    </span>
  );
}

/** Number of ticks for a percentage: 75 gives three. */
export function tickCount(percent: number): TickCount {
  const counts: readonly TickCount[] = [0, 1, 2, 3, 4];
  return counts[Math.round(percent / 25)] ?? 0;
}
