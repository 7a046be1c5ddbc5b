import type { RouteArguments, UsualPay } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import { usualPayDifference } from '#contract/usual-pay.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { detailsOf } from './change.ts';
import type { ChangedLine } from './change.ts';
import { isPaidSql } from './paid.ts';
import { readUsualPay } from './queries.ts';
import { aloneSince, changedAlone, problemOfDay } from './rules.ts';
import { amountsOn } from './usual-pay.ts';

type Order = RouteArguments<'adminChangeUsualPay'>['body'];

/**
 * Changes what a person is usually paid, from a payday on. Lines that stay as they are add nothing. Where the change,
 * with what one person alone changed for them in the last 30 days, reaches the company's setting, it waits for a second
 * administrator and the former amounts count until then.
 *
 * @throws {AppError} `own_request`, `person_not_found`, `usual_pay_not_paid`, `usual_pay_waiting`, `invalid_request`
 *   for a day that is over or no payday, `amount_invalid`, `payroll_line_limit`, `usual_pay_changed` where an amount is
 *   another than was seen, `usual_pay_same`, `usual_pay_no_wallet`
 */
export async function changeUsualPay(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id: userId, validFrom, reason, lines: ordered }: Order & { id: string },
): Promise<UsualPay> {
  checkNotOwn(by, userId);
  await lockUser(tx, userId);
  const settings = await readSettings(tx);
  const now = services.clock.now();
  const person = await findPaid(tx, userId);
  await checkNoneWaits(tx, userId);
  checkDay(settings, validFrom, now);
  checkAmounts(settings, ordered);
  const lines = await changedLines(tx, userId, { validFrom, lines: ordered });
  await checkWallets(tx, userId, lines);

  const comparedMinor =
    usualPayDifference(lines) + (await changedAlone(tx, userId, { since: aloneSince(now) }));
  const leastMinor = await readThreshold(tx, settings, 'usualPay');
  const needsSecond = leastMinor !== null && comparedMinor >= leastMinor;
  const id = newId(now.getTime());
  await tx
    .insertInto('usualPayChange')
    .values({
      ...{ id, userId, validFrom, reason, comparedMinor, needsSecond },
      status: needsSecond ? 'waiting' : 'confirmed',
      currency: settings.currency,
      ...{ createdBy: by.actor.id, createdAt: now, updatedAt: now },
    })
    .execute();
  await tx
    .insertInto('usualPayLine')
    .values(
      lines.map((line) => ({ changeId: id, userId, validFrom, counts: !needsSecond, ...line })),
    )
    .execute();
  journal(tx, by, usualPayChange, needsSecond ? 'propose' : 'set', {
    ...{ id, userId, at: now, relatedId: userId },
    details: detailsOf({
      ...{ validFrom, reason, currency: settings.currency },
      ...{ needsSecond, comparedMinor, lines },
    }),
    words: { name: person.name, day: writeDay(validFrom) },
  });
  return readUsualPay(tx, services, by.actor, userId);
}

/** @throws {AppError} `person_not_found`, `usual_pay_not_paid` */
async function findPaid(tx: Tx, userId: string): Promise<{ name: string }> {
  const person = await tx
    .selectFrom('appUser')
    .select(['name', isPaidSql('app_user').as('isPaid')])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  if (!person.isPaid) throw new AppError('usual_pay_not_paid');
  return person;
}

/** @throws {AppError} `usual_pay_waiting` */
async function checkNoneWaits(tx: Tx, userId: string): Promise<void> {
  const waiting = await tx
    .selectFrom('usualPayChange')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  if (waiting !== undefined) throw new AppError('usual_pay_waiting');
}

/** @throws {AppError} `invalid_request` */
function checkDay(settings: CompanySettings, validFrom: string, now: Date): void {
  const message = problemOfDay(settings, validFrom, now);
  if (message === undefined) return;
  throw new AppError('invalid_request', {}, [{ path: 'validFrom', message }]);
}

/** @throws {AppError} `amount_invalid`, `payroll_line_limit` */
function checkAmounts(
  { currency, payrollLineLimitMinor }: CompanySettings,
  lines: Order['lines'],
): void {
  for (const { before, amount } of lines) {
    if (before.currency !== currency || amount.currency !== currency) {
      throw new AppError('amount_invalid');
    }
    if (BigInt(amount.minor) > payrollLineLimitMinor) {
      const limit = formatMoney(money(payrollLineLimitMinor, currency));
      throw new AppError('payroll_line_limit', { limit });
    }
  }
}

/**
 * The lines that change an amount of that day.
 *
 * @throws {AppError} `usual_pay_changed`, `usual_pay_same`
 */
async function changedLines(
  tx: Tx,
  userId: string,
  { validFrom, lines }: Pick<Order, 'validFrom' | 'lines'>,
): Promise<ChangedLine[]> {
  const valid = await amountsOn(tx, userId, validFrom);
  const compared = lines.map(({ walletType, before, amount }) => ({
    walletType,
    seenMinor: BigInt(before.minor),
    beforeMinor: valid.get(walletType)?.amountMinor ?? 0n,
    amountMinor: BigInt(amount.minor),
  }));
  if (compared.some(({ seenMinor, beforeMinor }) => seenMinor !== beforeMinor)) {
    throw new AppError('usual_pay_changed');
  }
  const changed = compared
    .filter(({ beforeMinor, amountMinor }) => beforeMinor !== amountMinor)
    .map(({ walletType, beforeMinor, amountMinor }) => ({ walletType, beforeMinor, amountMinor }));
  if (changed.length === 0) throw new AppError('usual_pay_same');
  return changed;
}

/** Amounts are for open accounts. @throws {AppError} `usual_pay_no_wallet` */
async function checkWallets(tx: Tx, userId: string, lines: readonly ChangedLine[]): Promise<void> {
  const open = await tx
    .selectFrom('wallet')
    .select('type')
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .execute();
  const missing = lines.find(
    ({ walletType, amountMinor }) =>
      amountMinor > 0n && !open.some(({ type }) => type === walletType),
  );
  if (missing === undefined) return;
  throw new AppError('usual_pay_no_wallet', { wallet: WALLET_LABELS[missing.walletType] });
}
