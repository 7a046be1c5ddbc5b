/** The time, as something that can be handed in: tests and the demo company set their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
