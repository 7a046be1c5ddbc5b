import type { RouteName } from '#contract/paths.ts';
import { command, query } from '#server/http/handlers.ts';
import type { AuthHandler, Handlers } from '#server/http/handlers.ts';
import { changePassword } from './change-password.ts';
import { confirmEmail } from './confirm-email.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { createPasswordLink } from './create-password-link.ts';
import type { Identity } from './identity.ts';
import { getMySecurity } from './my-security.ts';
import { describeSession, listSessions } from './queries.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.ts';
import { redeemInvite } from './redeem-invite.ts';
import { reportEmailChange } from './report-email-change.ts';
import { reportNotice } from './report-notice.ts';
import { requestEmailChange } from './request-email-change.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { revokeOtherSessions, revokeSession } from './revoke-session.ts';
import { sessionTokenOf } from './session-cookie.ts';
import { signIn } from './sign-in.ts';
import { beginPasskeySignIn, signInWithPasskey } from './sign-in-with-passkey.ts';
import { signOut } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from './two-factor.ts';
import { withdrawEmailChange } from './withdraw-email-change.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

type IdentityRoute =
  | 'getSession'
  | 'signUp'
  | 'signIn'
  | 'signOut'
  | 'requestPasswordReset'
  | 'resetPassword'
  | 'changePassword'
  | 'requestEmailChange'
  | 'withdrawEmailChange'
  | 'confirmEmailChange'
  | 'reportEmailChange'
  | 'reportNotice'
  | 'confirmIdentity'
  | 'verifySecondFactor'
  | 'beginPasskeySignIn'
  | 'signInWithPasskey'
  | 'beginPasskey'
  | 'addPasskey'
  | 'renamePasskey'
  | 'removePasskey'
  | 'getMySecurity'
  | 'setUpTwoFactor'
  | 'turnOnTwoFactor'
  | 'turnOffTwoFactor'
  | 'renewRecoveryCodes'
  | 'checkConfirmation'
  | 'confirmEmail'
  | 'listSessions'
  | 'revokeSession'
  | 'revokeOtherSessions'
  | 'redeemInvite'
  | 'adminCreatePasswordLink';

const done = { ok: true } as const;

/** The sign-in operations. No reply carries a session's token: it travels in the cookie alone. */
export function identityHandlers(identity: Identity): Pick<Handlers, IdentityRoute> {
  const currentToken = (headers: Headers) => sessionTokenOf(identity.auth, headers);
  return {
    getSession: query((db, { actor }) => describeSession(identity, db, actor?.id ?? null)),
    signUp: auth(async (context, { body }) => ({
      reply: await signUp(identity, context, body),
      cookies: [],
    })),
    signIn: auth((context, { body }) => signIn(identity, context, body)),
    verifySecondFactor: auth((context, { body }) =>
      verifySecondFactor(identity, context, body.code),
    ),
    beginPasskeySignIn: auth((context) => beginPasskeySignIn(identity, context)),
    signInWithPasskey: auth((context, { body }) => signInWithPasskey(identity, context, body)),
    beginPasskey: auth((context) => beginPasskey(identity, context)),
    addPasskey: auth(async (context, { body }) => {
      await addPasskey(identity, context, body);
      return { reply: done, cookies: [] };
    }),
    renamePasskey: command(async (tx, context, { params, body }) => {
      await renamePasskey(tx, identity.services, context, { id: params.id, ...body });
      return { ok: true };
    }),
    removePasskey: command(async (tx, context, { params }) => {
      await removePasskey(tx, identity.services, context, params.id);
      return done;
    }),
    getMySecurity: query((db, { actor }) =>
      getMySecurity(db, { userId: actor.id, now: identity.services.clock.now() }),
    ),
    setUpTwoFactor: auth((context, { body }) => setUpTwoFactor(identity, context, body.password)),
    turnOnTwoFactor: auth((context, { body }) => turnOnTwoFactor(identity, context, body.code)),
    turnOffTwoFactor: auth((context, { body }) =>
      turnOffTwoFactor(identity, context, body.password),
    ),
    renewRecoveryCodes: auth((context, { body }) =>
      renewRecoveryCodes(identity, context, body.password),
    ),
    signOut: auth((context) => signOut(identity, context)),
    requestPasswordReset: auth(async (context, { body }) => {
      await requestPasswordReset(identity, context, body.email);
      return { reply: done, cookies: [] };
    }),
    resetPassword: auth(async (context, { body }) => {
      await resetPassword(identity, context, body);
      return { reply: done, cookies: [] };
    }),
    changePassword: auth((context, { body }) => changePassword(identity, context, body)),
    requestEmailChange: auth(async (context, { body }) => {
      await requestEmailChange(identity, context, body.email);
      return { reply: done, cookies: [] };
    }),
    withdrawEmailChange: command(async (tx, context) => {
      await withdrawEmailChange(tx, identity.services, context);
      return done;
    }),
    confirmEmailChange: auth(async (context, { body }) => {
      await confirmEmailChange(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    reportEmailChange: auth(async (context, { body }) => {
      await reportEmailChange(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    reportNotice: auth(async (context, { body }) => {
      await reportNotice(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    confirmIdentity: auth(async (context, { body }) => {
      await confirmIdentity(identity, context, body);
      return { reply: done, cookies: [] };
    }),
    // The pipeline has answered by then.
    checkConfirmation: query(() => Promise.resolve(done)),
    confirmEmail: auth(async (context, { body }) => {
      await confirmEmail(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    listSessions: query(async (db, { actor, headers }) =>
      listSessions(db, {
        userId: actor.id,
        role: actor.role,
        currentToken: await currentToken(headers),
        now: identity.services.clock.now(),
      }),
    ),
    revokeSession: command(async (tx, context, { params }) => {
      await revokeSession(tx, context, {
        id: params.id,
        currentToken: await currentToken(context.headers),
      });
      return done;
    }),
    revokeOtherSessions: command(async (tx, context) => {
      await revokeOtherSessions(tx, context, { currentToken: await currentToken(context.headers) });
      return done;
    }),
    adminCreatePasswordLink: auth(async (context, { params }) => ({
      reply: await createPasswordLink(identity, context, params.id),
      cookies: [],
    })),
    redeemInvite: auth((context, { body }) => redeemInvite(identity, context, body.token)),
  };
}

function auth<Name extends RouteName>(run: AuthHandler<Name>['run']): AuthHandler<Name> {
  return { kind: 'auth', run };
}
