import type { RouteArguments, StandingBill } from '#contract/api.ts';
import { MAX_STANDING_BILLS } from '#contract/bills.ts';
import { dayIn } from '#contract/calendar.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { record } from '#server/modules/journal/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayer } from './check-payer.ts';
import { loadOutsidePayee } from './outside-payees.ts';
import { amountAndPayee } from './bill.ts';
import { checkAmount, checkDays } from './schedule-bill.ts';
import { scheduleNextBill } from './schedule-standing-bills.ts';
import { loadStandingBill } from './standing-bill-queries.ts';

export type NewStandingBill = RouteArguments<'createStandingBill'>['body'];

/**
 * Has a bill paid every week or month until a last day or until it is stopped. Each is scheduled, and
 * its amount held, STANDING_HOLD_DAYS before its day; a first one that is nearer is held immediately.
 *
 * @throws {AppError} `standing_bill_limit`, `standing_bill_end_invalid`, and as `scheduleBill`
 */
export async function createStandingBill(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  input: NewStandingBill,
): Promise<StandingBill> {
  const at = services.clock.now();
  const userId = by.actor.id;
  await lockUser(tx, userId);
  const settings = await readMoneyRules(tx);
  const { startsOn, endsOn, frequency, memo } = input;
  const amountMinor = checkAmount(input.amount, settings.currency);
  checkDays({ payOn: startsOn }, dayIn(settings.timeZone, at));
  if (endsOn !== null && endsOn < startsOn) {
    throw new AppError('standing_bill_end_invalid', { from: writeDay(startsOn) });
  }
  await checkPayer(tx, settings, { userId, now: at });
  const wallet = await lockWallet(tx, { walletId: input.walletId, userId });
  const payee = await loadOutsidePayee(tx, { id: input.payeeId, userId });
  await checkCount(tx, userId);

  const id = newId(at.getTime());
  await tx
    .insertInto('standingBill')
    .values({
      id,
      userId,
      amountMinor,
      memo,
      frequency,
      startsOn,
      endsOn,
      currency: settings.currency,
      walletId: wallet.id,
      payeeId: payee.id,
      nextOn: startsOn,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  record(tx, by, 'standing_bill.created', {
    id,
    personId: userId,
    at,
    details: {
      walletId: wallet.id,
      payeeId: payee.id,
      currency: settings.currency,
      amountMinor: String(amountMinor),
      frequency,
      startsOn,
      nextOn: startsOn,
      ...(endsOn !== null && { endsOn }),
    },
  });
  const isHeld = await scheduleNextBill(tx, services, { id, userId }, { act: 'scheduleFirst' });
  await countInNewBrowser(tx, by, { settings, amountMinor, at });
  const bill = { amountMinor, currency: settings.currency, ...payeeNames(payee) };
  const often = frequency === 'weekly' ? 'every week' : 'every month';
  notify(tx, userId, {
    kind: 'standing-bill-set-up',
    message: `${amountAndPayee(bill)} is paid ${often}, first on ${writeDay(startsOn)}.${isHeld ? ' The first amount is held now.' : ''}`,
    relatedId: id,
    at,
  });
  return loadStandingBill(tx, id);
}

const payeeNames = ({ name, last4 }: { name: string; last4: string }) => ({
  payeeName: name,
  payeeLast4: last4,
});

/** @throws {AppError} `standing_bill_limit` */
async function checkCount(tx: Tx, userId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('standingBill')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= BigInt(MAX_STANDING_BILLS)) {
    throw new AppError('standing_bill_limit', { most: MAX_STANDING_BILLS });
  }
}
