import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { writeMoment } from './words.ts';

interface SealedRow {
  waiting: bigint;
  height: bigint | null;
  root: string | null;
  sealedAt: Date | null;
}

/**
 * Sentences that name the sealed block of the ledger with these entries. A block's root covers
 * every earlier block, so the newest one is enough for all.
 *
 * @param entries a condition on `ledger_entry AS entry`
 * @param noun "entry" or "entries"
 */
export async function proofOf(
  reader: Reader,
  entries: RawBuilder<boolean>,
  { timeZone, noun }: { timeZone: string; noun: 'entry' | 'entries' },
): Promise<string[]> {
  const { rows } = await sql<SealedRow>`
    WITH sealed AS (
      SELECT max(seal.height) AS height, count(*) FILTER (WHERE seal.height IS NULL) AS waiting
        FROM ledger_entry AS entry
        LEFT JOIN ledger_seal AS seal ON seal.transaction_id = entry.transaction_id
       WHERE ${entries})
    SELECT sealed.waiting, sealed.height, encode(block.root, 'hex') AS root, block.sealed_at
      FROM sealed LEFT JOIN ledger_block AS block ON block.height = sealed.height`.execute(reader);
  const [seal] = rows;
  if (seal === undefined) return [];
  return [...sealWords(seal, timeZone, noun), ...waitingWords(seal.waiting, noun)];
}

function sealWords(
  { height, root, sealedAt }: SealedRow,
  timeZone: string,
  noun: string,
): string[] {
  if (height === null || root === null || sealedAt === null) return [];
  const when = writeMoment(sealedAt, 'moment', timeZone);
  return [
    noun === 'entry'
      ? `Sealed in block ${height} of the company’s ledger, ${when}.`
      : `Sealed in the company’s ledger, the newest entry in block ${height}, ${when}.`,
    `Root of block ${height}: ${root}`,
  ];
}

function waitingWords(waiting: bigint, noun: string): string[] {
  if (waiting === 0n) return [];
  return [
    noun === 'entry'
      ? 'Not sealed yet: this is done within a minute.'
      : `Not sealed yet: ${waiting} of the entries. This is done within a minute.`,
  ];
}
