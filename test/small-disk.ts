import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** A disk of its own that can be filled to the last byte. */
export interface SmallDisk {
  path: string;
  /** @param leftBytes room that is left; whole pages of 4,096 bytes */
  fill(leftBytes?: number): void;
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
    fill(leftBytes = 0) {
      for (const bytes of [2 ** 20, 2 ** 12]) fillWith(ballast, Buffer.alloc(bytes));
      if (leftBytes > 0) truncateSync(ballast, statSync(ballast).size - leftBytes);
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** One for a test, which is skipped with a sentence where this user may not mount any. */
export function smallDiskFor(test: TestContext, megabytes: number): SmallDisk {
  const disk = mountSmallDisk(megabytes);
  if (disk === null) return test.skip('No disk is filled: this user cannot mount one.');
  test.onTestFinished(() => disk.close());
  return disk;
}

function fillWith(file: string, chunk: Buffer): void {
  try {
    for (;;) appendFileSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
