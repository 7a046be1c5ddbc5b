import { CompiledQuery } from 'kysely';
import type { Tx } from './tx.ts';

/** Prefixes of what people read out, and the sequence that numbers each. */
const SEQUENCES = {
  WD: 'withdrawal_reference_seq',
  DEP: 'deposit_reference_seq',
  BP: 'bill_reference_seq',
  TXN: 'transaction_reference_seq',
} as const;

const BLOCK = 100_000_000n;
/** Prime to 10^8, so that multiplying by it visits every number of eight digits once. */
const STEP = 61_803_399n;

/**
 * The next reference, `WD-61803399`: unique for ever, because it comes from a sequence, yet
 * neighbours are far apart, so that a misheard digit rarely names another person's request and the
 * company's volume cannot be read off.
 */
export async function nextReference(tx: Tx, prefix: keyof typeof SEQUENCES): Promise<string> {
  const { rows } = await tx.executeQuery<{ number: bigint }>(
    CompiledQuery.raw('SELECT nextval($1::text::regclass) AS number', [SEQUENCES[prefix]]),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('nextval returned nothing');
  return `${prefix}-${spread(row.number)}`;
}

/** Eight digits for the first hundred million numbers; after that they grow in front. */
export function spread(number: bigint): string {
  const digits = String((number * STEP) % BLOCK).padStart(8, '0');
  const block = number / BLOCK;
  return block === 0n ? digits : `${block}${digits}`;
}
