import { existsSync, globSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '#server/lib/start-error.ts';

/** True while a process of this id is in the table, whoever owns it; also for a zombie. */
export function isInTable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** True while a process of this id runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  return isInTable(pid) && !isZombie(pid);
}

/** A killed process stays in the table until its parent waits for it; Linux shows that in /proc. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

/**
 * False only when the process is certainly no running PostgreSQL: a zombie, or another program that
 * got the id after a crash or a restart of the machine. True where /proc is missing.
 */
export function mayBePostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return !existsSync('/proc/self/cmdline');
  }
}

/** True while any process works in the folder, as every process of a PostgreSQL cluster does. */
export function isOccupied(folder: string): boolean {
  return globSync('/proc/[0-9]*/cwd').some((link) => {
    try {
      return readlinkSync(link) === folder;
    } catch {
      return false;
    }
  });
}

/** Age from which something that another machine has not finished is taken for left behind. */
const LEFT_BEHIND_MS = 86_400_000;

/** Name of this machine or container, in which its process ids mean something. Two containers may have one host name. */
export function machineName(): string {
  try {
    const [space] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    return `${hostname()}-${space}`;
  } catch {
    return hostname();
  }
}

/** This process, for the name of something unfinished. */
export function thisProcess(): string {
  return `${machineName()}.${process.pid}`;
}

/**
 * True for something unfinished whose process is no more. This process has begun nothing of the kind yet. Processes of
 * another machine are out of sight: what they began is left alone for a day.
 *
 * @param name of {@link thisProcess} where it was made
 * @param times.madeMs time of its last change
 */
export function isLeftBehind(name: string, times: { madeMs: number; nowMs: number }): boolean {
  const [, machine, pid] = /^(.+)\.(\d+)$/.exec(name) ?? [];
  if (machine !== machineName()) return times.nowMs - times.madeMs > LEFT_BEHIND_MS;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
