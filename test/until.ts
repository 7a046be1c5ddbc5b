import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something is so, for what sends no event: a row, a file, a process that ends.
 *
 * @param options.withinMs time after which the wait is given up; it ends what hangs and measures nothing
 * @param options.everyMs interval between two looks
 * @throws Error when it is given up
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { withinMs = 120_000, everyMs = 10 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It did not happen within ${withinMs} ms`);
    await sleep(everyMs);
  }
}
