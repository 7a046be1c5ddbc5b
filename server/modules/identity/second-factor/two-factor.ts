import type { RouteReply } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { Actor, CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { appCodeOf } from '#contract/identity.ts';
import { refusalOf } from '../auth-refusal.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import type { Call, Identity } from '../identity.ts';
import { ownHeaders } from '../sessions/own-headers.ts';
import { countWrongPassword } from '../passwords/password-attempts.ts';
import { checkSecondFactor } from './second-factor.ts';
import { headersAfter, sessionTokenOf } from '../sessions/session-cookie.ts';
import { warnOwner } from '../warn-owner.ts';

type Context = Call & CommandContext;

interface Answer<Reply> {
  reply: Reply;
  cookies: readonly string[];
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  INVALID_PASSWORD: 'invalid_password',
  TOTP_ALREADY_ENABLED: 'two_factor_is_on',
  TOTP_NOT_ENABLED: 'two_factor_is_off',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_is_off',
};

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
  const made = await withPassword(identity, context, (headers) =>
    identity.auth.api.enableTwoFactor({ body: { password }, headers }),
  );
  const uri = invariant('totpURI' in made ? made.totpURI : undefined, 'a secret without its URI');
  const key = invariant(new URL(uri).searchParams.get('secret'), 'a URI without its secret');
  const recoveryCodes = 'backupCodes' in made ? (made.backupCodes ?? []) : [];
  await withTx(identity.db, (tx) => record(tx, context, 'two_factor.set_up'));
  return { reply: { uri, key, recoveryCodes }, cookies: [] };
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
  if (await isOn(identity, actor)) throw new AppError('two_factor_is_on');
  // A recovery code would be used up before its owner has seen it work.
  if (appCodeOf(code) === undefined) throw new AppError('code_invalid');
  const { cookies } = await checkSecondFactor(identity, {
    userId: actor.id,
    code,
    headers: await ownHeaders(identity, context),
  }).catch(async (error: unknown) => {
    await withTx(identity.db, (tx) => record(tx, context, 'two_factor.code_refused'));
    throw error;
  });
  const token = invariant(
    await sessionTokenOf(identity.auth, headersAfter(cookies)),
    'two-factor was turned on without a new session',
  );
  await withTx(identity.db, async (tx) => {
    const now = identity.services.clock.now();
    await tx
      .updateTable('authTwoFactor')
      .set({ verifiedAt: now })
      .where('userId', '=', actor.id)
      .execute();
    await endSessionsOf(tx, actor.id, { kept: token });
    await confirmSession(tx, token, now);
    record(tx, context, 'two_factor.turned_on');
    warnOwner(tx, actor, {
      kind: 'two-factor-on',
      what: 'Two-factor authentication was turned on',
      at: now,
    });
    publish(tx, { topic: 'people', userId: null });
  });
  return { reply: { ok: true }, cookies };
}

/** @throws {AppError} `invalid_password`, `two_factor_is_off`, `too_many_requests` */
export async function turnOffTwoFactor(
  identity: Identity,
  context: Context,
  password: string,
): Promise<Answer<{ ok: true }>> {
  const { actor } = context;
  if (!(await isOn(identity, actor))) throw new AppError('two_factor_is_off');
  const { headers } = await withPassword(identity, context, (sent) =>
    identity.auth.api.disableTwoFactor({
      body: { password },
      headers: sent,
      returnHeaders: true,
    }),
  );
  const cookies = headers.getSetCookie();
  const token = await sessionTokenOf(identity.auth, headersAfter(cookies));
  await withTx(identity.db, async (tx) => {
    const now = identity.services.clock.now();
    if (token !== null) await confirmSession(tx, token, now);
    record(tx, context, 'two_factor.turned_off');
    warnOwner(tx, actor, {
      kind: 'two-factor-off',
      what: 'Two-factor authentication was turned off',
      at: now,
    });
    publish(tx, { topic: 'people', userId: null });
  });
  return { reply: { ok: true }, cookies };
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
  const { backupCodes } = await withPassword(identity, context, (headers) =>
    identity.auth.api.generateBackupCodes({ body: { password }, headers }),
  );
  await withTx(identity.db, (tx) => {
    record(tx, context, 'two_factor.codes_renewed');
    warnOwner(tx, context.actor, {
      kind: 'new-recovery-codes',
      what: 'New recovery codes were created, and the old ones no longer work',
      at: identity.services.clock.now(),
    });
  });
  return { reply: { recoveryCodes: backupCodes }, cookies: [] };
}

async function isOn({ db }: Identity, { id }: Actor): Promise<boolean> {
  const { twoFactorEnabled } = await db
    .selectFrom('appUser')
    .select('twoFactorEnabled')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return twoFactorEnabled;
}

/** A call to Better Auth that checks the password in its body; limited and recorded like its change. */
async function withPassword<Made>(
  identity: Identity,
  context: Context,
  run: (headers: Headers) => Promise<Made>,
): Promise<Made> {
  const { actor, origin } = context;
  await identity.attempts.spend('changeOfPassword', actor.id);
  const made = await run(await ownHeaders(identity, context)).catch(async (error: unknown) => {
    const code = REFUSALS[refusalOf(error) ?? ''];
    if (code === undefined) throw error;
    if (code === 'invalid_password') {
      await countWrongPassword(identity, origin);
      await withTx(identity.db, (tx) => record(tx, context, 'two_factor.password_refused'));
    }
    throw new AppError(code);
  });
  await identity.attempts.forgive('changeOfPassword', actor.id);
  return made;
}

async function confirmSession(tx: Tx, token: string, at: Date): Promise<void> {
  await tx.updateTable('authSession').set({ confirmedAt: at }).where('token', '=', token).execute();
}

function record(tx: Tx, by: CommandContext, action: string): void {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'user',
    subjectId: by.actor.id,
    personId: by.actor.id,
  });
}
