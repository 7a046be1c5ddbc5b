/** Source of the time, as a parameter: tests and the demo company set their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
