import type { RouteArguments } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { browserKeyOf } from '../sessions/known-places.ts';
import {
  countWrongPassword,
  forgiveSignIns,
  spendPasswordAttempt,
} from '../passwords/password-attempts.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { sessionHashOf } from '../sessions/cookies.ts';

/**
 * Confirms that the user of this session is its owner, by the password or, where two-factor is on, by a
 * code: what a stolen session must not do can then be done for CONFIRMATION_MINUTES. Wrong passwords
 * and codes count as those of sign-in.
 *
 * @throws {AppError} `invalid_password`, `code_invalid`, `too_many_requests`
 */
export async function confirmIdentity(
  identity: Identity,
  context: Call & CommandContext,
  { answer }: RouteArguments<'confirmIdentity'>['body'],
): Promise<void> {
  const { twoFactorEnabled } = await identity.db
    .selectFrom('appUser')
    .select('twoFactorEnabled')
    .where('id', '=', context.actor.id)
    .executeTakeFirstOrThrow();
  try {
    await (twoFactorEnabled ? checkCode : checkPassword)(identity, context, answer);
  } catch (error) {
    if (error instanceof AppError) {
      await recordConfirmation(identity, context, 'confirmation.refused');
    }
    throw error;
  }
  await recordConfirmation(identity, context, 'confirmation.given');
}

/**
 * Checks the password of the acting person, which counts as an attempt to sign in.
 *
 * @throws {AppError} `invalid_password`, `too_many_requests`
 */
async function checkPassword(
  identity: Identity,
  { actor, origin, headers }: Call & CommandContext,
  typed: string,
): Promise<void> {
  const { email, password } = await identity.db
    .selectFrom('appUser')
    .leftJoin('authAccount', 'authAccount.userId', 'appUser.id')
    .select(['appUser.email', 'authAccount.password'])
    .where('appUser.id', '=', actor.id)
    .executeTakeFirstOrThrow();
  const account = {
    email,
    network: addressKey(origin.ipAddress),
    browser: browserKeyOf(identity, headers),
  };
  await spendPasswordAttempt(identity, account);
  if (!(await verifyPassword(password, typed))) {
    await countWrongPassword(identity, origin);
    throw new AppError('invalid_password');
  }
  await forgiveSignIns(identity, account);
}

async function checkCode(
  identity: Identity,
  { actor }: Call & CommandContext,
  code: string,
): Promise<void> {
  await checkSecondFactor(identity, { userId: actor.id, code });
}

/** Records the outcome; what was given holds for this session from now on. */
async function recordConfirmation(
  identity: Identity,
  { actor, origin, headers }: Call & CommandContext,
  action: 'confirmation.given' | 'confirmation.refused',
): Promise<void> {
  const { db, services } = identity;
  await withTx(db, async (tx) => {
    if (action === 'confirmation.given') {
      await tx
        .updateTable('authSession')
        .set({ confirmedAt: services.clock.now() })
        .where('tokenHash', '=', sessionHashOf(identity, headers))
        .where('userId', '=', actor.id)
        .execute();
    }
    record(tx, { actor, origin }, action, { id: actor.id });
  });
}
