import type { RouteReply } from '#contract/api.ts';
import type { ErrorCode, ErrorDetails } from '#contract/errors.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { whyMayNotLeave } from '#server/modules/acts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
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
  const { payoutsFrozenAt: frozenAt, passwordResetAt: changedAt } = payer;
  const refusal = whyMayNotLeave(settings, { frozenAt, changedAt, now });
  return (
    refusal && { code: REFUSALS[refusal.why], ...(refusal.details && { details: refusal.details }) }
  );
}

/** The refusals as the payer reads them. */
const REFUSALS = {
  stopped: 'payments_stopped',
  frozen: 'own_payouts_frozen',
  cooling: 'payment_cooling_off',
} as const satisfies Record<string, ErrorCode>;
