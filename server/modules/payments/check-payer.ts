import type { RouteReply } from '#contract/api.ts';
import type { ErrorDetails } from '#contract/errors.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { coolingOff } from '#server/modules/settings/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';

interface Refusal {
  code: NonNullable<RouteReply<'listPayees'>['cannotPay']>['code'];
  details?: ErrorDetails;
}

/**
 * Refuses a person whose money may not leave their wallets now. In a transaction the person's row has
 * been locked before, so that what is found holds until the money has moved.
 *
 * @throws {AppError} `payer_not_accepted`, `identity_not_approved`, `own_payouts_frozen`,
 *   `payments_stopped`, `payment_cooling_off`
 */
export async function checkPayer(
  reader: Reader,
  settings: MoneyRules,
  who: { userId: string; now: Date },
): Promise<void> {
  const refusal = await whyCannotPay(reader, settings, who);
  if (refusal !== null) throw new AppError(refusal.code, refusal.details);
}

/**
 * Why a person's money may not leave their wallets now; null where it may. Applicants may not look for
 * people either, or anybody who signs up could. There is a cooling-off while whoever chose the password
 * last may not be its owner.
 */
export async function whyCannotPay(
  reader: Reader,
  settings: MoneyRules,
  { userId, now }: { userId: string; now: Date },
): Promise<Refusal | null> {
  const payer = await reader
    .selectFrom('appUser')
    .select(['acceptedAt', 'payoutsFrozenAt', 'passwordResetAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (payer.acceptedAt === null) return { code: 'payer_not_accepted' };
  if (settings.requireApprovedIdentity && !(await isIdentityApproved(reader, userId))) {
    return { code: 'identity_not_approved' };
  }
  if (payer.payoutsFrozenAt !== null) return { code: 'own_payouts_frozen' };
  if (settings.payoutsStoppedAt !== null) return { code: 'payments_stopped' };
  const cooling = coolingOff(settings, { changedAt: payer.passwordResetAt, now });
  return cooling === null ? null : { code: 'payment_cooling_off', details: cooling };
}
