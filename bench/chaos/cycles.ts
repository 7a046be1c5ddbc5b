import { setTimeout as sleep } from 'node:timers/promises';
import type { HarmedDatabase, Target } from './harm.ts';

const ASK_EVERY_MS = 50;
/** Longer than a slow reply on a busy machine. */
const ASK_TIMEOUT_MS = 3_000;

/** One harm, and the duration of its effects. */
export interface Cycle {
  harm: string;
  /** Total time in which no server answered. */
  withoutServiceMs: number;
  /** Time from the end of the harm until every part of every server worked. */
  wholeAfterMs: number;
}

export interface CycleOptions extends Target {
  database: HarmedDatabase;
  /** Session cookie of a person, for the requests. */
  cookie: string;
}

/** Does the harm and waits until everything works again. */
export async function runCycle(harm: string, options: CycleOptions): Promise<Cycle> {
  const watch = watchService(options);
  await options.database.harms[harm]?.(options);
  const overMs = performance.now();
  await untilWhole(harm, options);
  const wholeAfterMs = performance.now() - overMs;
  return { harm, wholeAfterMs, withoutServiceMs: await watch.stop() };
}

async function untilWhole(harm: string, { servers, database }: CycleOptions): Promise<void> {
  const deadline = performance.now() + database.wholeWithinMs;
  for (;;) {
    const ready = await Promise.all(servers.origins.map((_, index) => servers.isReady(index)));
    if (ready.every(Boolean) && (await database.isWhole())) return;
    if (performance.now() > deadline) {
      const states = await Promise.all(servers.origins.map(readState));
      throw new Error(
        `Not everything works again ${database.wholeWithinMs} ms after “${harm}”: ${states.join('; ')}`,
      );
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** Parts of a server that work and that do not, as it says. */
async function readState(origin: string): Promise<string> {
  const options = { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) };
  return fetch(`${origin}/readyz`, options).then((reply) => reply.text(), String);
}

/** Requests a page's data continuously; returns the time in which no server answered. */
function watchService(options: CycleOptions): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let withoutMs = 0;
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      const served = await isServed(options);
      await sleep(ASK_EVERY_MS);
      if (!served) withoutMs += performance.now() - startedMs;
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      return withoutMs;
    },
  };
}

/** True if any server answers, as a proxy in front of them would find out. */
async function isServed({ servers, cookie }: CycleOptions): Promise<boolean> {
  const answers = servers.origins.map(async (origin) => {
    const response = await fetch(`${origin}/api/wallets`, {
      headers: { cookie },
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${response.status}`);
  });
  return Promise.any(answers).then(
    () => true,
    () => false,
  );
}
