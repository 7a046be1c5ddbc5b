import { sql } from 'kysely';
import type { PayoutFile, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { PayoutKind } from '#contract/payouts.ts';
import { allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { offsetCount, writeContent } from './content.ts';
import type { Order } from './content.ts';
import { lockRequests, readBatches, traceNumber } from './items.ts';
import type { Item } from './items.ts';
import { drawAmounts } from './micro-deposits.ts';
import { fileIdModifier, MAX_FILES_OF_DAY } from './nacha/write-nacha.ts';
import { inLots, readPayables, readyFor } from './payable.ts';
import type { Payable } from './payable.ts';
import { readProfile } from './profile.ts';
import { loadPayoutFile } from './queries.ts';
import { sameDayNow } from './same-day.ts';
import type { SameDay } from './same-day.ts';

const MAX_TRACE = 9_999_999;
/** A file of 100,000 payments takes some seconds where the machine is busy: longer than other requests. */
const STATEMENT_TIMEOUT_MS = 120_000;

type Body = RouteArguments<'adminMakePayoutFile'>['body'];
type Chosen = Pick<Body, 'withdrawalIds' | 'billIds'> & Partial<Body>;

/**
 * Makes a file of chosen withdrawals, bills, prenotes and micro-deposits. It moves no money: payments stay held, and wait in the file
 * until it is marked as sent. Two files are made one after the other, and the second one is refused what the first one has.
 *
 * @throws {AppError} `payouts_by_hand`, `withdrawal_not_found`, `bill_not_found`, `bank_account_not_found`; `payout_item_not_ready` and
 *   `payout_item_unwritable`, naming the payment; `payouts_changed`, `same_day_passed`, `payout_files_full`, `data_destroyed`
 */
export async function makePayoutFile(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { isSameDay = false, ...asked }: Chosen,
): Promise<PayoutFile> {
  await allowStatements(tx, STATEMENT_TIMEOUT_MS);
  const settings = await readSettings(tx);
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
  const chosen = await lockPayables(tx, services, by, asked);
  const payables = chosen.map((payable) => onSameDay(payable, sameDay));
  const sameDayUntil = sameDay?.until ?? null;
  const first = counter.trace + 1;
  const batches = inLots(payables);
  const plan = withTraces(batches, first, bank);
  const { items, last } = plan.last > MAX_TRACE ? withTraces(batches, 1, bank) : plan;
  const madeOn = dayIn(settings.timeZone, at);
  const order: Order = {
    ...bank,
    number: counter.fileNumber + 1,
    currency: settings.currency,
    madeOn,
    madeTime: timeIn(settings.timeZone, at),
    idModifier: await nextModifier(tx, madeOn),
    batches: readBatches(tx, services, items, { ...bank, sameDayUntil }),
  };
  const { contentHash, byteCount, totals } = await writeContent(order);
  const id = newId();
  const totalMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  await tx.updateTable('payoutCounter').set({ fileNumber: order.number, trace: last }).execute();
  await tx
    .insertInto('payoutFile')
    .values({
      ...{ id, number: order.number, status: 'prepared', format: bank.format },
      profile: JSON.stringify(bank.profile),
      ...{ madeOn, madeTime: order.madeTime, idModifier: order.idModifier },
      ...{ currency: settings.currency, itemCount: items.length, totalMinor, sameDayUntil },
      blockCount: totals?.blockCount ?? null,
      entryHash: totals?.entryHash ?? null,
      debitMinor: totals?.debitMinor ?? null,
      ...{ byteCount, contentHash, createdBy: by.actor.id, createdAt: at, updatedAt: at },
    })
    .execute();
  for (let from = 0; from < items.length; from += ITEMS_EACH) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await insertItems(tx, id, items.slice(from, from + ITEMS_EACH));
  }
  journal(tx, by, payoutFile, 'make', {
    ...{ id, userId: by.actor.id, at },
    details: {
      ...{ number: fileNumber(order.number), contentHash, items: items.length },
      amountMinor: String(totalMinor),
    },
  });
  return loadPayoutFile(tx, services, by, id);
}

/** Items of one statement of SQL: some megabytes of JSON. */
const ITEMS_EACH = 10_000;

async function insertItems(tx: Tx, fileId: string, items: readonly Item[]): Promise<void> {
  await sql`
    INSERT INTO payout_file_item (id, file_id, batch_number, trace_number, payees, effective_on, withdrawal_id, bill_id,
                                  bank_account_id, account_as_of, deposit_number, amount_minor)
    SELECT gen_random_uuid(), ${fileId}, batch_number, trace_number, payees, effective_on, withdrawal_id, bill_id,
           bank_account_id, (SELECT submitted_at FROM bank_account AS bank WHERE bank.id = one.bank_account_id),
           deposit_number, amount_minor
      FROM json_to_recordset(${JSON.stringify(items.map(asRecord))}::json)
        AS one (batch_number int, trace_number text, payees text, effective_on date, withdrawal_id uuid, bill_id uuid,
                bank_account_id uuid, deposit_number smallint, amount_minor bigint)`.execute(tx);
}

/**
 * Locks the chosen requests in the order of their ids, or all that could be ready, and refuses the file if one of them
 * cannot be paid now.
 */
async function lockPayables(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { withdrawalIds, billIds, bankAccountIds = [], all = null }: Chosen,
): Promise<Payable[]> {
  await lockRequests(tx, {
    withdrawal: all === null ? sql`id = ANY (${withdrawalIds}::uuid[])` : sql`status = 'approved'`,
    bill: all === null ? sql`id = ANY (${billIds}::uuid[])` : sql`status = 'due'`,
    bank_account:
      all === null ? sql`id = ANY (${bankAccountIds}::uuid[])` : sql`status = 'pending'`,
  });
  const settings = await readSettings(tx);
  if (all !== null) {
    const payables = await readPayables(tx, services, { by, settings });
    const ready = readyFor(payables, all);
    const totalMinor = ready.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    if (
      ready.length === 0 ||
      ready.length !== all.count ||
      String(totalMinor) !== all.total.minor
    ) {
      throw new AppError('payouts_changed');
    }
    return ready;
  }
  const ids = [...new Set([...withdrawalIds, ...billIds, ...bankAccountIds])];
  const payables = await readPayables(tx, services, { by, settings, ids });
  const idsOf = (...kinds: PayoutKind[]) =>
    new Set(payables.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id));
  const requireAll = (found: Set<string>, chosen: readonly string[], missing: ErrorCode) => {
    if (chosen.some((id) => !found.has(id))) throw new AppError(missing);
  };
  requireAll(idsOf('withdrawal'), withdrawalIds, 'withdrawal_not_found');
  requireAll(idsOf('bill'), billIds, 'bill_not_found');
  requireAll(idsOf('prenote', 'micro_deposit'), bankAccountIds, 'bank_account_not_found');
  for (const { refusal, reference } of payables) {
    if (refusal === null) continue;
    throw new AppError('payout_item_not_ready', { reference, why: refusal });
  }
  return payables;
}

/** Payments to people arrive on the same day, except for those of more than the bank takes. */
function onSameDay(payable: Payable, sameDay: SameDay | null): Payable {
  const isToday =
    sameDay !== null && payable.payees === 'people' && payable.amountMinor <= sameDay.mostMinor;
  return isToday ? { ...payable, effectiveOn: sameDay.day } : payable;
}

function withTraces(
  batches: readonly Payable[][],
  first: number,
  { profile, format }: NonNullable<ReturnType<typeof readProfile>>,
): { items: Item[]; last: number } {
  let next = first;
  const items: Item[] = [];
  for (const [at, batch] of batches.entries()) {
    let totalMinor = 0n;
    for (const { id, kind, payees, amountMinor, effectiveOn } of batch) {
      const isDeposited = kind === 'micro_deposit';
      const amounts = isDeposited ? drawAmounts() : [amountMinor];
      for (const [place, minor] of amounts.entries()) {
        items.push({
          withdrawalId: kind === 'withdrawal' ? id : null,
          billId: kind === 'bill' ? id : null,
          bankAccountId: kind === 'prenote' || isDeposited ? id : null,
          depositNumber: isDeposited ? place + 1 : null,
          batchNumber: at + 1,
          traceNumber: traceNumber(profile, next),
          ...{ payees, effectiveOn, amountMinor: minor },
        });
        next += 1;
        totalMinor += minor;
      }
    }
    next += offsetCount(profile, format, totalMinor);
  }
  return { items, last: next - 1 };
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

/** An item as JSON under the names of its columns. */
function asRecord({ batchNumber, traceNumber: trace, effectiveOn, ...item }: Item): object {
  return {
    ...{ batch_number: batchNumber, trace_number: trace, effective_on: effectiveOn },
    ...{ withdrawal_id: item.withdrawalId, bill_id: item.billId, payees: item.payees },
    ...{ bank_account_id: item.bankAccountId, deposit_number: item.depositNumber },
    amount_minor: String(item.amountMinor),
  };
}
