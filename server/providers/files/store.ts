import type { Disk } from 'flydrive';
import { FileStoreError } from '#server/lib/file-store.ts';
import type { FileStore } from '#server/lib/file-store.ts';
import { newId } from '#server/lib/ids.ts';
import { LIMITS } from '#server/lib/limits.ts';

/**
 * A file store on a disk of flydrive, with a time limit for every call.
 *
 * @param freeBytes returns the room that is left; null: there is no limit
 */
export function storeOn(
  disk: Pick<Disk, 'put' | 'getBytes' | 'delete'>,
  freeBytes: (() => Promise<number>) | null = null,
  deadlineMs: number = LIMITS.files.deadlineMs,
): FileStore {
  const withinTime = <T>(work: Promise<T>) => within(deadlineMs, work);
  const store: Omit<FileStore, 'verify'> = {
    put: (name, bytes) => withinTime(putWhole(disk, name, bytes)),
    get: async (name) => Buffer.from(await withinTime(disk.getBytes(name))),
    delete: (name) => withinTime(disk.delete(name)),
  };
  return {
    ...store,
    async verify() {
      await verify(store);
      // The file of the check is small, so it has room where an image has none.
      if (freeBytes !== null && (await freeBytes()) < LIMITS.files.minFreeBytes) {
        throw new Error(`There is room for less than ${LIMITS.files.minFreeBytes / 1e6} MB`);
      }
    },
  };
}

/** Puts a file, or leaves nothing of it: on a full disk a part of it was written. */
async function putWhole(
  disk: Pick<Disk, 'put' | 'delete'>,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await disk.put(name, bytes);
  } catch (error) {
    await disk.delete(name).catch(() => undefined);
    throw error;
  }
}

/** Under a unique name, because several processes may do so concurrently. */
async function verify(store: Omit<FileStore, 'verify'>): Promise<void> {
  const name = `verify-${newId()}`;
  const written = Buffer.from(name);
  await store.put(name, written);
  try {
    if ((await store.get(name)).equals(written)) return;
  } finally {
    await store.delete(name);
  }
  throw new FileStoreError('FILES_UNAVAILABLE', new Error('It gave back something else'));
}

/** @throws {FileStoreError} */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Timed out')), ms);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new FileStoreError(isMissing(error) ? 'FILES_MISSING' : 'FILES_UNAVAILABLE', error);
  } finally {
    clearTimeout(timer);
  }
}

/** Error codes of the folder and the bucket, inside flydrive's own error. */
function isMissing(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === 'NoSuchKey' || ('code' in each && each.code === 'ENOENT')) return true;
  }
  return false;
}
