import type { RouteReply } from '#contract/api.ts';
import { appCodeOf } from '#contract/identity.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { encryptText } from '../secrets.ts';
import { renewSession } from '../sessions/start-session.ts';
import { appKey, appUri, newAppSecret } from './app-code.ts';
import { keepRecoveryCodes, newRecoveryCodes } from './recovery-codes.ts';
import { checkSecondFactor } from './second-factor.ts';
import { browserKeyOf } from '../sessions/cookies.ts';

type Context = Call & CommandContext;

interface Answer<Reply> {
  reply: Reply;
  cookies: readonly string[];
}

const REFUSED_AS = 'two_factor.password_refused' as const;

/**
 * Makes a new secret and recovery codes. Nothing is asked for at sign-in before `turnOnTwoFactor`.
 *
 * @throws {AppError} `invalid_password`, `two_factor_is_on`, `too_many_requests`
 */
export async function setUpTwoFactor(
  identity: Identity,
  context: Context,
  password: string,
): Promise<Answer<RouteReply<'setUpTwoFactor'>>> {
  const { actor } = context;
  const { db, secrets } = identity;
  await checkOwnPassword(identity, context, { password, refusedAs: REFUSED_AS });
  const secret = newAppSecret();
  const recoveryCodes = newRecoveryCodes();
  const uri = await withTx(db, async (tx) => {
    await lockUser(tx, actor.id);
    const { email, twoFactorEnabled } = await readOwn(tx, actor.id);
    if (twoFactorEnabled) throw new AppError('two_factor_is_on');
    const made = {
      secret: encryptText(secrets, secret),
      backupCodes: keepRecoveryCodes(secrets, recoveryCodes),
    };
    await tx
      .insertInto('authTwoFactor')
      .values({ userId: actor.id, ...made })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(made))
      .execute();
    record(tx, context, 'two_factor.set_up', { id: actor.id });
    return appUri(secret, email);
  });
  return { reply: { uri, key: appKey(secret), recoveryCodes }, cookies: [] };
}

/**
 * Turns two-factor on by the first code from the app. All other sessions of the person end: they began
 * without it.
 *
 * @throws {AppError} `code_invalid`, `two_factor_is_on`, `two_factor_is_off`, `too_many_requests`
 */
export async function turnOnTwoFactor(
  identity: Identity,
  context: Context,
  code: string,
): Promise<Answer<{ ok: true }>> {
  const { actor } = context;
  const { db, services } = identity;
  if ((await readOwn(db, actor.id)).twoFactorEnabled) throw new AppError('two_factor_is_on');
  // A recovery code would be used up before its owner has seen it work.
  if (appCodeOf(code) === undefined) throw new AppError('code_invalid');
  const browser = browserKeyOf(identity, context.headers);
  await checkSecondFactor(identity, { userId: actor.id, code, browser, by: context }).catch(
    async (error: unknown) => {
      await withTx(db, (tx) => record(tx, context, 'two_factor.code_refused', { id: actor.id }));
      throw error;
    },
  );
  return withTx(db, async (tx) => {
    const at = services.clock.now();
    await setOn(tx, actor.id, { isOn: true, at });
    await tx
      .updateTable('authTwoFactor')
      .set({ verifiedAt: at })
      .where('userId', '=', actor.id)
      .execute();
    const cookie = await renewSession(tx, identity, context, { endsOthers: true });
    record(tx, context, 'two_factor.turned_on', { id: actor.id, at });
    return { reply: { ok: true }, cookies: [cookie] };
  });
}

/** @throws {AppError} `invalid_password`, `two_factor_is_off`, `too_many_requests` */
export async function turnOffTwoFactor(
  identity: Identity,
  context: Context,
  password: string,
): Promise<Answer<{ ok: true }>> {
  const { actor } = context;
  const { db, services } = identity;
  await requireOn(db, actor.id);
  await checkOwnPassword(identity, context, { password, refusedAs: REFUSED_AS });
  return withTx(db, async (tx) => {
    const at = services.clock.now();
    await setOn(tx, actor.id, { isOn: false, at });
    await tx.deleteFrom('authTwoFactor').where('userId', '=', actor.id).execute();
    const cookie = await renewSession(tx, identity, context);
    record(tx, context, 'two_factor.turned_off', { id: actor.id, at });
    return { reply: { ok: true }, cookies: [cookie] };
  });
}

/**
 * New recovery codes; the old ones no longer work.
 *
 * @throws {AppError} `invalid_password`, `two_factor_is_off`, `too_many_requests`
 */
export async function renewRecoveryCodes(
  identity: Identity,
  context: Context,
  password: string,
): Promise<Answer<RouteReply<'renewRecoveryCodes'>>> {
  const { actor } = context;
  const { db, secrets, services } = identity;
  await requireOn(db, actor.id);
  await checkOwnPassword(identity, context, { password, refusedAs: REFUSED_AS });
  const recoveryCodes = newRecoveryCodes();
  await withTx(db, async (tx) => {
    await lockUser(tx, actor.id);
    await tx
      .updateTable('authTwoFactor')
      .set({ backupCodes: keepRecoveryCodes(secrets, recoveryCodes) })
      .where('userId', '=', actor.id)
      .execute();
    record(tx, context, 'two_factor.codes_renewed', { id: actor.id, at: services.clock.now() });
  });
  return { reply: { recoveryCodes }, cookies: [] };
}

function readOwn(
  reader: Reader,
  id: string,
): Promise<{ email: string; twoFactorEnabled: boolean }> {
  return reader
    .selectFrom('appUser')
    .select(['email', 'twoFactorEnabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** @throws {AppError} `two_factor_is_off` */
async function requireOn(reader: Reader, id: string): Promise<void> {
  if (!(await readOwn(reader, id)).twoFactorEnabled) throw new AppError('two_factor_is_off');
}

/** @throws {AppError} `two_factor_is_on` or `two_factor_is_off` where it is that already */
async function setOn(tx: Tx, id: string, { isOn, at }: { isOn: boolean; at: Date }): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ twoFactorEnabled: isOn, updatedAt: at })
    .where('id', '=', id)
    .where('twoFactorEnabled', '=', !isOn)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError(isOn ? 'two_factor_is_on' : 'two_factor_is_off');
}
