import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { LedgerError } from '../errors.ts';
import { readBlock, readBlocksAfter } from './chain.ts';
import { missSignature } from './examine-chain.ts';
import { SEALED_KINDS } from './sealed-kinds.ts';
import { readSigners } from './trusted-keys.ts';
import type { TrustedKeys } from './trusted-keys.ts';

/** A block that was set aside. */
export interface BlockSetAside {
  height: bigint;
  /** Hexadecimal. */
  root: string;
  /** The operator's words. */
  reason: string;
  setAsideAt: Date;
}

/** Maximum number of blocks that are set aside together. */
const MOST_BLOCKS = 1_000;

/** Blocks that were set aside, oldest first. */
export async function readBlocksSetAside(reader: Reader): Promise<BlockSetAside[]> {
  const { rows } = await sql<BlockSetAside>`
    SELECT height, encode(root, 'hex') AS root, reason, set_aside_at
      FROM ledger_block_set_aside ORDER BY set_aside_at, height`.execute(reader);
  return rows;
}

/**
 * Takes the blocks from `height` to the end of the chain out of it. None of them may be signed by a key
 * that is trusted, and the block before them must be. They are kept with their seals, and the rows that
 * they sealed wait to be sealed again. Only the owner of the database may do this.
 *
 * @returns the height and root, as hex, of each
 * @throws {LedgerError} `invalid_block` if the blocks are not such, and then changes nothing
 */
export async function setBlocksAside(
  tx: Tx,
  { height, reason, keys }: { height: bigint; reason: string; keys: TrustedKeys },
): Promise<{ height: bigint; root: string }[]> {
  await sql`LOCK TABLE ledger_block IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  const signers = await readSigners(tx, keys);
  const blocks = await readBlocksAfter(tx, height - 1n, MOST_BLOCKS);
  const before = await readBlock(tx, height - 1n);
  const ours = blocks.find((block) => missSignature(block, signers) === undefined);
  if (blocks[0]?.height !== height) throw refused(`There is no block ${height}.`);
  if (ours !== undefined) throw refused(`Block ${ours.height} is signed by a key that is trusted.`);
  const fault = before && missSignature(before, signers);
  if (fault !== undefined) throw refused(`Begin with an earlier block: ${fault.sentence}`);
  await move(tx, height, reason);
  return blocks.map((block) => ({ height: block.height, root: block.root.toString('hex') }));
}

function refused(sentence: string): LedgerError {
  return new LedgerError('invalid_block', sentence);
}

async function move(tx: Tx, height: bigint, reason: string): Promise<void> {
  const sealsOf = SEALED_KINDS.map(
    ({ seals, key }) => sql`
      SELECT to_jsonb(seal) - ${key}::text || jsonb_build_object('kind', ${seals}::text, 'id', ${sql.ref(`seal.${key}`)}) AS seal
        FROM ${sql.table(seals)} AS seal WHERE seal.height = block.height`,
  );
  await sql`
    INSERT INTO ledger_block_set_aside (height, root, block, seals, reason)
    SELECT height, root, to_jsonb(block),
           (SELECT coalesce(jsonb_agg(seal), '[]') FROM (${sql.join(sealsOf, sql` UNION ALL `)}) AS sealed),
           ${reason}
      FROM ledger_block AS block WHERE height >= ${height}`.execute(tx);
  await sql`SELECT ledger_door('open')`.execute(tx);
  for (const { seals, queue, key } of SEALED_KINDS) {
    // oxlint-disable no-await-in-loop -- three tables, one after another
    await sql`INSERT INTO ${sql.table(queue)} (${sql.ref(key)})
              SELECT ${sql.ref(key)} FROM ${sql.table(seals)} WHERE height >= ${height}`.execute(
      tx,
    );
    await removeFrom(tx, seals, height);
    // oxlint-enable no-await-in-loop
  }
  await removeFrom(tx, 'ledger_block', height);
  await sql`SELECT ledger_door('shut')`.execute(tx);
}

/** Deletes from a table that keeps its rows, which its owner alone can. */
async function removeFrom(tx: Tx, table: string, height: bigint): Promise<void> {
  const [name, trigger] = [sql.table(table), sql.ref(`${table}_keep`)];
  await sql`ALTER TABLE ${name} DISABLE TRIGGER ${trigger}`.execute(tx);
  await sql`DELETE FROM ${name} WHERE height >= ${height}`.execute(tx);
  await sql`ALTER TABLE ${name} ENABLE TRIGGER ${trigger}`.execute(tx);
}
