import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own that can be filled to the last byte. */
export interface SmallDisk {
  path: string;
  fill(): void;
  /** Deletes what filled it. */
  free(): void;
  close(): void;
}

/** Mounts a small file system in memory. Null where this user may not, as everybody but root. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'purser-disk-'));
  // PostgreSQL is another user under root.
  chmodSync(path, 0o755);
  try {
    const options = `size=${megabytes}m,mode=1777`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      for (const bytes of [2 ** 20, 2 ** 12]) fillWith(ballast, Buffer.alloc(bytes));
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}

function fillWith(file: string, chunk: Buffer): void {
  try {
    for (;;) appendFileSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
