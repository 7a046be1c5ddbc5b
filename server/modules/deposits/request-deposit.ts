import type { Deposit } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPOSIT_METHODS, depositFeeMinor } from '#contract/deposits.ts';
import type { DepositMethodId } from '#contract/deposits.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { nextReference } from '#server/db/references.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { phoneNumberOf } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { requestedOn } from './daily-limit.ts';
import { deposits } from './deposit.ts';
import { instructionsFor, instructionsHash, sealInstructions } from './instructions.ts';
import { describeDeposit } from './present.ts';
import { getOwnDeposit } from './queries.ts';

export interface NewDeposit {
  walletId: string;
  method: DepositMethodId;
  amount: Money;
  /** Optional words of the person's own. */
  description?: string;
}

/**
 * Requests a deposit into the caller's wallet; an admin approves it. The method's limits hold for the
 * request, its daily limit for all of the person's requests of that method and day that were not
 * rejected or cancelled; the day is the company's. What the person has to do is kept with the request.
 *
 * @throws {AppError} `amount_invalid`, `wallet_not_found`, `deposit_method_unavailable`,
 *   `deposit_out_of_range`, `deposit_daily_limit`
 */
export async function requestDeposit(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: NewDeposit,
): Promise<Deposit> {
  const now = services.clock.now();
  const userId = by.actor.id;
  const settings = await readSettings(tx);
  const { currency, timeZone } = settings;
  const amountMinor = BigInt(input.amount.minor);
  if (amountMinor <= 0n || input.amount.currency !== currency) throw new AppError('amount_invalid');

  // Concurrent requests take turns here, or each would find the daily limit unspent.
  await lockUser(tx, userId);
  const wallet = await lockWallet(tx, { walletId: input.walletId, userId });
  const instructions = instructionsFor(input.method, {
    settings,
    personName: by.actor.name,
    phone: input.method === 'secure_transfer' ? await phoneNumberOf(tx, services, userId) : null,
  });
  if (instructions === null) throw new AppError('deposit_method_unavailable');
  const { minMinor, maxMinor, dailyMinor } = DEPOSIT_METHODS[input.method];
  if (amountMinor < minMinor || amountMinor > maxMinor) {
    throw new AppError('deposit_out_of_range', {
      min: formatMoney(money(minMinor, currency)),
      max: formatMoney(money(maxMinor, currency)),
    });
  }
  const limitDay = dayIn(timeZone, now);
  const spentMinor = (await requestedOn(tx, { userId, limitDay })).get(input.method) ?? 0n;
  if (spentMinor + amountMinor > dailyMinor) {
    throw new AppError('deposit_daily_limit', { limit: formatMoney(money(dailyMinor, currency)) });
  }

  const id = newId(now.getTime());
  const reference = await nextReference(tx, 'DEP');
  const feeMinor = depositFeeMinor(input.method, amountMinor);
  const written = await tx
    .insertInto('deposit')
    .values({
      id,
      reference,
      userId,
      walletId: wallet.id,
      method: input.method,
      amountMinor,
      feeMinor,
      currency,
      description: input.description?.trim() ?? '',
      instructionsEncrypted: await sealInstructions(
        tx,
        services.vault,
        { id, userId },
        instructions,
      ),
      limitDay,
      requestedAt: now,
      updatedAt: now,
    })
    .returning(instructionsHash('deposit').as('instructionsHash'))
    .executeTakeFirstOrThrow();
  journal(tx, by, deposits.thing, 'request', {
    id,
    userId,
    at: now,
    details: {
      reference,
      method: input.method,
      amountMinor: String(amountMinor),
      feeMinor: String(feeMinor),
      currency,
      walletId: wallet.id,
      limitDay,
      instructionsHash: written.instructionsHash,
    },
    words: {
      amount: formatMoney(money(amountMinor, currency)),
      method: describeDeposit(input.method, wallet.type, currency),
    },
  });
  return getOwnDeposit(tx, services, by, id);
}
