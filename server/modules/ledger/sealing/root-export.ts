import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Log } from '#server/lib/log.ts';
import type { RootRecord, RootStore } from '#server/lib/root-store.ts';
import type { Block } from './block.ts';

export interface RootExportOptions {
  db: Db;
  roots: RootStore;
  log: Log;
  /** Called for each failed export. The export is retried. */
  onExportFailed?: (() => void) | undefined;
}

/** The sealer's view of the place that roots are exported to. */
export interface RootExport {
  /**
   * Newest record there. When the place cannot be read, the newest record that this process has
   * read or written, or the error when it has read nothing yet.
   */
  readNewest(): Promise<{ newest: RootRecord | undefined } | { error: unknown }>;
  /**
   * Exports a block's root unless the place has it or a newer one, once the standby has the block,
   * if PostgreSQL waits for one. A failed export is retried at the next call.
   */
  exportRoot(block: Block): Promise<void>;
  /** Time of the first failed export in a row; null when the last one succeeded. */
  failingSince(): Date | null;
}

export function createRootExport({
  db,
  roots,
  log,
  onExportFailed,
}: RootExportOptions): RootExport {
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
      await waitForStandby(db);
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

/**
 * Waits for a COMMIT of its own, which is after all that was read before. A primary that was restarted, or whose wait
 * for the standby was ended, shows a block of another process that no standby has; its root would outlive it.
 *
 * @throws {DatabaseUnavailableError} when the wait for the standby was ended
 */
async function waitForStandby(db: Db): Promise<void> {
  // Without anything in the log, a COMMIT waits for nobody.
  await withTx(db, (tx) => sql`SELECT pg_logical_emit_message(true, 'purser', '')`.execute(tx));
}
