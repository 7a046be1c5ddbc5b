import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { LimitUse } from './rate-limit.ts';

const PER_S = 60;

/** Counts a read of a person. `over`: reads beyond the limit within this minute, 0 within it. */
export type SpendRead = (personId: string) => Promise<{ use: LimitUse; over: number }>;

/**
 * Counts the reads of each person in this process. They are too many to be counted in the database, and
 * the limit protects the process.
 *
 * @param most reads within a minute
 */
export function createReadLimit(most: number): SpendRead {
  const limiter = new RateLimiterMemory({ points: most, duration: PER_S });
  return async (personId) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(personId);
    const resetS = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const left = Math.max(0, most - consumedPoints);
    return {
      use: { most, perS: PER_S, left, resetS },
      over: Math.max(0, consumedPoints - most),
    };
  };
}
