import { freePort } from '#server/lib/free-port.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { wrongClock } from './wrong-clock.ts';

/** Servers on one database, each with a fixed address. */
export interface Servers {
  origins: readonly [string, ...string[]];
  /** Unexpected ends, with the last output of the process. It is started again. */
  ends: string[];
  /** Kills one as a power cut would, and starts it again at its address, with a clock that is wrong by minutes. */
  killAndStart(index: number, options?: { clockMinutes?: number }): Promise<void>;
  /** Stops one without ending it, as a machine that swaps does. */
  freeze(index: number): void;
  thaw(index: number): void;
  /** True if every part of one works, by /readyz. */
  isReady(index: number): Promise<boolean>;
  /** Asks all to stop, and returns their exit codes. */
  stop(): Promise<(number | null)[]>;
}

/** Starts the last server, a former version of Purser, by what starts any program of a server. */
export type StartFormer = (
  start: (program: string) => Promise<ServerProcess>,
) => Promise<ServerProcess>;

const LAST_WORDS = 500;
/** A server that accepts a connection and does not answer is asked again. */
const READY_ANSWER_MS = 10_000;

/** @param startFormer for two versions on one database */
export async function startServers(
  company: MoneyCompany,
  count: number,
  environment: Readonly<Record<string, string>>,
  startFormer?: StartFormer,
): Promise<Servers> {
  const running: ServerProcess[] = [];
  const wanted = new Set<ServerProcess>();
  const ends: string[] = [];
  const ports: number[] = [];
  async function start(index: number, clockMinutes = 0): Promise<void> {
    const port = (ports[index] ??= await freePort());
    const settings = {
      ...environment,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      ...(clockMinutes !== 0 && { NODE_OPTIONS: wrongClock(clockMinutes) }),
    };
    const startWith = (program?: string) => company.startServer(settings, program);
    const isFormer = startFormer !== undefined && index === count - 1;
    const server = await (isFormer ? startFormer(startWith) : startWith());
    running[index] = server;
    wanted.add(server);
    server.child.once('exit', (code, signal) => {
      if (!wanted.has(server)) return;
      ends.push(`server ${index} ended (${code ?? signal}): ${server.said().slice(-LAST_WORDS)}`);
      // Restarts it as a supervisor would. The run continues, and counts as failed anyway.
      start(index).catch((error: unknown) => ends.push(`server ${index}: ${String(error)}`));
    });
  }
  // One after the other: the first one migrates and creates the keys.
  for (let index = 0; index < count; index += 1) await start(index);
  const origins = running.map(({ origin }) => origin) as [string, ...string[]];
  return {
    origins,
    ends,
    freeze: (index) => void running[index]?.child.kill('SIGSTOP'),
    thaw: (index) => void running[index]?.child.kill('SIGCONT'),
    async killAndStart(index, { clockMinutes } = {}) {
      const server = running[index];
      if (server === undefined) throw new Error(`There is no server ${index}`);
      wanted.delete(server);
      await server.kill();
      await start(index, clockMinutes);
    },
    async isReady(index) {
      try {
        const signal = AbortSignal.timeout(READY_ANSWER_MS);
        const response = await fetch(`${origins[index]}/readyz`, { signal });
        await response.body?.cancel();
        return response.ok;
      } catch {
        return false;
      }
    },
    async stop() {
      wanted.clear();
      await Promise.all(running.map((server) => server.stop()));
      return running.map(({ child }) => child.exitCode);
    },
  };
}
