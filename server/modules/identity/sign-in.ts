import type { RouteArguments, Session } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { addressKey } from './attempts.ts';
import { DEACTIVATED } from './auth.ts';
import { refusalOf } from './auth-refusal.ts';
import type { Call, Identity } from './identity.ts';
import { callHeaders } from './identity.ts';
import { presentActor } from './present.ts';
import { describeSession, findUserByEmail } from './queries.ts';
import { sessionTokenOf } from './session-cookie.ts';
import { sendWithinLimit } from './sign-up.ts';

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_EMAIL: 'invalid_credentials',
  PASSWORD_TOO_LONG: 'invalid_credentials',
  EMAIL_NOT_VERIFIED: 'email_not_confirmed',
  [DEACTIVATED]: 'account_deactivated',
};

/**
 * Starts a session, always a new one: the one the browser came with is ended. Takes as long for an
 * unknown address as for a wrong password (Better Auth hashes either way), and only the right
 * password learns more than `invalid_credentials`.
 */
export async function signIn(
  identity: Identity,
  context: Call,
  { email, password }: RouteArguments<'signIn'>['body'],
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const { db, auth, attempts } = identity;
  const network = addressKey(context.origin.ipAddress);
  await attempts.spend('signInFromAddress', network);
  await attempts.check('wrongPasswordFromAddress', network);
  await attempts.spend('signInToAccount', accountFrom(email, network));
  await attempts.spend('signInToAccountAnywhere', email);
  const started = await auth.api
    .signInEmail({
      body: { email, password },
      headers: callHeaders(context.origin),
      returnHeaders: true,
    })
    .catch((error: unknown) => refuse(identity, context, email, error));
  await forgiveSignIns(identity, email, network);

  const userId = started.response.user.id;
  const previousToken = await sessionTokenOf(auth, context.headers);
  const reply = await withTx(db, async (tx) => {
    const user = await tx
      .updateTable('appUser')
      .set({ lastLoginAt: identity.services.clock.now() })
      .where('id', '=', userId)
      .returning(['id', 'role', 'name'])
      .executeTakeFirstOrThrow();
    if (previousToken !== null) {
      await tx.deleteFrom('authSession').where('token', '=', previousToken).execute();
    }
    recordAudit(tx, {
      by: { actor: presentActor(user), origin: context.origin },
      action: 'session.started',
      subjectType: 'user',
      subjectId: userId,
      personId: userId,
    });
    await identity.onSignedIn(tx, userId);
    return describeSession(identity, tx, userId);
  });
  return { reply, cookies: started.headers.getSetCookie() };
}

/** What wrong passwords for an account are counted under, from one network. */
function accountFrom(email: string, network: string): string {
  return `${email} ${network}`;
}

/** Forgets the wrong passwords before the right one, or before a new one was chosen by a mailed link. */
export async function forgiveSignIns(
  { attempts }: Pick<Identity, 'attempts'>,
  email: string,
  network: string,
): Promise<void> {
  await attempts.forgive('signInToAccount', accountFrom(email, network));
  await attempts.forgive('signInToAccountAnywhere', email);
}

async function refuse(
  identity: Identity,
  context: Call,
  email: string,
  error: unknown,
): Promise<never> {
  const code = REFUSALS[refusalOf(error) ?? ''];
  if (code === undefined) throw error;
  if (code === 'invalid_credentials') {
    await identity.attempts
      .spend('wrongPasswordFromAddress', addressKey(context.origin.ipAddress))
      .catch((refusal: unknown) => {
        // Counted all the same; the next one is refused before the password is looked at.
        if (!(refusal instanceof AppError)) throw refusal;
      });
  }
  const user = await findUserByEmail(identity.db, email);
  await withTx(identity.db, (tx) =>
    recordAudit(tx, {
      by: { actor: 'visitor', origin: context.origin },
      action: 'session.refused',
      subjectType: 'user',
      subjectId: user?.id ?? null,
      personId: user?.id ?? null,
      details: { reason: code },
    }),
  );
  if (code === 'email_not_confirmed' && user !== undefined) {
    await sendWithinLimit(identity, user.id, 'confirm-email');
  }
  throw new AppError(code);
}
