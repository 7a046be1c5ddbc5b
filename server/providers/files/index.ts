import { join } from 'node:path';
import type { FileStore } from '#server/lib/file-store.ts';
import { freeBytes } from '#server/lib/full-disk.ts';
import { createFolderDisk } from './folder.ts';
import { createS3Disk } from './s3.ts';
import { readBucketAddress } from './s3-address.ts';
import type { S3Limits } from './s3.ts';
import { storeOn } from './store.ts';

export interface FilesOptions {
  /** `s3://bucket?region=…`; null: a folder in the data folder. */
  files: string | null;
  dataDir: string;
  /** Other limits of a bucket, for tests. */
  limits?: S3Limits & { deadlineMs: number };
}

/**
 * The bucket if one is configured, else a folder.
 *
 * @throws {StartError} when the address of the bucket cannot be used
 */
export function createFileStore({ files, dataDir, limits }: FilesOptions): FileStore {
  if (files === null) {
    const folder = join(dataDir, 'files');
    return storeOn(createFolderDisk(folder), () => Promise.resolve(freeBytes(folder)));
  }
  const address = readBucketAddress(files, 'PURSER_FILES');
  return storeOn(createS3Disk(address, limits), null, limits?.deadlineMs);
}
