import { sql } from 'kysely';
import type { PayoutReversal, RouteArguments, RouteReply } from '#contract/api.ts';
import { addBankingDays, nextBankingDay } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { BANK_REVERSAL_LABELS, reversalDay } from '#contract/payouts.ts';
import { payoutReversal } from '#contract/things/payout-reversal.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { act } from '#server/modules/acts/index.ts';
import { checkStatus, journal, record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { fileNameOf, writeContent } from '../content.ts';
import type { Order } from '../content.ts';
import { isSameAccount, refusalToReverse } from '../entries.ts';
import type { Item } from '../items.ts';
import { nextModifier, timeIn } from '../make-payout-file.ts';
import { orderBatches } from '../order-batches.ts';
import type { OrderedBatch, OrderedPayment } from '../order.ts';
import type { StoredProfile } from '../profile.ts';
import { notReversible, payoutReversals, refusalToGiveOut } from './payout-reversal.ts';
import { loadReversal } from './queries.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;

/**
 * Prepares the file by which the company's bank takes a payment of a NACHA file back, as a whole. Nothing is posted: the money
 * is in the wallet again when the bank sends it back, by its file of returns, its statement, or its word.
 *
 * @throws {AppError} `payout_item_not_found`, `own_request`, `payout_reversal_asked`; `payout_not_reversible`, naming why;
 *   `payout_files_full`, `data_destroyed`
 */
export async function reversePayout(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { itemId, reason }: RouteArguments<'adminReversePayout'>['body'],
): Promise<PayoutReversal> {
  // Files are made one at a time, and a payment is taken back once.
  await tx.selectFrom('payoutCounter').select('trace').forUpdate().executeTakeFirstOrThrow();
  await sql`SELECT FROM payout_file_item WHERE id = ${itemId} FOR NO KEY UPDATE`.execute(tx);
  const payment = await readReversible(tx, itemId);
  const at = services.clock.now();
  refuse(payment, by, at);
  const { timeZone } = await readSettings(tx);
  const madeOn = dayIn(timeZone, at);
  const next = nextBankingDay(at, 'USD');
  const { rows } = await sql<{ number: number }>`
    SELECT coalesce(max(number), 0) + 1 AS number FROM payout_reversal`.execute(tx);
  const facts = {
    number: invariant(rows[0], 'a maximum gave no row').number,
    madeOn,
    madeTime: timeIn(timeZone, at),
    idModifier: await nextModifier(tx, madeOn),
    effectiveOn: next > payment.effectiveOn ? next : payment.effectiveOn,
  };
  const order = await orderOf(tx, services, payment, facts);
  const { contentHash, byteCount } = await writeContent(order);
  const id = newId(at.getTime());
  const { amountMinor, currency } = payment;
  await tx
    .insertInto('payoutReversal')
    .values({
      id,
      ...facts,
      itemId,
      reason,
      status: 'prepared',
      amountMinor,
      currency,
      byteCount,
      contentHash,
      createdBy: by.actor.id,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  journal(tx, by, payoutReversal, 'ask', {
    id,
    userId: by.actor.id,
    at,
    details: {
      number: fileNumber(facts.number),
      contentHash,
      itemId,
      reason,
      amountMinor: String(amountMinor),
      reference: payment.reference,
    },
  });
  return loadReversal(tx, services, by, id);
}

/**
 * Gives the file of a reversal out, once. It is written again, and is the same byte for byte, as its hash says.
 *
 * @throws {AppError} `payout_reversal_not_found`, `payout_reversal_wrong_status`, `payout_not_reversible`,
 *   `payout_reversal_late`, `second_person_needed`, `payout_file_differs`, `data_destroyed`
 */
export async function downloadReversal(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminDownloadPayoutReversal'>> {
  await act(tx, services, by, payoutReversals, 'download', { id });
  const { payment, row, ...reply } = await writeAgain(tx, services, by, id);
  record(tx, by, 'payout_reversal.announced', {
    id,
    personId: payment.ownerId,
    at: services.clock.now(),
    details: { reference: payment.reference },
    words: {
      reference: payment.reference,
      amount: formatMoney(money(payment.amountMinor, payment.currency)),
      why: BANK_REVERSAL_LABELS[row.reason].toLowerCase(),
    },
  });
  return reply;
}

/**
 * Gives the file out to a request that did so already, and whose reply was lost: the same decision, which nothing records
 * again. No reply is stored that has a whole account number, so the file is written again.
 *
 * @throws {AppError} `payout_reversal_wrong_status` once it was sent or cancelled, and as `downloadReversal`
 */
export async function repeatReversal(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminDownloadPayoutReversal'>> {
  const { payment, row, ...reply } = await writeAgain(tx, services, by, id);
  await checkStatus(tx, payoutReversal, 'send', row);
  const facts = { isLive: payment.isLive, effectiveOn: row.effectiveDay };
  const refusal = refusalToGiveOut(facts, services.clock.now());
  if (refusal !== null) throw refusal;
  return reply;
}

/** @throws {AppError} `payout_file_differs`, `data_destroyed` */
async function writeAgain(tx: Tx, services: Needs, by: CommandContext, id: string) {
  const row = invariant(await payoutReversals.lock(tx, id, 'download'), 'a locked row is gone');
  const payment = await readReversible(tx, row.itemId);
  const facts = { ...row, madeOn: row.madeDay, effectiveOn: row.effectiveDay };
  const order = await orderOf(tx, services, payment, facts);
  const parts: string[] = [];
  const { contentHash } = await writeContent(order, (part) => parts.push(part));
  if (contentHash !== row.contentHash) throw new AppError('payout_file_differs');
  const reversal = await loadReversal(tx, services, by, id);
  return { row, payment, reversal, fileName: fileNameOf(order), content: parts.join('') };
}

/** A payment of a payout file, as far as its reversal needs it. */
interface Reversible extends Item {
  id: string;
  isLive: boolean;
  reference: string;
  ownerId: string;
  format: Order['format'];
  profile: StoredProfile;
  fileStatus: string;
  currency: Currency;
  /** True while the account has the numbers that the payment went to. */
  isSameAccount: boolean;
  hasReversal: boolean;
}

/** @throws {AppError} `payout_item_not_found` */
async function readReversible(reader: Reader, itemId: string): Promise<Reversible> {
  const { rows } = await sql<Reversible>`
    SELECT item.id, item.withdrawal_id, item.bill_id, item.bank_account_id, item.batch_number, item.trace_number, item.payees, item.amount_minor,
           to_char(item.effective_on, 'YYYY-MM-DD') AS effective_on, item.is_live, file.format, file.profile,
           file.status AS file_status, file.currency,
           coalesce(withdrawal.reference, bill.reference) AS reference,
           coalesce(withdrawal.user_id, bill.user_id) AS owner_id,
           ${isSameAccount} AS is_same_account,
           EXISTS (SELECT FROM payout_reversal
                    WHERE item_id = item.id AND status NOT IN ('refused', 'cancelled')) AS has_reversal
      FROM payout_file_item AS item
      JOIN payout_file AS file ON file.id = item.file_id
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
     WHERE item.id = ${itemId} AND item.bank_account_id IS NULL`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new AppError('payout_item_not_found');
  return row;
}

function refuse(payment: Reversible, by: CommandContext, now: Date): void {
  const refusal = refusalToReverse(payment, by.actor.id);
  if (refusal !== null) throw refusal;
  if (payment.hasReversal) throw new AppError('payout_reversal_asked');
  const { format, fileStatus, isLive, effectiveOn } = payment;
  if (format !== 'nacha') throw notReversible('Only NACHA files have reversals. Ask your bank.');
  if (fileStatus !== 'sent' && fileStatus !== 'settled') {
    throw notReversible('Its file was not sent.');
  }
  if (!isLive) throw notReversible('It came back already.');
  const last = reversalDay(effectiveOn);
  if (nextBankingDay(now, 'USD') > addBankingDays(last, 1, 'USD')) {
    throw notReversible(`Its last day was ${writeDay(last)}.`);
  }
}

/** The order of the file: the payment as it was, with the day on which the other bank has the debit. */
async function orderOf(
  reader: Reader,
  services: Needs,
  payment: Reversible,
  facts: Pick<Order, 'number' | 'madeOn' | 'madeTime' | 'idModifier'> & { effectiveOn: string },
): Promise<Order> {
  const { profile, format, currency } = payment;
  const file = { profile, format, sameDayUntil: null };
  const only = { count: 1, totalMinor: payment.amountMinor, lastTrace: payment.traceNumber };
  const ofOne = { ...payment, ...only, chunks: () => [[payment]] };
  const [batch] = orderBatches(reader, services, [ofOne], file);
  const { payments, ...paid } = invariant(batch, 'a payment without a batch');
  return {
    format,
    profile,
    currency,
    number: facts.number,
    isReversal: true,
    madeOn: facts.madeOn,
    madeTime: facts.madeTime,
    idModifier: facts.idModifier,
    batches: [
      {
        ...paid,
        number: 1,
        effectiveOn: facts.effectiveOn,
        isReversal: true,
        payments: withoutNotes(payments),
      },
    ],
  };
}

async function* withoutNotes(payments: OrderedBatch['payments']): AsyncGenerator<OrderedPayment> {
  for await (const payment of payments) yield { ...payment, note: null };
}
