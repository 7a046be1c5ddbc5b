import type { Log } from '#server/lib/log.ts';
import type { RootRecord, RootStore } from '#server/lib/root-store.ts';
import type { Block } from './block.ts';

export interface RootExportOptions {
  roots: RootStore;
  log: Log;
  /** Called for each export that failed; it is made again. */
  onExportFailed?: (() => void) | undefined;
}

/** What the sealer knows of the place that roots are exported to. */
export interface RootExport {
  /**
   * The newest record there; where it cannot be read now, the newest that this process has read or
   * written, and the error when it has read nothing yet.
   */
  readNewest(): Promise<{ newest: RootRecord | undefined } | { error: unknown }>;
  /** Exports the root of a block unless a newer one is there. What fails is tried at the next call. */
  exportRoot(block: Block): Promise<void>;
  /** Since when exports fail; null when the last was made. */
  failingSince(): Date | null;
}

export function createRootExport({ roots, log, onExportFailed }: RootExportOptions): RootExport {
  let known: { newest: RootRecord | undefined } | undefined;
  let failingSince: Date | null = null;

  function noteFailure(error: unknown): void {
    onExportFailed?.();
    if (failingSince === null) {
      log.warn({ err: error, msg: `The ledger's root could not be exported to ${roots.place}` });
    }
    failingSince ??= new Date();
  }

  return {
    async readNewest() {
      try {
        known = { newest: await roots.newest() };
      } catch (error) {
        noteFailure(error);
        if (known === undefined) return { error };
      }
      return known;
    },

    async exportRoot(block) {
      if (known?.newest !== undefined && known.newest.height >= block.height) return;
      const record = {
        height: block.height,
        root: block.root.toString('hex'),
        sealedAt: block.sealedAt,
        publicKey: block.publicKey.toString('hex'),
        signature: block.signature.toString('hex'),
      };
      try {
        await roots.append(record);
        known = { newest: record };
        if (failingSince !== null) log.info({ msg: `Roots are exported to ${roots.place} again` });
        failingSince = null;
      } catch (error) {
        noteFailure(error);
      }
    },

    failingSince: () => failingSince,
  };
}
