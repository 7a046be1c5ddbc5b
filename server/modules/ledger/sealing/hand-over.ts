import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { record } from '#server/modules/journal/index.ts';
import { refusing } from '../errors.ts';
import { blockRoot, HANDOVER_VERSION, NOTHING_SEALED, publicKeyBytes, signRoot } from './block.ts';
import type { Block, BlockHeader } from './block.ts';
import { readNewestBlock } from './chain.ts';
import { checkAppended, isSame, timeAfter } from './seal-block.ts';

export interface HandOverOptions {
  /** The newest block, already examined. */
  head: Block;
  signingKey: KeyObject;
  /** Private key that signs all later blocks. */
  successor: KeyObject;
}

/**
 * Appends the block that hands the chain over to another key, signed by both. Returns `moved` when
 * the chain has a new head by now, which the caller must examine first.
 *
 * @throws {LedgerError} `seal_conflict` when a sealer was quicker; `invalid_block`
 */
export async function appendHandover(
  tx: Tx,
  { head, signingKey, successor }: HandOverOptions,
): Promise<Block | 'moved'> {
  if (!isSame(await readNewestBlock(tx), head)) return 'moved';
  const publicKey = publicKeyBytes(signingKey);
  const successorKey = publicKeyBytes(successor);
  const header: BlockHeader = {
    version: HANDOVER_VERSION,
    height: head.height + 1n,
    previous: head.root,
    transactions: NOTHING_SEALED,
    accounts: NOTHING_SEALED,
    auditEvents: NOTHING_SEALED,
    sealedAt: timeAfter(head),
    successorKey,
  };
  const root = blockRoot(header);
  const [signature, successorSignature] = [signingKey, successor].map((key) =>
    signRoot(root, key),
  ) as [Buffer, Buffer];
  const block: Block = { ...header, root, publicKey, signature, successorSignature };
  const statement = sql`
    SELECT ledger_block_hand_over(
      ${block.height}, ${block.previous}, ${block.sealedAt}, ${root}, ${publicKey}, ${signature},
      ${successorKey}, ${successorSignature})`;
  await refusing(statement.execute(tx));
  await checkAppended(tx, block);
  record(tx, { actor: 'system' }, 'ledger.signing_key_replaced', {
    id: null,
    details: {
      block: block.height.toString(),
      from: publicKey.toString('hex'),
      to: successorKey.toString('hex'),
    },
  });
  return block;
}
