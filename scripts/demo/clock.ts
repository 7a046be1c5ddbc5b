import type { Clock } from '#server/lib/clock.ts';

/** A clock that stands where it is set: commands carried out "then" write times of then. */
export interface DemoClock extends Clock {
  set(at: Date): void;
}

export function createDemoClock(at: Date): DemoClock {
  let current = at;
  return {
    now: () => new Date(current),
    set: (next) => {
      current = next;
    },
  };
}
