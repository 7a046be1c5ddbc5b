import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { holdPipe, isHeld } from './held-pipe.ts';
import { isAlive, sleep } from './processes.ts';

const POLL_MS = 50;

/** Content of a lock file: the process id, for people and for earlier versions, and the name of the pipe that it holds. */
interface Holder {
  pid: number;
  pipe: string | undefined;
}

/**
 * Runs `work` while holding the lock file `path`, so that only one of several processes starts,
 * stops or prepares something at a time. The holder has a pipe open next to the file; a lock whose holder has ended is taken over.
 *
 * @param waitMs time to wait for another process before giving up with a StartError
 * @param busy sentence of that error
 */
export async function withFileLock<T>(
  path: string,
  waitMs: number,
  work: () => Promise<T>,
  busy = (pid: number | undefined) =>
    `Another process (id ${pid ?? 'unknown'}) has held ${path} for ${Math.round(waitMs / 1000)} s; stop it and try again.`,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  const pipe = `${path}.${randomUUID()}`;
  const held = holdPipe(pipe);
  try {
    while (!tryLock(path, pipe)) {
      if (removeIfAbandoned(path)) continue;
      if (Date.now() >= deadline) throw new StartError(busy(readHolder(path)?.pid));
      await sleep(POLL_MS);
    }
    try {
      return await work();
    } finally {
      // Before the pipe is closed: a lock with a closed pipe is one whose holder was killed.
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(pipe, { force: true });
    closeSync(held);
  }
}

/** True while a process that runs holds the lock. */
export function isLocked(path: string): boolean {
  const holder = readHolder(path);
  return holder !== undefined && isWorking(path, holder);
}

function tryLock(path: string, pipe: string): boolean {
  // Written to a temporary file and linked, so that nobody ever reads a lock without its holder.
  const draft = `${pipe}.draft`;
  writeFileSync(draft, `${process.pid}\n${basename(pipe)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const [pid, pipe] = readFileSync(path, 'utf8').split('\n');
    const id = Number.parseInt(pid ?? '', 10);
    return Number.isNaN(id) ? undefined : { pid: id, pipe: pipe === '' ? undefined : pipe };
  } catch {
    return undefined;
  }
}

function isWorking(path: string, { pid, pipe }: Holder): boolean {
  const held = pipe === undefined ? null : isHeld(join(dirname(path), pipe));
  return held ?? isAlive(pid);
}

/**
 * Renaming decides which process removes an abandoned lock. If a live process has taken it in
 * between, the renamed file is its lock, and is put back.
 *
 * @returns true if the lock may be free now
 */
function removeIfAbandoned(path: string): boolean {
  const holder = readHolder(path);
  if (holder === undefined) return false;
  if (isWorking(path, holder)) return false;
  // A holder that ended in order has removed its lock first: then this is the one of the next holder.
  const now = readHolder(path);
  if (now?.pid !== holder.pid || now.pipe !== holder.pipe) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    const moved = readHolder(aside);
    if (moved !== undefined && isWorking(path, moved)) linkSync(aside, path);
    else if (moved?.pipe !== undefined) rmSync(join(dirname(path), moved.pipe), { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return true;
}
