import type { KeyObject } from 'node:crypto';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { StartError } from '#server/lib/start-error.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { LedgerError, setBlocksAside } from '#server/modules/ledger/index.ts';
import type { FormerKey } from '#server/modules/ledger/index.ts';
import { atRoots } from '#server/programs/at-roots.ts';

/**
 * Sets the blocks from a height on aside, which none of our keys signed, and records the decision in the
 * audit trail.
 *
 * @returns what was done, for the operator
 * @throws {StartError} saying why it is refused
 */
export async function setAside(
  url: string,
  { height, reason }: { height: bigint; reason: string },
  known: { ownKey: KeyObject | undefined; former: readonly FormerKey[]; store: RootStore },
): Promise<string> {
  const { ownKey, former, store } = known;
  if (ownKey === undefined) {
    throw new StartError('Nothing is set aside: without the ledger key nobody knows who signed.');
  }
  const exported = await atRoots(store, 'Nothing is set aside', () => store.newest());
  if (exported !== undefined && exported.height >= height) {
    throw new StartError(
      `Nothing is set aside: block ${exported.height} was exported to ${store.place}.`,
    );
  }
  const pool = createPool({ url, max: 1, applicationName: 'purser-verify' });
  try {
    const blocks = await withTx(createDb(pool), async (tx) => {
      const keys = { current: ownKey, former };
      const taken = await setBlocksAside(tx, { height, reason, keys });
      recordAudit(tx, {
        by: { actor: 'system' },
        action: 'ledger.blocks_set_aside',
        subjectType: 'company_settings',
        subjectId: null,
        details: { reason, blocks: taken.map((one) => `${one.height} ${one.root}`) },
      });
      return taken;
    });
    const end = blocks.at(-1)?.height ?? height;
    return `Set aside: blocks ${height} to ${end}, which are kept in ledger_block_set_aside. A running server goes on sealing by itself within seconds.`;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new StartError(`Nothing is set aside: ${error.message}`);
  } finally {
    await pool.end();
  }
}
