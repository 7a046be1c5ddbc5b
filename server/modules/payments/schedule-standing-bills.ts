import { sql } from 'kysely';
import type { BillFrequency } from '#contract/bills.ts';
import { LONGEST_CLOSED_DAYS } from '#contract/bank-holidays.ts';
import { billPayDay, nextBillDay, STANDING_HOLD_DAYS } from '#contract/bills.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { errorSentence } from '#contract/errors.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { countEach } from '#server/lib/each-alone.ts';
import { AppError } from '#server/lib/errors.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { newId } from '#server/lib/ids.ts';
import { publish } from '#server/events/outbox.ts';
import { record } from '#server/modules/journal/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { readMoneyRules, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { amountAndPayee } from './bill.ts';
import { holdBill } from './schedule-bill.ts';

/** Standing bills that are read at a time. */
const PAGE_SIZE = 500;

/** Why a bill is not scheduled although nothing is broken: its owner can put most of them right. */
const REFUSALS: readonly ErrorCode[] = [
  ...(['insufficient_funds', 'bill_daily_limit', 'bill_limit', 'amount_invalid'] as const),
  ...(['wallet_not_found', 'payee_not_found', 'payer_not_accepted'] as const),
  'payee_returned',
  ...(['identity_not_approved', 'own_payouts_frozen', 'payments_stopped'] as const),
  'payment_cooling_off',
];

interface Due {
  id: string;
  userId: string;
}

/**
 * Schedules the next bills of standing bills whose day is near, which holds their amounts. Each is a
 * transaction of its own, and there is one bill for each of its days, so that a killed process leaves the
 * rest to the next run and two concurrent runs schedule none twice. Where the money cannot be held, its
 * owner is notified once and it is tried again until the day is over; then that one is left out. People
 * whose account is deactivated are left alone.
 *
 * @returns how many bills were scheduled
 * @throws AggregateError once all that could be scheduled are
 */
export async function scheduleStandingBills(
  db: Db,
  services: Pick<Services, 'clock'>,
  { pageSize = PAGE_SIZE }: { pageSize?: number } = {},
): Promise<number> {
  const { timeZone, currency } = await readSettings(db);
  const today = dayIn(timeZone, services.clock.now());
  const due = dueStandingBills(db, { today, currency, pageSize });
  return countEach(due, 'could not be scheduled', (one) => scheduleOrWait(db, services, one));
}

/** The company's day, and the currency whose banks decide on which days bills are paid. */
interface Today {
  today: string;
  currency: Currency;
}

/** True if the banking day of the next bill is near enough to hold its amount. */
function isNear(nextDay: string, { today, currency }: Today): boolean {
  return billPayDay(nextDay, today, currency) <= addDays(today, STANDING_HOLD_DAYS);
}

async function* dueStandingBills(
  db: Db,
  { today, currency, pageSize }: Today & { pageSize: number },
): AsyncGenerator<Due> {
  const horizon = addDays(today, STANDING_HOLD_DAYS + LONGEST_CLOSED_DAYS);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db
      .selectFrom('standingBill')
      .innerJoin('appUser as owner', 'owner.id', 'standingBill.userId')
      .select(['standingBill.id', 'standingBill.userId', 'standingBill.nextOn'])
      .where('standingBill.nextOn', '<=', horizon)
      .where('standingBill.endedAt', 'is', null)
      .where('owner.deactivatedAt', 'is', null)
      .where('standingBill.id', '>', after)
      .orderBy('standingBill.id')
      .limit(pageSize)
      .execute();
    yield* rows.filter(({ nextOn }) => nextOn !== null && isNear(nextOn, { today, currency }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

async function scheduleOrWait(
  db: Db,
  services: Pick<Services, 'clock'>,
  due: Due,
): Promise<boolean> {
  try {
    return await withTx(db, async (tx) => {
      await lockUser(tx, due.userId);
      return scheduleNextBill(tx, services, due);
    });
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
    const refusal = errorSentence(error.code, error.details);
    await withTx(db, (tx) => recordRefusal(tx, services, due, refusal));
    return false;
  }
}

/**
 * Schedules the next bill of a standing bill if its day is near; days that have passed are left out, of
 * which its owner is notified. The person's row has been locked.
 *
 * @param options.act `scheduleFirst` notifies nobody of the bill
 * @returns whether a bill was scheduled
 * @throws {AppError} as `scheduleBill`
 */
export async function scheduleNextBill(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  due: Due,
  { act = 'schedule' }: { act?: 'schedule' | 'scheduleFirst' } = {},
): Promise<boolean> {
  const at = services.clock.now();
  const settings = await readMoneyRules(tx);
  const today = dayIn(settings.timeZone, at);
  const standing = await lockStanding(tx, due.id);
  const nextDay = standing?.nextDay ?? null;
  if (standing === undefined || nextDay === null) return false;
  if (nextDay < today) {
    await leaveOut(tx, standing, { nextDay, today, at });
    return false;
  }
  if (!isNear(nextDay, { today, currency: settings.currency })) return false;
  const order = {
    id: newId(at.getTime()),
    userId: due.userId,
    walletId: standing.walletId,
    payeeId: standing.payeeId,
    amount: money(standing.amountMinor, standing.currency),
    payOn: nextDay,
    dueOn: null,
    memo: standing.memo,
  };
  await holdBill(tx, services, { actor: 'system' }, order, {
    settings,
    act,
    standingBillId: due.id,
  });
  const nextOn = await advance(tx, standing, { after: nextDay, at });
  record(tx, { actor: 'system' }, 'standing_bill.scheduled', {
    id: due.id,
    personId: due.userId,
    at,
    details: { day: nextDay, nextOn: nextOn ?? '' },
  });
  return true;
}

interface LockedStandingBill {
  id: string;
  userId: string;
  walletId: string;
  payeeId: string;
  payeeName: string;
  payeeLast4: string;
  amountMinor: bigint;
  currency: Currency;
  memo: string;
  frequency: BillFrequency;
  refusal: string | null;
  startDay: string;
  endDay: string | null;
  nextDay: string | null;
}

function lockStanding(tx: Tx, id: string): Promise<LockedStandingBill | undefined> {
  return tx
    .selectFrom('standingBill')
    .innerJoin('payee', 'payee.id', 'standingBill.payeeId')
    .select([
      'standingBill.id',
      'standingBill.userId',
      'standingBill.walletId',
      'standingBill.payeeId',
      'standingBill.amountMinor',
      'standingBill.currency',
      'standingBill.memo',
      'standingBill.frequency',
      'standingBill.refusal',
      sql<string>`coalesce(payee.name, '')`.as('payeeName'),
      sql<string>`coalesce(payee.last4, '')`.as('payeeLast4'),
      sql<string>`to_char(starts_on, 'YYYY-MM-DD')`.as('startDay'),
      sql<string | null>`to_char(ends_on, 'YYYY-MM-DD')`.as('endDay'),
      sql<string | null>`to_char(next_on, 'YYYY-MM-DD')`.as('nextDay'),
    ])
    .where('standingBill.id', '=', id)
    .where('standingBill.endedAt', 'is', null)
    .forNoKeyUpdate('standingBill')
    .executeTakeFirst();
}

/** Its next day after `after`, or its end where that would be past the last. Answers that day. */
async function advance(
  tx: Tx,
  { id, startDay: startsOn, endDay, frequency }: LockedStandingBill,
  { after, at }: { after: string; at: Date },
): Promise<string | null> {
  const day = nextBillDay({ startsOn, frequency }, after);
  const nextOn = endDay !== null && day > endDay ? null : day;
  await tx
    .updateTable('standingBill')
    .set({ nextOn, refusal: null, endedAt: nextOn === null ? at : null, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return nextOn;
}

/** Goes on to the first day that has not passed. */
async function leaveOut(
  tx: Tx,
  standing: LockedStandingBill,
  { nextDay, today, at }: { nextDay: string; today: string; at: Date },
): Promise<void> {
  const { id, userId, refusal } = standing;
  const nextOn = await advance(tx, standing, { after: addDays(today, -1), at });
  const next =
    nextOn === null ? 'That was the last one.' : `The next one is on ${writeDay(nextOn)}.`;
  record(tx, { actor: 'system' }, 'standing_bill.left_out', {
    id,
    personId: userId,
    at,
    details: { day: nextDay, nextOn: nextOn ?? '' },
    words: {
      billed: amountAndPayee(standing),
      day: writeDay(nextDay),
      next,
      refusal: refusal === null ? '' : ` ${ended(refusal)}`,
    },
  });
}

/** Notifies the owner once that the money of the next bill could not be held. */
async function recordRefusal(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  { id, userId }: Due,
  refusal: string,
): Promise<void> {
  await lockUser(tx, userId);
  const standing = await lockStanding(tx, id);
  // Stopped in between, or known.
  if (standing === undefined || standing.nextDay === null || standing.refusal === refusal) return;
  const at = clock.now();
  await tx
    .updateTable('standingBill')
    .set({ refusal, updatedAt: at })
    .where('id', '=', id)
    .execute();
  publish(tx, { topic: 'payments', userId });
  // Another reason is shown; the first was enough to look.
  if (standing.refusal !== null) return;
  notify(tx, userId, {
    kind: 'standing-bill-waiting',
    message: `${amountAndPayee(standing)} could not be held for ${writeDay(standing.nextDay)}. ${ended(refusal)} We retry until the end of that day.`,
    relatedId: id,
    at,
  });
}

/** Sentences of refusals that fields show as well have no full stop. */
function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
