import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayeeGroup, PayoutFormat, PayoutKind } from '#contract/payouts.ts';
import { BANKING_ZONE, dayIn } from '#contract/calendar.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { accountNumberPlace } from '#server/modules/bank-accounts/index.ts';
import { payeeNumberPlace } from '#server/modules/payments/index.ts';
import type { Place } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { offsetCount } from './content.ts';
import type { OrderedBatch, OrderedPayment } from './order.ts';
import type { StoredProfile } from './profile.ts';
import { sameDayWindow } from './same-day.ts';

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

/** The items of a file, in its order. */
export async function readItems(reader: Reader, fileId: string): Promise<Item[]> {
  return reader
    .selectFrom('payoutFileItem')
    .select(['withdrawalId', 'billId', 'bankAccountId', 'depositNumber', 'batchNumber'])
    .select(['traceNumber', 'payees', 'amountMinor'])
    .select(sql<string>`to_char(effective_on, 'YYYY-MM-DD')`.as('effectiveOn'))
    .where('fileId', '=', fileId)
    .orderBy('traceNumber')
    .execute();
}

export type ItemIds = Pick<Item, 'withdrawalId' | 'billId' | 'bankAccountId'>;
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

/** Last seven digits of a trace number, after those of the company's bank. */
export function traceNumber({ routingNumber }: StoredProfile, number: number): string {
  return `${routingNumber.slice(0, 8)}${String(number).padStart(7, '0')}`;
}

/** Payments whose account numbers are read and decrypted together. */
const CHUNK_PAYMENTS = 1_000;

/**
 * The batches of a file with whole account numbers, which are decrypted as the payments are taken, some of them at a time.
 * Nothing keeps them. Taking them throws `data_destroyed`.
 */
export function readBatches(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  items: readonly Item[],
  file: { profile: StoredProfile; format: PayoutFormat; sameDayUntil: Date | null },
): OrderedBatch[] {
  const { profile, format, sameDayUntil } = file;
  const isSameDay = ({ payees, effectiveOn }: Item) =>
    payees === 'people' &&
    sameDayUntil !== null &&
    effectiveOn === dayIn(BANKING_ZONE, sameDayUntil);
  const byNumber = Map.groupBy(items, ({ batchNumber }) => batchNumber);
  return [...byNumber].map(([number, ofBatch]) => {
    const first = invariant(ofBatch[0], 'a batch without items');
    const last = Number(invariant(ofBatch.at(-1), 'a batch without items').traceNumber.slice(8));
    const totalMinor = ofBatch.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const count = offsetCount(profile, format, totalMinor);
    return {
      ...{ number, payees: first.payees, effectiveOn: first.effectiveOn },
      sameDay: isSameDay(first) && sameDayUntil !== null ? sameDayWindow(sameDayUntil) : null,
      count: ofBatch.length,
      totalMinor,
      payments: paymentsOf(reader, services, ofBatch),
      offsetTraces: Array.from({ length: count }, (_, at) => traceNumber(profile, last + 1 + at)),
    };
  });
}

async function* paymentsOf(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  items: readonly Item[],
): AsyncGenerator<OrderedPayment> {
  const read = async (from: number) => {
    const chunk = items.slice(from, from + CHUNK_PAYMENTS);
    const payments = chunk.length === 0 ? null : await readPayments(reader, services, chunk);
    return { chunk, payments };
  };
  let next = read(0);
  for (let from = CHUNK_PAYMENTS; ; from += CHUNK_PAYMENTS) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    const { chunk, payments } = await next;
    if (payments === null) return;
    // The database reads it while this one is written. Nobody waits for it if the file cannot be written.
    next = read(from);
    next.catch(() => undefined);
    for (const item of chunk) {
      yield invariant(payments.get(item.traceNumber), 'an item of nothing');
    }
  }
}

export function idOf({ withdrawalId, billId, bankAccountId }: ItemIds): string {
  return invariant(withdrawalId ?? billId ?? bankAccountId, 'an item of nothing');
}

/** The payments of items, by their trace numbers. */
async function readPayments(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  items: readonly Item[],
): Promise<ReadonlyMap<string, OrderedPayment>> {
  const ids = items.map(idOf);
  const ofWithdrawals = await reader
    .selectFrom('withdrawal')
    .innerJoin('bankAccount as bank', 'bank.id', 'withdrawal.bankAccountId')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.userId', 'bank.id as accountId'])
    .select(['bank.holderName as name', 'bank.routingNumber', 'bank.accountType'])
    .select(['bank.accountNumberEncrypted as sealed', sql<string>`''`.as('note')])
    .where(sql<boolean>`withdrawal.id = ANY (${ids}::uuid[])`)
    .execute();
  const ofBills = await reader
    .selectFrom('bill')
    .innerJoin('payee', 'payee.id', 'bill.payeeId')
    .select(['bill.id', 'bill.reference', 'bill.userId', 'payee.id as accountId'])
    .select(['bill.payeeName as name', 'payee.routingNumber', 'payee.accountType'])
    .select(['payee.accountNumberEncrypted as sealed'])
    .select(sql<string>`concat_ws(' ', nullif(payee.customer_number, ''), bill.memo)`.as('note'))
    .where(sql<boolean>`bill.id = ANY (${ids}::uuid[])`)
    .execute();
  const ofAccounts = await reader
    .selectFrom('bankAccount as bank')
    .select(['bank.id', 'bank.userId', 'bank.id as accountId', 'bank.holderName as name'])
    .select(['bank.routingNumber', 'bank.accountType', 'bank.accountNumberEncrypted as sealed'])
    .select(sql<string>`''`.as('note'))
    .where(
      sql<boolean>`bank.id = ANY (${items.flatMap((item) => item.bankAccountId ?? [])}::uuid[])`,
    )
    .execute();
  type Row = Omit<(typeof ofBills)[number], 'reference'> & { reference?: string };
  const byId = Map.groupBy(items, idOf);
  const payments = new Map<string, OrderedPayment>();
  const addAll = async (rows: readonly Row[], placeOf: (id: string) => Place) => {
    const sealed = rows.map(({ accountId, userId, sealed: number }) => ({
      ...{ userId, place: placeOf(accountId) },
      sealed: invariant(number, 'a payee without a number'),
    }));
    const numbers = await services.vault.openAll(reader, sealed);
    for (const [at, row] of rows.entries())
      add(row, invariant(numbers[at], 'a number').toString('utf8'));
  };
  const add = (row: Row, accountNumber: string) => {
    for (const item of invariant(byId.get(row.id), 'a request unasked for')) {
      const { amountMinor, payees, traceNumber: trace } = item;
      const prefix = payees === 'micro_deposits' ? 'MD' : 'PN';
      payments.set(trace, {
        reference: row.reference ?? `${prefix}-${trace.slice(8)}`,
        ...{ traceNumber: trace, amountMinor, name: row.name },
        account: {
          kind: 'aba',
          routingNumber: invariant(row.routingNumber, 'a payee without an account'),
          type: invariant(row.accountType, 'a payee without an account'),
          accountNumber,
        },
        note: row.note.trim() === '' ? null : row.note,
        isPrenote: payees === 'accounts',
      });
    }
  };
  await addAll([...ofWithdrawals, ...ofAccounts], accountNumberPlace);
  await addAll(ofBills, payeeNumberPlace);
  return payments;
}
