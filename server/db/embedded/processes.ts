import { existsSync, globSync, readFileSync, readlinkSync } from 'node:fs';
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

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
