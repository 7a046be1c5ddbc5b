import { createHash } from 'node:crypto';
import { isRoutingNumber } from '#contract/account-formats.ts';
import type { Currency } from '#contract/money.ts';
import type { PayoutFormat } from '#contract/payouts.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { offsets, writeNacha } from './nacha/write-nacha.ts';
import type { NachaTotals } from './nacha/write-nacha.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { accountOf, UnwritablePayment } from './order.ts';
import type { OrderedBatch, OrderedPayment } from './order.ts';
import { readPain001 } from './pain001/read-pain001.ts';
import { writePain001 } from './pain001/write-pain001.ts';
import { nachaProfileOf } from './profile.ts';
import type { StoredProfile } from './profile.ts';

/** Everything that a file is written from. */
export interface Order {
  format: PayoutFormat;
  profile: StoredProfile;
  number: number;
  currency: Currency;
  /** Day and time of the company in the header: `2026-12-08` and `1005`. */
  madeOn: string;
  madeTime: string;
  idModifier: string;
  /** True for a file that takes payments of another one back. */
  isReversal?: boolean;
  batches: readonly OrderedBatch[];
}

/** A written file, with its control figures; null for a format without them. */
interface Written {
  /** SHA-256, as hex. */
  contentHash: string;
  byteCount: number;
  totals: NachaTotals | null;
  /** Reference of the first payment with a wrong routing number, where the format takes it; null if all are right. */
  badRouting: string | null;
}

/** Suggested name of the downloaded file. */
export function fileNameOf({
  format,
  number,
  isReversal = false,
}: Pick<Order, 'format' | 'number' | 'isReversal'>): string {
  return `${isReversal ? 'reversal' : 'payout'}-${fileNumber(number)}.${format === 'nacha' ? 'ach' : 'xml'}`;
}

/** Characters that are hashed and read back together. */
const PART_LENGTH = 65_536;

/**
 * Writes a file, and reads it back by the strict reader of its format while it is written: it is the order, payment by
 * payment. The same order is the same file, byte for byte. Holds a part of it at a time, so that a file of any size takes the
 * same memory.
 *
 * @param onPart is given the text in parts; it is right only when the returned promise fulfils
 * @throws {AppError} `payout_item_unwritable`, naming the payment
 */
export async function writeContent(
  order: Order,
  onPart: (part: string) => void = () => undefined,
): Promise<Written> {
  const hash = createHash('sha256');
  let byteCount = 0;
  let totals: NachaTotals | null = null;
  let badRouting: string | null = null;
  /** Payments that were written and not read back yet. */
  const written: string[] = [];
  const note = (payment: OrderedPayment) => {
    const { account, reference } = payment;
    const isRight = account.kind !== 'aba' || isRoutingNumber(account.routingNumber);
    if (!isRight) badRouting ??= reference;
    written.push(asText(payment));
  };
  const batches = order.batches.map((batch) => ({
    ...batch,
    payments: noted(batch.payments, note),
  }));
  async function* text(): AsyncGenerator<string, void> {
    const writing = write({ ...order, batches });
    let part = '';
    let step = await writing.next();
    for (; ; step = await writing.next()) {
      part += step.done === true ? '' : step.value;
      if (part.length < PART_LENGTH && step.done !== true) continue;
      hash.update(part, 'utf8');
      byteCount += Buffer.byteLength(part, 'utf8');
      onPart(part);
      yield part;
      part = '';
      if (step.done === true) break;
    }
    totals = step.value;
  }
  await readBack(order, text(), (found) => {
    if (written.shift() !== found) throw notOrdered();
  }).catch((error: unknown) => {
    if (!(error instanceof UnwritablePayment)) throw error;
    throw new AppError('payout_item_unwritable', { reference: error.reference, why: error.why });
  });
  if (written.length > 0) throw notOrdered();
  return { contentHash: hash.digest('hex'), byteCount, totals, badRouting };
}

function notOrdered(): InvariantError {
  return new InvariantError('a payout file is not what was ordered');
}

/** The payments, each noted as it is taken to be written. */
async function* noted(
  payments: OrderedBatch['payments'],
  note: (payment: OrderedPayment) => void,
): AsyncGenerator<OrderedPayment> {
  for await (const payment of payments) {
    note(payment);
    yield payment;
  }
}

async function* write(order: Order): AsyncGenerator<string, NachaTotals | null> {
  const { format, profile, number, batches, madeOn, madeTime } = order;
  if (format === 'nacha') {
    const facts = {
      createdOn: madeOn,
      createdAt: madeTime,
      idModifier: order.idModifier,
      reference: order.isReversal === true ? `REV${fileNumber(number)}` : fileNumber(number),
    };
    return yield* writeNacha(nachaProfileOf(profile), facts, batches);
  }
  const { companyName } = profile;
  const companyId = profile.companyId === '' ? null : profile.companyId;
  const account = accountOf(profile, 'checking');
  const version = format === 'pain001_03' ? '03' : '09';
  const facts = {
    messageId: messageIdOf({ madeOn, number }),
    createdAt: `${madeOn}T${madeTime.slice(0, 2)}:${madeTime.slice(2)}:00`,
    count: batches.reduce((sum, { count }) => sum + count, 0),
    totalMinor: batches.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
  };
  const { currency } = order;
  const message = { version, companyName, companyId, account, currency } as const;
  yield* writePain001(message, facts, batches);
  return null;
}

/** Id of a message, by which the bank answers it: `20261208-0031`. */
export function messageIdOf({ madeOn, number }: Pick<Order, 'madeOn' | 'number'>): string {
  return `${madeOn.replaceAll('-', '')}-${fileNumber(number)}`;
}

/** Facts of a payment by which a file that was read back is compared with its order. */
type Compared = Pick<OrderedPayment, 'reference' | 'traceNumber' | 'amountMinor' | 'account'>;

async function readBack(
  { format, isReversal = false }: Order,
  text: AsyncIterable<string>,
  onPayment: (found: string) => void,
): Promise<void> {
  if (format !== 'nacha') {
    await readPain001(text, (payment) => onPayment(asText(payment)));
    return;
  }
  await readNacha(text, (entry) => {
    // The others are those of the company's own account.
    if (entry.isCredit === isReversal) return;
    const { routingNumber, accountNumber, transactionCode, amountMinor, traceNumber } = entry;
    const type = transactionCode.startsWith('2') ? 'checking' : 'savings';
    const account = { kind: 'aba', routingNumber, accountNumber, type } as const;
    onPayment(asText({ reference: entry.identification, traceNumber, amountMinor, account }));
  });
}

function asText({ reference, traceNumber, amountMinor, account }: Compared): string {
  const paid = [reference, traceNumber, String(amountMinor), account.kind];
  switch (account.kind) {
    case 'aba':
      return JSON.stringify([...paid, account.routingNumber, account.accountNumber, account.type]);
    case 'sort_code':
      return JSON.stringify([...paid, account.sortCode, account.accountNumber]);
    case 'iban':
      return JSON.stringify([...paid, account.iban]);
  }
}

/** Number of the debits of the company’s account in a batch, whose trace numbers follow those of its payments. */
export function offsetCount(
  profile: StoredProfile,
  format: PayoutFormat,
  totalMinor: bigint,
): number {
  return profile.isBalanced && format === 'nacha' ? offsets(totalMinor).length : 0;
}
