import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** Folder in which Linux keeps files in memory. */
const FOLDER = '/dev/shm';
/** The tests' clusters take less than half of this, and no machine may run out of memory for them. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * The folder for temporary files of tests: in memory where there is plenty of it; undefined: the
 * system's own. The tests make hundreds of databases of 800 files each. On a disk that is busy with
 * other things each takes up to a second, in memory 50 ms. A folder that was chosen by TMPDIR stays.
 */
export function memoryFolder(): string | undefined {
  if (process.env['TMPDIR'] !== undefined || freemem() < NEEDED_BYTES) return undefined;
  try {
    accessSync(FOLDER, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= NEEDED_BYTES ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}
