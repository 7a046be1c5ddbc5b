import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './ids.ts';

/**
 * Checks that files can be stored in a folder by storing one for a moment, because rights alone do
 * not show a full disk. Creates a missing folder; throws the error of the file system.
 */
export async function assertWritable(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, `.writable-${newId()}`);
  try {
    await writeFile(file, 'Purser can write here.\n', { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
}
