import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { isAlive, sleep } from './processes.ts';

const POLL_MS = 50;

/**
 * Runs `work` while holding the lock file `path`, so that only one of several processes starts,
 * stops or prepares something at a time. The file has the process id; a lock of a dead process is
 * taken over.
 *
 * @param waitMs time to wait for another process before giving up with a StartError
 */
export async function withFileLock<T>(
  path: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  while (!tryLock(path)) {
    if (Date.now() > deadline) {
      throw new StartError(
        `Another process (id ${readHolder(path) ?? 'unknown'}) has held ${path} for ${Math.round(waitMs / 1000)} s; stop it and try again.`,
      );
    }
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  // Written to a temporary file and linked, so that nobody ever reads a lock without its process
  // id.
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    removeIfAbandoned(path);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch {
    return undefined;
  }
}

/**
 * Renaming decides which process removes an abandoned lock. If a live process has taken it in
 * between, the renamed file is its lock, and is put back.
 */
function removeIfAbandoned(path: string): void {
  const holder = readHolder(path);
  if (holder === undefined || isAlive(holder)) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    const moved = readHolder(aside);
    if (moved !== undefined && isAlive(moved)) linkSync(aside, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
