import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from './start-error.ts';

const OWNER_ONLY = 0o600;

/**
 * Makes a file that only its owner reads. It appears whole or not at all, also where the disk is full or the process ends
 * meanwhile. If the file exists already, for example because another process was quicker, it stays as it is.
 *
 * @throws the error of the file system
 */
export function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: OWNER_ONLY, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
