import { join } from 'node:path';
import type { FileStore } from '#server/lib/file-store.ts';
import { createFolderDisk } from './folder.ts';
import { createS3Disk, readS3Address } from './s3.ts';
import { storeOn } from './store.ts';

export interface FilesOptions {
  /** `s3://bucket?region=…`; null: a folder in the data folder. */
  files: string | null;
  dataDir: string;
}

/**
 * The bucket where one is set, else a folder.
 *
 * @throws {StartError} when the address of the bucket cannot be used
 */
export function createFileStore({ files, dataDir }: FilesOptions): FileStore {
  if (files === null) return storeOn(createFolderDisk(join(dataDir, 'files')));
  return storeOn(createS3Disk(readS3Address(files)));
}
