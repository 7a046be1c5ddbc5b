import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Runs work and measures the longest stop of this thread's event loop (`stopMs`), and all that it used, in milliseconds
 * of processor time. Time in which other programs or threads had the processor is not counted, so a busy machine
 * changes nothing. Garbage is collected first: that of the tests before, of some hundred megabytes, took 100 ms once.
 */
export async function longestStop<T>(
  work: () => Promise<T>,
): Promise<{ result: T; stopMs: number; usedMs: number }> {
  collectGarbage();
  const start = spentMs();
  const loop = { isOver: false, stopMs: 0 };
  const watch = async () => {
    for (let before = spentMs(); !loop.isOver;) {
      await pause(1);
      const now = spentMs();
      loop.stopMs = Math.max(loop.stopMs, now - before);
      before = now;
    }
  };
  const watching = watch();
  const result = await work().finally(() => {
    loop.isOver = true;
  });
  await watching;
  return { result, stopMs: loop.stopMs, usedMs: spentMs() - start };
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
