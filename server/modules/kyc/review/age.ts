const HOUR_MS = 3_600_000;

/** Whole hours that have passed; never below 0. */
export function hoursSince(from: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - from.getTime()) / HOUR_MS));
}
