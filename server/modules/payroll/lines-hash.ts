import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';

const NO_WALLET = '00000000-0000-0000-0000-000000000000';

/**
 * SQL of an aggregate over a batch's rows of `payroll_line`, under that name or alias: the SHA-256,
 * as hex, over who each line pays, from number 1 on, into which wallet, how much, and with which breakdown. Nothing of
 * it changes once the batch is made. 60 bytes a line, so a batch of 10,000,000 lines can be hashed; 32 more with a
 * breakdown.
 */
export function linesHash(table: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<string>`encode(sha256(string_agg(
    int4send(${column('line_number')}) || uuid_send(${column('id')}) ||
    uuid_send(${column('user_id')}) ||
    uuid_send(coalesce(${column('wallet_id')}, ${sql.lit(NO_WALLET)}::uuid)) ||
    int8send(${column('amount_minor')}) ||
    coalesce(sha256(convert_to(${column('breakdown')}::text, 'UTF8')), ''::bytea), ''::bytea ORDER BY ${column('line_number')})), 'hex')`;
}

/** Facts that the audit trail records of a batch in addition to its order. */
export interface BatchFacts {
  number: string;
  name: string;
  payPeriod: string;
  /** The hash of what was reviewed, as hex. */
  previewHash: string;
  /** Result of `linesHash`. */
  linesHash: string;
}

/** Reads a batch that has just been made: 100,000 lines take about a tenth of a second. */
export async function readBatchFacts(tx: Tx, batchId: string): Promise<BatchFacts> {
  const { rows } = await sql<BatchFacts>`
    SELECT batch.number, batch.name, batch.pay_period, encode(batch.preview_hash, 'hex') AS preview_hash,
           (SELECT ${linesHash('line')} FROM payroll_line AS line WHERE line.batch_id = batch.id)
             AS lines_hash
      FROM payroll_batch AS batch WHERE batch.id = ${batchId}`.execute(tx);
  return invariant(rows[0], 'a batch that was just made is there');
}
