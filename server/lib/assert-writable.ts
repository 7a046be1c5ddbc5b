import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './ids.ts';

/**
 * Proves that files can be kept in a folder by keeping one for a moment: rights alone do not show
 * a full disk. Makes the folder when it is missing; throws what the file system says.
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
