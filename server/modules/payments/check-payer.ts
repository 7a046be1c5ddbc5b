import type { RouteReply } from '#contract/api.ts';
import type { ErrorCode, ErrorDetails } from '#contract/errors.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { whyMayNotLeave } from '#server/modules/acts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
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

/** As `checkPayer`, as an answer: null where the person's money may leave. */
export async function whyCannotPay(
  reader: Reader,
  settings: MoneyRules,
  { userId, now }: { userId: string; now: Date },
): Promise<Refusal | null> {
  const payer = await reader
    .selectFrom('appUser')
    .select(['acceptedAt', 'payoutsFrozenAt as frozenAt'])
    .select(payableFrom('app_user.password_reset_at').as('payableFrom'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const isApproved =
    !settings.requireApprovedIdentity || (await isIdentityApproved(reader, userId));
  return refusalToPay(settings, { ...payer, isIdentityApproved: isApproved }, now);
}

/** Facts by which money of a person may leave their wallets. */
export interface Payer {
  acceptedAt: Date | null;
  isIdentityApproved: boolean;
  /** Time at which their payouts were frozen. */
  frozenAt: Date | null;
  /** Time from which money can leave after a reset of their password. */
  payableFrom: Date | null;
}

/**
 * The one rule of `checkPayer`. Applicants may not look for people either, or anybody who signs up could. There is a
 * cooling-off while whoever chose the password last may not be its owner.
 */
export function refusalToPay(settings: MoneyRules, payer: Payer, now: Date): Refusal | null {
  if (payer.acceptedAt === null) return { code: 'payer_not_accepted' };
  if (settings.requireApprovedIdentity && !payer.isIdentityApproved) {
    return { code: 'identity_not_approved' };
  }
  const { frozenAt, payableFrom: from } = payer;
  const refusal = whyMayNotLeave(settings, { frozenAt, payableFrom: from, now });
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
