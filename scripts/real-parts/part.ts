import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, globSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { chooseAccount } from '#server/db/embedded/account.ts';

/** Folder of the parts of one run, and the account of those that refuse to run as root. */
export interface Place {
  /** The temporary folder of the run. */
  folder: string;
  account: NonNullable<ReturnType<typeof chooseAccount>>;
}

/** A program of one part, which runs in the foreground. */
interface PartOptions {
  /** Names its log. */
  name: string;
  program: string;
  args: readonly string[];
  /** Port of 127.0.0.1 that it listens on. */
  port: number;
  /** True runs it as the account of the place, false as ourselves. */
  isUnprivileged: boolean;
  env?: Readonly<Record<string, string>>;
  stopSignal?: NodeJS.Signals;
}

export interface Part {
  name: string;
  port: number;
  /** Asks it to stop and waits. Returns its exit code; null when a signal ended it. */
  stop(): Promise<number | null>;
}

const LOGS = 'logs';
const READY_MS = 60_000;
const STOP_MS = 30_000;
const POLL_MS = 50;

/**
 * Starts a program and waits until it takes connections. It is cut off from our terminal, so that Ctrl-C
 * reaches only us and the parts are stopped in order.
 *
 * @throws Error with the end of its log when it ends first
 */
export async function startPart(
  place: Place,
  { name, program, args, port, isUnprivileged, env = {}, stopSignal = 'SIGTERM' }: PartOptions,
): Promise<Part> {
  const log = openSync(logOf(place, name), 'a');
  const child = spawn(program, args, {
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...env },
    stdio: ['ignore', log, log],
    ...(isUnprivileged && { uid: place.account.uid, gid: place.account.gid }),
  });
  closeSync(log);
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const part: Part = { name, port, stop: () => stopChild(child, stopSignal) };
  const giveUpAt = Date.now() + READY_MS;
  while (!(await isListening(port))) {
    if (failure !== undefined || hasEnded(child) || Date.now() > giveUpAt) {
      await part.stop();
      const why = failure?.message ?? endOfLog(place, name);
      throw new Error(`${name} did not start: ${why}`);
    }
    await sleep(POLL_MS);
  }
  return part;
}

function logOf({ folder }: Place, name: string): string {
  mkdirSync(join(folder, LOGS), { recursive: true });
  return join(folder, LOGS, `${name}.log`);
}

/** Names of the parts that have a log. */
export function logsOf({ folder }: Place): string[] {
  return globSync('*.log', { cwd: join(folder, LOGS) }).map((file) => file.replace(/\.log$/, ''));
}

/** The last lines that a part has written. */
export function endOfLog(place: Place, name: string, lines = 5): string {
  return readFileSync(logOf(place, name), 'utf8').trim().split('\n').slice(-lines).join('\n');
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (hasEnded(child) || child.pid === undefined) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(killing);
  return child.exitCode;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
