import { sql } from 'kysely';
import type { Bill, RouteArguments } from '#contract/api.ts';
import { BILL_DAYS_AHEAD, BILL_LIMITS, billPayDay } from '#contract/bills.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import { nextReference } from '#server/db/references.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { Attempt } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import type { CompanySettings, MoneyRules } from '#server/modules/settings/index.ts';
import { holdFunds, lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { getOwnBill } from './bill-queries.ts';
import { checkPayer } from './check-payer.ts';
import { loadOutsidePayee } from './outside-payees.ts';
import { amountAndPayee, bills } from './bill.ts';

export type NewBill = RouteArguments<'scheduleBill'>['body'];

/**
 * Schedules a bill: its amount is held immediately, until it is paid on its day or cancelled. A day that
 * is no banking day is moved (`billPayDay`).
 *
 * @throws {AppError} `amount_invalid`, `bill_limit`, `bill_day_invalid`, `wallet_not_found`,
 *   `payee_not_found`, `payee_returned`, `bill_daily_limit`, `insufficient_funds`, `new_browser_limit`, and as
 *   `checkPayer`
 */
export async function scheduleBill(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  input: NewBill,
): Promise<Bill> {
  await lockUser(tx, by.actor.id);
  const id = newId(services.clock.now().getTime());
  await sendBill(tx, services, by, { ...input, id }, { act: 'schedule' });
  return getOwnBill(tx, services, by, id);
}

/**
 * A bill of the acting person, whose row was locked, which counts as sent from their browser.
 *
 * @throws {AppError} as `scheduleBill`
 */
export async function sendBill(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  input: NewBill & { id: string },
  scheduling: Omit<Scheduling, 'settings'>,
): Promise<void> {
  const settings = await readMoneyRules(tx);
  const order = { ...input, userId: by.actor.id };
  await holdBill(tx, services, by, order, { ...scheduling, settings });
  const sent = { settings, amountMinor: BigInt(input.amount.minor), at: services.clock.now() };
  await countInNewBrowser(tx, by, sent);
}

interface Scheduling {
  settings: MoneyRules;
  act: 'schedule' | 'replace' | 'scheduleFirst' | 'scheduleAgain';
  /** Its reference, and the bill that the bank sent back, of one that is scheduled again. */
  again?: { reference: string; resends: Attempt };
  /** The bill that this one takes the place of. */
  replaces?: string;
  /** The standing bill that it is one of. */
  standingBillId?: string;
}

/** The scheduling itself, after the person's row was locked. */
export async function holdBill(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: AuditContext,
  input: NewBill & { id: string; userId: string },
  { settings, act, replaces, standingBillId, again }: Scheduling,
): Promise<void> {
  const now = clock.now();
  const { id, userId } = input;
  const { currency } = settings;
  const amountMinor = checkAmount(input.amount, currency);
  const today = dayIn(settings.timeZone, now);
  checkDays(input, today);
  const payOn = billPayDay(input.payOn, today, currency);
  await checkPayer(tx, settings, { userId, now });
  const wallet = await lockWallet(tx, { walletId: input.walletId, userId });
  const payee = await loadOutsidePayee(tx, { id: input.payeeId, userId });
  await checkDailyLimit(tx, { userId, payOn, amountMinor, currency });

  const holdId = newId();
  const reference = again?.reference ?? (await nextReference(tx, 'BP'));
  await holdFunds(tx, wallet, { id: holdId, amountMinor, currency, reference });
  const bill = {
    id,
    reference,
    userId,
    holdId,
    amountMinor,
    currency,
    walletId: wallet.id,
    payeeId: payee.id,
    payeeName: payee.name,
    payeeLast4: payee.last4,
    memo: input.memo,
    payOn,
    dueOn: input.dueOn,
    standingBillId: standingBillId ?? null,
    resendsId: again?.resends.id ?? null,
  };
  await tx
    .insertInto('bill')
    .values({ ...bill, requestedAt: now, updatedAt: now })
    .execute();
  journal(tx, by, bills.thing, act, {
    id,
    userId,
    at: now,
    details: {
      reference,
      holdId,
      currency,
      walletId: wallet.id,
      payeeId: payee.id,
      amountMinor: String(amountMinor),
      payOn,
      ...(input.dueOn !== null && { dueOn: input.dueOn }),
      ...(replaces !== undefined && { replaces }),
      ...(standingBillId !== undefined && { standingBillId }),
      ...(again !== undefined && { resendsId: again.resends.id }),
    },
    words: {
      billed: amountAndPayee(bill),
      payDay: writeDay(payOn),
      reference,
      resends: again?.resends.reference ?? null,
    },
  });
}

/** @throws {AppError} `amount_invalid`, also in another currency than the company's; `bill_limit` */
export function checkAmount(
  amount: NewBill['amount'],
  currency: CompanySettings['currency'],
): bigint {
  const amountMinor = BigInt(amount.minor);
  if (amountMinor <= 0n || amount.currency !== currency) throw new AppError('amount_invalid');
  const { mostMinor } = BILL_LIMITS;
  if (amountMinor > mostMinor) {
    throw new AppError('bill_limit', { limit: formatMoney(money(mostMinor, currency)) });
  }
  return amountMinor;
}

/** @throws {AppError} `bill_day_invalid` for a day that is past or too far ahead */
export function checkDays({ payOn }: Pick<NewBill, 'payOn'>, today: string): void {
  const last = addDays(today, BILL_DAYS_AHEAD);
  if (payOn < today || payOn > last) {
    throw new AppError('bill_day_invalid', { from: writeDay(today), to: writeDay(last) });
  }
}

/** @throws {AppError} `bill_daily_limit` over the person's bills of that day that bring money out */
async function checkDailyLimit(
  tx: Tx,
  bill: {
    userId: string;
    payOn: string;
    amountMinor: bigint;
    currency: CompanySettings['currency'];
  },
): Promise<void> {
  const { rows } = await sql<{ minor: bigint }>`
    SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM bill
     WHERE user_id = ${bill.userId} AND pay_on = ${bill.payOn}
       AND status NOT IN ('rejected', 'cancelled', 'returned')`.execute(tx);
  const { dailyMinor } = BILL_LIMITS;
  if ((rows[0]?.minor ?? 0n) + bill.amountMinor > dailyMinor) {
    const limit = formatMoney(money(dailyMinor, bill.currency));
    throw new AppError('bill_daily_limit', { limit });
  }
}
