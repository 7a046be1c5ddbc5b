import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** A folder that only its owner may enter, created if it is missing. */
export function createFolderDisk(folder: string): Disk {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Disk(new FSDriver({ location: folder, visibility: 'private' }));
}

/** Bytes that this process may still write in a folder. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
