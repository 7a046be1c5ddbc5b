import { createHash } from 'node:crypto';
import type { Currency } from '#contract/money.ts';
import type { PayoutFormat } from '#contract/payouts.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { offsets, writeNacha } from './nacha/write-nacha.ts';
import type { NachaTotals } from './nacha/write-nacha.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { UnwritablePayment } from './order.ts';
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
  batches: readonly (OrderedBatch & { payments: readonly OrderedPayment[] })[];
}

/** A written file, with its control figures; null for a format without them. */
interface Written {
  content: string;
  /** SHA-256, as hex. */
  contentHash: string;
  byteCount: number;
  totals: NachaTotals | null;
}

/** Suggested name of the downloaded file. */
export function fileNameOf({
  format,
  number,
  isReversal = false,
}: Pick<Order, 'format' | 'number' | 'isReversal'>): string {
  return `${isReversal ? 'reversal' : 'payout'}-${fileNumber(number)}.${format === 'nacha' ? 'ach' : 'xml'}`;
}

/**
 * Writes a file, and reads it back by the strict reader of its format: it is the order, payment by payment. The same
 * order is the same file, byte for byte.
 *
 * @throws {AppError} `payout_item_unwritable`, naming the payment
 */
export async function writeContent(order: Order): Promise<Written> {
  const written = await write(order).catch((error: unknown) => {
    if (!(error instanceof UnwritablePayment)) throw error;
    throw new AppError('payout_item_unwritable', { reference: error.reference, why: error.why });
  });
  await compareWithOrder(order, written.content);
  const bytes = Buffer.from(written.content, 'utf8');
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  return { ...written, contentHash, byteCount: bytes.length };
}

async function write(order: Order): Promise<{ content: string; totals: NachaTotals | null }> {
  const { format, profile, number, batches, madeOn, madeTime } = order;
  const parts: string[] = [];
  if (format === 'nacha') {
    const facts = {
      createdOn: madeOn,
      createdAt: madeTime,
      idModifier: order.idModifier,
      reference: order.isReversal === true ? `REV${fileNumber(number)}` : fileNumber(number),
    };
    const writing = writeNacha(nachaProfileOf(profile), facts, batches);
    let step = await writing.next();
    for (; step.done !== true; step = await writing.next()) parts.push(step.value);
    return { content: parts.join(''), totals: step.value };
  }
  const { routingNumber, accountNumber, companyName, companyId } = profile;
  const account = { kind: 'aba', routingNumber, accountNumber, type: 'checking' } as const;
  const version = format === 'pain001_03' ? '03' : '09';
  const facts = {
    messageId: messageIdOf({ madeOn, number }),
    createdAt: `${madeOn}T${madeTime.slice(0, 2)}:${madeTime.slice(2)}:00`,
    count: batches.reduce((sum, { count }) => sum + count, 0),
    totalMinor: batches.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
  };
  const { currency } = order;
  const message = { version, companyName, companyId, account, currency } as const;
  for await (const part of writePain001(message, facts, batches)) parts.push(part);
  return { content: parts.join(''), totals: null };
}

/** Id of a message, by which the bank answers it: `20261208-0031`. */
export function messageIdOf({ madeOn, number }: Pick<Order, 'madeOn' | 'number'>): string {
  return `${madeOn.replaceAll('-', '')}-${fileNumber(number)}`;
}

/** Facts of a payment by which a file that was read back is compared with its order. */
type Compared = Pick<OrderedPayment, 'reference' | 'traceNumber' | 'amountMinor' | 'account'>;

async function compareWithOrder(
  { format, batches, isReversal = false }: Order,
  content: string,
): Promise<void> {
  const ordered = batches.flatMap(({ payments }) => payments.map(comparedOf));
  const found: Compared[] = [];
  if (format === 'nacha') {
    await readNacha([content], (entry) => {
      // The others are those of the company's own account.
      if (entry.isCredit === isReversal) return;
      const { routingNumber, accountNumber, transactionCode } = entry;
      const type = transactionCode.startsWith('2') ? 'checking' : 'savings';
      found.push({
        reference: entry.identification,
        traceNumber: entry.traceNumber,
        amountMinor: entry.amountMinor,
        account: { kind: 'aba', routingNumber, accountNumber, type },
      });
    });
  } else {
    await readPain001([content], (payment) => found.push(comparedOf(payment)));
  }
  if (asText(found) !== asText(ordered)) {
    throw new InvariantError('a payout file is not what was ordered');
  }
}

function comparedOf({ reference, traceNumber, amountMinor, account }: Compared): Compared {
  return { reference, traceNumber, amountMinor, account };
}

function asText(payments: readonly Compared[]): string {
  return JSON.stringify(
    payments.map(({ reference, traceNumber, amountMinor, account }) =>
      account.kind === 'aba'
        ? [
            ...[reference, traceNumber, String(amountMinor), account.routingNumber],
            ...[account.accountNumber, account.type],
          ]
        : [reference, traceNumber, String(amountMinor), account.iban],
    ),
  );
}

/** Number of the debits of the company’s account in a batch, whose trace numbers follow those of its payments. */
export function offsetCount(
  profile: StoredProfile,
  format: PayoutFormat,
  totalMinor: bigint,
): number {
  return profile.isBalanced && format === 'nacha' ? offsets(totalMinor).length : 0;
}
