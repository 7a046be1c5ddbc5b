import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayeeGroup, PayoutKind } from '#contract/payouts.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { StoredProfile } from './profile.ts';

/** An item of a file, as the table keeps it. Exactly one of the three ids is set: a bank account gets a prenote or micro-deposits. */
export interface Item {
  withdrawalId: string | null;
  billId: string | null;
  bankAccountId: string | null;
  /** 1 or 2 of a micro-deposit; null otherwise. */
  depositNumber: number | null;
  batchNumber: number;
  traceNumber: string;
  payees: PayeeGroup;
  /** `2026-12-09` */
  effectiveOn: string;
  amountMinor: bigint;
}

/** Items that are read, written and inserted together. */
export const CHUNK_ITEMS = 1_000;

/** A batch of a file, whose items are read or made in chunks. */
export interface ItemBatch extends Pick<Item, 'batchNumber' | 'payees' | 'effectiveOn'> {
  count: number;
  totalMinor: bigint;
  /** Trace number of its last item. */
  lastTrace: string;
  /** Its items, in their order. */
  chunks: () => Iterable<Item[]> | AsyncIterable<Item[]>;
}

/** The batches of a file, in its order. */
export async function readItemBatches(reader: Reader, fileId: string): Promise<ItemBatch[]> {
  const batches = await reader
    .selectFrom('payoutFileItem')
    .select(['batchNumber', 'payees'])
    .select(sql<string>`to_char(effective_on, 'YYYY-MM-DD')`.as('effectiveOn'))
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<bigint>`sum(amount_minor)::bigint`.as('totalMinor'),
      sql<string>`max(trace_number)`.as('lastTrace'),
    ])
    .where('fileId', '=', fileId)
    .groupBy(['batchNumber', 'payees', 'effectiveOn'])
    .orderBy('batchNumber')
    .execute();
  return batches.map((batch) => ({
    ...batch,
    chunks: () => readChunks(reader, fileId, batch.batchNumber),
  }));
}

async function* readChunks(
  reader: Reader,
  fileId: string,
  batchNumber: number,
): AsyncGenerator<Item[]> {
  let after = '';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    const items = await reader
      .selectFrom('payoutFileItem')
      .select(['withdrawalId', 'billId', 'bankAccountId', 'depositNumber', 'batchNumber'])
      .select(['traceNumber', 'payees', 'amountMinor'])
      .select(sql<string>`to_char(effective_on, 'YYYY-MM-DD')`.as('effectiveOn'))
      .where('fileId', '=', fileId)
      .where('batchNumber', '=', batchNumber)
      .where('traceNumber', '>', after)
      .orderBy('traceNumber')
      .limit(CHUNK_ITEMS)
      .execute();
    yield items;
    if (items.length < CHUNK_ITEMS) return;
    after = items.at(-1)?.traceNumber ?? after;
  }
}

export type ItemIds = Pick<Item, 'withdrawalId' | 'billId' | 'bankAccountId'>;
/** An item that is posted. */
export type NextItem = ItemIds & { id: string; traceNumber: string };

/** Items of a file that are to be posted, cancelled and returned ones left out. */
export function selectLiveItems(reader: Reader, fileId: string) {
  return reader
    .selectFrom('payoutFileItem')
    .select(['id', 'withdrawalId', 'billId', 'bankAccountId', 'traceNumber'])
    .where('fileId', '=', fileId)
    .where('isLive', '=', true);
}

type ItemTable = 'withdrawal' | 'bill' | 'bank_account';

/** Items with their files and what they pay. */
export function selectItemRequests(reader: Reader) {
  return reader
    .selectFrom('payoutFileItem as item')
    .innerJoin('payoutFile as file', 'file.id', 'item.fileId')
    .leftJoin('withdrawal', 'withdrawal.id', 'item.withdrawalId')
    .leftJoin('bill', 'bill.id', 'item.billId');
}

/** SQL of the kind of an `item`. */
export const kindOfItem = sql<PayoutKind>`CASE WHEN item.deposit_number IS NOT NULL THEN 'micro_deposit'
  WHEN item.bank_account_id IS NOT NULL THEN 'prenote'
  WHEN item.bill_id IS NOT NULL THEN 'bill' ELSE 'withdrawal' END`;

/**
 * SQL of the reference of a prenote or a micro-deposit, which no other thing has: the end of its trace number. It is about
 * an `item`.
 */
export const PROOF_REFERENCE = sql.raw(
  `CASE WHEN item.deposit_number IS NULL THEN 'PN-' ELSE 'MD-' END || right(item.trace_number, 7)`,
);

/** A withdrawal, a bill or the bank account of a prenote or micro-deposits, its row locked. */
type LockedRequest = ItemIds & {
  /** Null of a bank account. */
  walletId: string | null;
};

/**
 * Locks withdrawals, then bills, then bank accounts that are checked, each in the order of their ids. Commands of files
 * take all of these locks before those of the ledger's accounts.
 *
 * @param where SQL conditions on the rows
 */
export async function lockRequests(
  tx: Tx,
  where: Readonly<Record<ItemTable, RawBuilder<unknown>>>,
): Promise<LockedRequest[]> {
  const lock = async (table: ItemTable) => {
    const walletId = table === 'bank_account' ? sql`NULL::uuid` : sql`wallet_id`;
    const { rows } = await sql<{ id: string; walletId: string | null }>`
      SELECT id, ${walletId} AS wallet_id FROM ${sql.table(table)} WHERE ${where[table]}
       ORDER BY id FOR NO KEY UPDATE`.execute(tx);
    return rows;
  };
  const ofWithdrawals = await lock('withdrawal');
  const ofBills = await lock('bill');
  const ofAccounts = await lock('bank_account');
  const none = { withdrawalId: null, billId: null, bankAccountId: null };
  return [
    ...ofWithdrawals.map(({ id, walletId }) => ({ ...none, withdrawalId: id, walletId })),
    ...ofBills.map(({ id, walletId }) => ({ ...none, billId: id, walletId })),
    ...ofAccounts.map(({ id, walletId }) => ({ ...none, bankAccountId: id, walletId })),
  ];
}

/** Locks the rows as `lockRequests` does, without reading them: a file has up to 100,000. */
export async function lockRows(
  tx: Tx,
  where: Readonly<Record<ItemTable, RawBuilder<unknown>>>,
): Promise<void> {
  for (const table of ['withdrawal', 'bill', 'bank_account'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- locks have an order
    await sql`
      SELECT count(*) FROM (SELECT FROM ${sql.table(table)} WHERE ${where[table]}
                             ORDER BY id FOR NO KEY UPDATE) AS locked`.execute(tx);
  }
}

/** A trace number: eight digits of the company's bank, which are zeros next to an IBAN, and seven of the payment. */
export function traceNumber({ routingNumber }: StoredProfile, number: number): string {
  return `${routingNumber.slice(0, 8).padStart(8, '0')}${String(number).padStart(7, '0')}`;
}
