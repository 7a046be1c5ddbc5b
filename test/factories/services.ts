import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/lib/clock.ts';
import { createVault } from '#server/vault/store.ts';
import { FileStoreError } from '#server/lib/file-store.ts';
import type { FileStore } from '#server/lib/file-store.ts';
import type { Services } from '#server/services.ts';

export interface TestServices extends Services {
  files: MemoryFiles;
  clock: Clock & { set(at: string): void };
}

/** Files in memory, to be looked into. */
export interface MemoryFiles extends FileStore {
  contents: Map<string, Buffer>;
}

export function createMemoryFiles(): MemoryFiles {
  const contents = new Map<string, Buffer>();
  return {
    contents,
    put: async (name, bytes) => void contents.set(name, Buffer.from(bytes)),
    get: async (name) => {
      const bytes = contents.get(name);
      if (bytes === undefined) throw new FileStoreError('FILES_MISSING', name);
      return bytes;
    },
    delete: async (name) => void contents.delete(name),
    verify: async () => undefined,
  };
}

/** Services with a vault under a fresh key, and a clock that stands where the test sets it. */
export function createTestServices(at = '2026-12-08T15:00:00.000Z'): TestServices {
  let now = new Date(at);
  const clock = {
    now: () => new Date(now),
    set: (next: string) => {
      now = new Date(next);
    },
  };
  const vault = createVault({ masterKeys: [{ id: 'test', key: randomBytes(32) }] });
  return { clock, vault, files: createMemoryFiles() };
}
