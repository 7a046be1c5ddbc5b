import { sql } from 'kysely';
import type { PayoutFile } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { allowStatements, keepPlans, planEachTime } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { choosePayments } from './choose-payments.ts';
import type { Chosen, ChosenLot } from './choose-payments.ts';
import { offsetCount, writeContent } from './content.ts';
import type { Order } from './content.ts';
import { CHUNK_ITEMS, traceNumber } from './items.ts';
import type { Item, ItemBatch, ItemIds } from './items.ts';
import { fileIdModifier, MAX_FILES_OF_DAY } from './nacha/write-nacha.ts';
import { orderBatches } from './order-batches.ts';
import { readProfile } from './profile.ts';
import { loadPayoutFile } from './file-queries.ts';
import { sameDayNow } from './same-day.ts';

const MAX_TRACE = 9_999_999;
/** A file of 100,000 payments takes some seconds where the machine is busy: longer than other requests. */
const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Makes a file of chosen withdrawals, bills, prenotes and micro-deposits. It moves no money: payments stay held, and wait in the file
 * until it is marked as sent. Two files are made one after the other, and the second one is refused what the first one has.
 *
 * @throws {AppError} `nacha_in_dollars`, `payouts_by_hand`, `withdrawal_not_found`, `bill_not_found`, `bank_account_not_found`; `payout_item_not_ready` and
 *   `payout_item_unwritable`, naming the payment; `payouts_changed`, `payouts_stopped`, `same_day_passed`, `payout_files_full`, `data_destroyed`
 */
export async function makePayoutFile(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { isSameDay = false, ...asked }: Chosen,
): Promise<PayoutFile> {
  await Promise.all([allowStatements(tx, STATEMENT_TIMEOUT_MS), planEachTime(tx)]);
  const settings = await readSettings(tx);
  if (settings.payoutFormat === 'nacha' && settings.currency !== 'USD') {
    throw new AppError('nacha_in_dollars');
  }
  const bank = readProfile(settings);
  if (bank === null) throw new AppError('payouts_by_hand');
  const counter = await tx
    .selectFrom('payoutCounter')
    .select(['fileNumber', 'trace'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const at = services.clock.now();
  const sameDay = isSameDay ? sameDayNow(settings, at) : null;
  if (isSameDay && sameDay === null) throw new AppError('same_day_passed');
  const lots = await choosePayments(tx, services, by, { ...asked, sameDay });
  // None where all of it is left on a later day.
  const isSameDayFile = lots.some(({ effectiveOn }) => effectiveOn === sameDay?.day);
  const sameDayUntil = isSameDayFile ? (sameDay?.until ?? null) : null;
  const plan = withTraces(lots, counter.trace + 1, bank);
  const { batches, last } = plan.last > MAX_TRACE ? withTraces(lots, 1, bank) : plan;
  const madeOn = dayIn(settings.timeZone, at);
  const order: Order = {
    ...bank,
    number: counter.fileNumber + 1,
    currency: settings.currency,
    madeOn,
    madeTime: timeIn(settings.timeZone, at),
    idModifier: await nextModifier(tx, madeOn),
    batches: orderBatches(tx, services, batches, { ...bank, sameDayUntil }),
  };
  const { contentHash, byteCount, totals, badRouting } = await writeContent(order);
  const id = newId();
  const totalMinor = batches.reduce((sum, batch) => sum + batch.totalMinor, 0n);
  const itemCount = batches.reduce((sum, { count }) => sum + count, 0);
  await tx.updateTable('payoutCounter').set({ fileNumber: order.number, trace: last }).execute();
  await tx
    .insertInto('payoutFile')
    .values({
      id,
      number: order.number,
      status: 'prepared',
      format: bank.format,
      profile: JSON.stringify(bank.profile),
      madeOn,
      madeTime: order.madeTime,
      idModifier: order.idModifier,
      currency: settings.currency,
      itemCount,
      totalMinor,
      sameDayUntil,
      blockCount: totals?.blockCount ?? null,
      entryHash: totals?.entryHash ?? null,
      debitMinor: totals?.debitMinor ?? null,
      byteCount,
      contentHash,
      createdBy: by.actor.id,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  await insertAll(tx, id, batches);
  journal(tx, by, payoutFile, 'make', {
    id,
    userId: by.actor.id,
    at,
    details: {
      number: fileNumber(order.number),
      contentHash,
      items: itemCount,
      amountMinor: String(totalMinor),
    },
  });
  const file = { id, itemCount, totalMinor, currency: settings.currency, sameDayUntil };
  const checks = await checkPayoutFile(tx, services, by, file, { ofItems: null, badRouting });
  return loadPayoutFile(tx, services, by, id, checks);
}

async function insertAll(tx: Tx, fileId: string, batches: readonly NewBatch[]): Promise<void> {
  await keepPlans(tx);
  for (const { chunks } of batches) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    for (const items of chunks()) await insertItems(tx, fileId, items);
  }
  await planEachTime(tx);
}

/** Inserts items of one batch. */
async function insertItems(tx: Tx, fileId: string, items: readonly Item[]): Promise<void> {
  const { batchNumber, payees, effectiveOn } = invariant(items[0], 'a chunk without items');
  const column = (name: keyof Item) => items.map((item) => item[name]);
  await sql`
    INSERT INTO payout_file_item (id, file_id, batch_number, trace_number, payees, effective_on, withdrawal_id, bill_id,
                                  bank_account_id, account_as_of, deposit_number, amount_minor)
    SELECT gen_random_uuid(), ${fileId}, ${batchNumber}, trace_number, ${payees}, ${effectiveOn}::date, withdrawal_id, bill_id,
           bank_account_id, (SELECT submitted_at FROM bank_account AS bank WHERE bank.id = one.bank_account_id),
           deposit_number, amount_minor
      FROM unnest(${column('traceNumber')}::text[], ${column('withdrawalId')}::uuid[], ${column('billId')}::uuid[],
                  ${column('bankAccountId')}::uuid[], ${column('depositNumber')}::smallint[],
                  ${column('amountMinor')}::bigint[])
        AS one (trace_number, withdrawal_id, bill_id, bank_account_id, deposit_number, amount_minor)`.execute(
    tx,
  );
}

/** A batch of a file that is being made. */
type NewBatch = Omit<ItemBatch, 'chunks'> & { chunks: () => Iterable<Item[]> };

/** Gives each payment its trace number, and after those of a batch numbers to the debits of the company's account. */
function withTraces(
  lots: readonly ChosenLot[],
  first: number,
  { profile, format }: NonNullable<ReturnType<typeof readProfile>>,
): { batches: NewBatch[]; last: number } {
  let next = first;
  const batches = lots.map((lot, at): NewBatch => {
    const { payees, effectiveOn, payments, totalMinor } = lot;
    const batch = { batchNumber: at + 1, payees, effectiveOn };
    const firstOfLot = next;
    const last = next + payments.length - 1;
    next = last + 1 + offsetCount(profile, format, totalMinor);
    return {
      ...batch,
      count: payments.length,
      totalMinor,
      lastTrace: traceNumber(profile, last),
      *chunks() {
        for (let from = 0; from < payments.length; from += CHUNK_ITEMS) {
          yield payments.slice(from, from + CHUNK_ITEMS).map((payment, place) => ({
            ...batch,
            ...idsOf(payment),
            traceNumber: traceNumber(profile, firstOfLot + from + place),
            depositNumber: payment.depositNumber,
            amountMinor: payment.amountMinor,
          }));
        }
      },
    };
  });
  return { batches, last: next - 1 };
}

function idsOf({ id, kind }: ChosenLot['payments'][number]): ItemIds {
  return {
    withdrawalId: kind === 'withdrawal' ? id : null,
    billId: kind === 'bill' ? id : null,
    bankAccountId: kind === 'prenote' || kind === 'micro_deposit' ? id : null,
  };
}

/**
 * Modifier of the next file of a day, of reversals as well, which the bank distinguishes by it. The counter has been locked.
 *
 * @throws {AppError} `payout_files_full`
 */
export async function nextModifier(tx: Tx, madeOn: string): Promise<string> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM payout_file WHERE made_on = ${madeOn})
            + (SELECT count(*) FROM payout_reversal WHERE made_on = ${madeOn}))::int AS count`.execute(
    tx,
  );
  const { count } = invariant(rows[0], 'a count gave no row');
  if (count >= MAX_FILES_OF_DAY) {
    throw new AppError('payout_files_full', { most: String(MAX_FILES_OF_DAY) });
  }
  return fileIdModifier(count + 1);
}

/** Time of day at the company, as NACHA writes it: `1005`. */
export function timeIn(timeZone: string, at: Date): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return clock.format(at).replace(':', '');
}
