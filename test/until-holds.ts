import { vi } from 'vitest';

/** Time after which a wait is given up. It ends what hangs, and measures nothing. */
const GIVEN_UP_MS = 120_000;

/**
 * Returns once these assertions hold. Vitest's own `vi.waitFor` and `expect.poll` wait for one second, which is too
 * short on a busy machine.
 */
export function untilHolds<Result>(assertions: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertions, { timeout: GIVEN_UP_MS, interval: 10 });
}
