import type { KeyObject } from 'node:crypto';
import type { Db } from '#server/db/tx.ts';
import { silentLog } from '#server/lib/log.ts';
import type { RootRecord, RootStore } from '#server/lib/root-store.ts';
import { createSealer } from '#server/modules/ledger/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';

/** A place for roots in memory, to be looked into and tampered with. */
export interface MemoryRoots extends RootStore {
  kept: RootRecord[];
}

export function createMemoryRoots(): MemoryRoots {
  const kept: RootRecord[] = [];
  return {
    kept,
    place: 'memory',
    newest: async () => kept.at(-1),
    async *records() {
      yield* kept;
    },
    append: async (record) => void kept.push(record),
    close: () => Promise.resolve(),
  };
}

export type TestSealerOptions = Partial<Parameters<typeof createSealer>[0]>;

/** A sealer as a process of the server has one, with a memory of its own for roots. */
export function createTestSealer(
  db: Db,
  signingKey: KeyObject,
  options: TestSealerOptions = {},
): Sealer {
  const roots = createMemoryRoots();
  return createSealer({ db, signingKey, formerKeys: [], roots, log: silentLog, ...options });
}
