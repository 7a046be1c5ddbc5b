import { closeSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdPipe, isHeld } from './held-pipe.ts';
import { isAlive } from './processes.ts';

/**
 * Adds a user of the data folder's postmaster: one pipe per use, held open, and named by process id. The
 * last user to leave stops it; a killed process does not count, so it cannot keep it running for
 * ever. Called only under the folder's lock.
 */
export function addUser(dataDir: string): () => void {
  const folder = usersFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = join(folder, `${process.pid}-${process.hrtime.bigint()}`);
  let held: number | undefined = holdPipe(own);
  return () => {
    if (held === undefined) return;
    rmSync(own, { force: true });
    closeSync(held);
    held = undefined;
  };
}

/** Number of remaining uses, after removing those of dead processes. */
export function countUsers(dataDir: string): number {
  const folder = usersFolder(dataDir);
  const uses = readdirSync(folder);
  const gone = uses.filter(
    (use) => !(isHeld(join(folder, use)) ?? isAlive(Number.parseInt(use, 10))),
  );
  for (const use of gone) rmSync(join(folder, use), { force: true });
  return uses.length - gone.length;
}

function usersFolder(dataDir: string): string {
  return join(dataDir, 'postgres-users');
}
