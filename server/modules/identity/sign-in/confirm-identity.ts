import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { recognizeBrowser } from '../sessions/known-places.ts';
import { browserKeyOf, sessionHashOf } from '../sessions/cookies.ts';
import {
  countWrongPassword,
  forgiveSignIns,
  spendPasswordAttempt,
} from '../passwords/password-attempts.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import { keepChallenge, relyingParty } from '../second-factor/passkey-challenge.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { checkPasskey, findPasskey } from '../second-factor/use-passkey.ts';

type Context = Call & CommandContext;

/**
 * Confirms that the user of this session is its owner, by the password or, where two-factor is on, by a
 * code: what a stolen session must not do can then be done for CONFIRMATION_MINUTES. Wrong passwords
 * and codes count as those of sign-in.
 *
 * @returns Set-Cookie headers, by which a browser without a cookie is recognized from now on
 * @throws {AppError} `invalid_password`, `code_invalid`, `too_many_requests`
 */
export async function confirmIdentity(
  identity: Identity,
  context: Context,
  { answer }: RouteArguments<'confirmIdentity'>['body'],
): Promise<readonly string[]> {
  const { twoFactorEnabled } = await identity.db
    .selectFrom('appUser')
    .select('twoFactorEnabled')
    .where('id', '=', context.actor.id)
    .executeTakeFirstOrThrow();
  return confirmBy(identity, context, () =>
    (twoFactorEnabled ? checkCode : checkPassword)(identity, context, answer),
  );
}

/** True if a person can confirm with a passkey. */
export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const one = await db
    .selectFrom('authPasskey')
    .select('id')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/**
 * Options with which a browser uses one of the acting person's passkeys to confirm, good for five minutes and by a
 * cookie.
 */
export async function beginPasskeyConfirmation(
  identity: Identity,
  { actor, origin }: Context,
): Promise<{ reply: RouteReply<'beginPasskeyConfirmation'>; cookies: readonly string[] }> {
  await identity.attempts.spend('passkeyFromAddress', addressKey(origin.ipAddress));
  const passkeys = await identity.db
    .selectFrom('authPasskey')
    .select('credentialId')
    .where('userId', '=', actor.id)
    .execute();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(identity).rpID,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
  });
  const cookie = await keepChallenge(identity, 'passkey-confirmation', options.challenge);
  const allowCredentials = options.allowCredentials ?? [];
  return {
    reply: { ...options, userVerification: 'required', allowCredentials },
    cookies: [cookie],
  };
}

/**
 * Confirms as {@link confirmIdentity} does, by one of the acting person's passkeys, which stands for both factors.
 *
 * @throws {AppError} `passkey_refused`, also for another person's; `passkey_expired`
 */
export async function confirmWithPasskey(
  identity: Identity,
  context: Context,
  { response }: RouteArguments<'confirmWithPasskey'>['body'],
): Promise<readonly string[]> {
  return confirmBy(identity, context, async () => {
    const found = await findPasskey(identity.db, response);
    const passkey = found?.userId === context.actor.id ? found : undefined;
    const { headers } = context;
    await checkPasskey(identity, { purpose: 'passkey-confirmation', headers, passkey, response });
  });
}

/** Records that a check refused or passed; what passed holds for this session and browser from now on. */
async function confirmBy(
  identity: Identity,
  context: Context,
  check: () => Promise<void>,
): Promise<readonly string[]> {
  const { db, services } = identity;
  const { actor, headers } = context;
  try {
    await check();
  } catch (error) {
    if (error instanceof AppError) {
      await withTx(db, (tx) => record(tx, context, 'confirmation.refused', { id: actor.id }));
    }
    throw error;
  }
  const { browser, cookies } = recognizeBrowser(identity, headers);
  await withTx(db, async (tx) => {
    await tx
      .updateTable('authSession')
      .set({ confirmedAt: services.clock.now(), confirmedIn: browser })
      .where('tokenHash', '=', sessionHashOf(identity, headers))
      .where('userId', '=', actor.id)
      .execute();
    record(tx, context, 'confirmation.given', { id: actor.id });
  });
  return cookies;
}

/**
 * Checks the password of the acting person, which counts as an attempt to sign in.
 *
 * @throws {AppError} `invalid_password`, `too_many_requests`
 */
async function checkPassword(
  identity: Identity,
  { actor, origin, headers }: Context,
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

async function checkCode(identity: Identity, context: Context, code: string): Promise<void> {
  const browser = browserKeyOf(identity, context.headers);
  await checkSecondFactor(identity, { userId: context.actor.id, code, browser, by: context });
}
