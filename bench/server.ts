import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';
import { TEST_SECRET } from '#test/factories/identity.ts';
import { OPENED } from './database.ts';

const MAIN = join(import.meta.dirname, '../server/programs/main.ts');
const START_TIMEOUT_MS = 60_000;

export interface BenchServer {
  pid: number;
  /** Resident memory now, in bytes; undefined if the system does not report it. */
  residentBytes(): number | undefined;
  /** Maximum resident memory so far, in bytes; undefined if the system does not report it. */
  peakResidentBytes(): number | undefined;
  stop(): Promise<void>;
}

/** Starts the server itself, as `npm start -- --empty` would, on the bench's database. */
export async function startBenchServer(
  dataDir: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const log = openSync(join(dataDir, 'bench-server.log'), 'w');
  const server = spawn(process.execPath, [...NODE_FLAGS, MAIN, '--empty'], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      PURSER_DATA: dataDir,
      // The secret that signs the sessions of the bench.
      PURSER_SECRET: TEST_SECRET,
      // A bench reads as nobody does.
      PURSER_READS_PER_MINUTE: '100000000',
      ...environment,
    },
  });
  const exited = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await exited;
  };
  OPENED.defer(stop);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(port))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(
        `The server did not start:\n${readFileSync(join(dataDir, 'bench-server.log'), 'utf8')}`,
      );
    }
    await sleep(100);
  }
  const { pid } = server;
  if (pid === undefined) throw new Error('A server that answers has a process');
  return {
    pid,
    residentBytes: () => readStatus(pid, 'VmRSS'),
    peakResidentBytes: () => readStatus(pid, 'VmHWM'),
    stop,
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** A process's memory by Linux, in bytes (proc_pid_status(5)); other systems do not report it. */
function readStatus(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}
