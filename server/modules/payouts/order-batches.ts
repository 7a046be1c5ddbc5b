import { sql } from 'kysely';
import { bankingToday } from '#contract/banking-days.ts';
import type { PayoutFormat } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readAhead } from '#server/lib/one-ahead.ts';
import { accountNumberPlace } from '#server/modules/bank-accounts/index.ts';
import { payeeNumberPlace } from '#server/modules/payments/index.ts';
import type { Place } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { offsetCount } from './content.ts';
import { traceNumber } from './items.ts';
import type { Item, ItemBatch } from './items.ts';
import { accountOf } from './order.ts';
import type { OrderedBatch, OrderedPayment } from './order.ts';
import type { StoredProfile } from './profile.ts';
import { sameDayWindow } from './same-day.ts';

/**
 * The batches of a file with whole account numbers, which are decrypted as the payments are taken, some of them at a time.
 * Nothing keeps them. Taking them throws `data_destroyed`.
 */
export function orderBatches(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  batches: readonly ItemBatch[],
  file: { profile: StoredProfile; format: PayoutFormat; sameDayUntil: Date | null },
): OrderedBatch[] {
  const { profile, format, sameDayUntil } = file;
  const windowOf = ({ payees, effectiveOn }: ItemBatch) =>
    payees === 'people' &&
    sameDayUntil !== null &&
    effectiveOn === bankingToday(sameDayUntil, 'USD')
      ? sameDayWindow(sameDayUntil)
      : null;
  return batches.map((batch) => {
    const { batchNumber: number, payees, effectiveOn, count, totalMinor } = batch;
    const last = Number(batch.lastTrace.slice(8));
    const offsetTraces = Array.from({ length: offsetCount(profile, format, totalMinor) }, (_, at) =>
      traceNumber(profile, last + 1 + at),
    );
    const payments = paymentsOf(reader, services, batch.chunks());
    const sameDay = windowOf(batch);
    return { number, payees, effectiveOn, sameDay, count, totalMinor, payments, offsetTraces };
  });
}

/** The database reads some of them while those before are decrypted and written. */
async function* paymentsOf(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  items: Iterable<Item[]> | AsyncIterable<Item[]>,
): AsyncGenerator<OrderedPayment> {
  async function* read(): AsyncGenerator<() => OrderedPayment[], void> {
    for await (const chunk of items) yield await readPayments(reader, services, chunk);
  }
  for await (const decrypt of readAhead(read())) yield* decrypt();
}

/** Facts that a payment is written from besides its item. */
interface Destination {
  id: string;
  /** Null of a bank account that is checked. */
  reference: string | null;
  userId: string;
  accountId: string;
  name: string;
  routingNumber: string | null;
  accountType: 'checking' | 'savings' | null;
  sealed: Buffer | null;
  note: string;
}

/** Reads the payments of items. The result decrypts them, in the order of the items. */
async function readPayments(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  items: readonly Item[],
): Promise<() => OrderedPayment[]> {
  const idsOf = (column: 'withdrawalId' | 'billId' | 'bankAccountId') =>
    items.flatMap((item) => item[column] ?? []);
  const read = async (rows: readonly Destination[], placeOf: (id: string) => Place) => {
    const sealed = rows.map(({ accountId, userId, sealed: number }) => ({
      userId,
      place: placeOf(accountId),
      sealed: invariant(number, 'a payee without a number'),
    }));
    const open = rows.length === 0 ? () => [] : await services.vault.openAll(reader, sealed);
    return { rows, open };
  };
  const ofWithdrawals = await readWithdrawals(reader, idsOf('withdrawalId'));
  const ofAccounts = await readAccounts(reader, idsOf('bankAccountId'));
  const parts = [
    await read([...ofWithdrawals, ...ofAccounts], accountNumberPlace),
    await read(await readBills(reader, idsOf('billId')), payeeNumberPlace),
  ];
  return () => {
    const byId = new Map<string, { paid: Destination; accountNumber: string }>();
    for (const { rows, open } of parts) {
      const numbers = open();
      for (const [at, paid] of rows.entries()) {
        const accountNumber = invariant(numbers[at], 'a number').toString('utf8');
        byId.set(paid.id, { paid, accountNumber });
      }
    }
    return items.map((item) =>
      ordered(item, invariant(byId.get(idOf(item)), 'an item of nothing')),
    );
  };
}

function idOf({ withdrawalId, billId, bankAccountId }: Item): string {
  return withdrawalId ?? billId ?? bankAccountId ?? '';
}

function ordered(
  { amountMinor, payees, traceNumber: trace }: Item,
  { paid, accountNumber }: { paid: Destination; accountNumber: string },
): OrderedPayment {
  const prefix = payees === 'micro_deposits' ? 'MD' : 'PN';
  const routingNumber = invariant(paid.routingNumber, 'a payee without an account');
  return {
    reference: paid.reference ?? `${prefix}-${trace.slice(8)}`,
    traceNumber: trace,
    amountMinor,
    name: paid.name,
    account: accountOf(
      { routingNumber, accountNumber },
      invariant(paid.accountType, 'a payee without an account'),
    ),
    note: paid.note.trim() === '' ? null : paid.note,
    isPrenote: payees === 'accounts',
  };
}

async function readWithdrawals(reader: Reader, ids: readonly string[]): Promise<Destination[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom('withdrawal')
    .innerJoin('bankAccount as bank', 'bank.id', 'withdrawal.bankAccountId')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.userId', 'bank.id as accountId'])
    .select(['bank.holderName as name', 'bank.routingNumber', 'bank.accountType'])
    .select(['bank.accountNumberEncrypted as sealed', sql<string>`''`.as('note')])
    .where(sql<boolean>`withdrawal.id = ANY (${ids}::uuid[])`)
    .execute();
}

async function readBills(reader: Reader, ids: readonly string[]): Promise<Destination[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom('bill')
    .innerJoin('payee', 'payee.id', 'bill.payeeId')
    .select(['bill.id', 'bill.reference', 'bill.userId', 'payee.id as accountId'])
    .select(['bill.payeeName as name', 'payee.routingNumber', 'payee.accountType'])
    .select(['payee.accountNumberEncrypted as sealed'])
    .select(sql<string>`concat_ws(' ', nullif(payee.customer_number, ''), bill.memo)`.as('note'))
    .where(sql<boolean>`bill.id = ANY (${ids}::uuid[])`)
    .execute();
}

async function readAccounts(reader: Reader, ids: readonly string[]): Promise<Destination[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom('bankAccount as bank')
    .select(['bank.id', 'bank.userId', 'bank.id as accountId', 'bank.holderName as name'])
    .select(['bank.routingNumber', 'bank.accountType', 'bank.accountNumberEncrypted as sealed'])
    .select([sql<string>`''`.as('note'), sql<null>`NULL`.as('reference')])
    .where(sql<boolean>`bank.id = ANY (${ids}::uuid[])`)
    .execute();
}
