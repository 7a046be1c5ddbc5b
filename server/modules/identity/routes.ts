import type { RouteName } from '#contract/api.ts';
import { doneAfter, query } from '#server/http/handlers.ts';
import type { AuthHandler, Handlers } from '#server/http/handlers.ts';
import { addressKey } from './attempts.ts';
import { acceptInvite, openInvite } from './invites/accept-invite.ts';
import { changePassword } from './new-password/change-password.ts';
import { confirmEmail } from './sign-up/confirm-email.ts';
import { confirmEmailChange } from './email-change/confirm-email-change.ts';
import {
  beginPasskeyConfirmation,
  confirmIdentity,
  confirmWithPasskey,
} from './sign-in/confirm-identity.ts';
import { createPasswordLink, createPasswordLinks } from './new-password/create-password-links.ts';
import type { Identity } from './identity.ts';
import {
  closeDocuments,
  createDocumentsLink,
  openDocuments,
  requestDocumentsLink,
  resolveLeaver,
} from './sessions/leaver-access.ts';
import { getMySecurity } from './second-factor/my-security.ts';
import { describeSession, listSessions, readSessionEnd } from './queries.ts';
import { openPasswordLink } from './new-password/open-password-link.ts';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from './second-factor/passkeys.ts';
import { redeemInvite } from './invites/redeem-invite.ts';
import { reportEmailChange } from './lockout/report-email-change.ts';
import { reportNotice } from './lockout/report-notice.ts';
import { requestEmailChange } from './email-change/request-email-change.ts';
import { requestPasswordReset } from './new-password/request-password-reset.ts';
import { resetPassword } from './new-password/reset-password.ts';
import { revokeOtherSessions, revokeSession } from './sessions/revoke-session.ts';
import { sessionHashOf } from './sessions/cookies.ts';
import { signIn } from './sign-in/sign-in.ts';
import { beginPasskeySignIn, signInWithPasskey } from './sign-in/sign-in-with-passkey.ts';
import { signOut } from './sessions/sign-out.ts';
import { signUp } from './sign-up/sign-up.ts';
import {
  renewRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from './second-factor/two-factor.ts';
import { withdrawEmailChange } from './email-change/withdraw-email-change.ts';
import { verifySecondFactor } from './sign-in/verify-second-factor.ts';

type IdentityRoute =
  | 'getSession'
  | 'getSessionEnd'
  | 'signUp'
  | 'signIn'
  | 'signOut'
  | 'requestPasswordReset'
  | 'openPasswordLink'
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
  | 'beginPasskeyConfirmation'
  | 'confirmWithPasskey'
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
  | 'openInvite'
  | 'acceptInvite'
  | 'redeemInvite'
  | 'requestDocumentsLink'
  | 'openDocuments'
  | 'getOpenDocuments'
  | 'closeDocuments'
  | 'adminCreateDocumentsLink'
  | 'adminCreatePasswordLink'
  | 'adminCreatePasswordLinks';

const done = { ok: true } as const;

/** The sign-in operations. No reply carries a session's token: it travels in the cookie alone. */
export function identityHandlers(identity: Identity): Pick<Handlers, IdentityRoute> {
  const currentHash = (headers: Headers) => sessionHashOf(identity, headers);
  /** An act of a mailed link or an invite: wrong ones count against the network that they come from. */
  const byLink = <Name extends RouteName>(run: AuthHandler<Name>['run']) =>
    auth<Name>((context, input) =>
      identity.attempts.tryLink(addressKey(context.origin.ipAddress), () => run(context, input)),
    );
  return {
    getSession: query((db, { actor }) => describeSession(identity, db, actor?.id ?? null)),
    getSessionEnd: query(async (db, { actor, headers }) =>
      readSessionEnd(db, {
        tokenHash: currentHash(headers),
        role: actor.role,
        now: identity.services.clock.now(),
      }),
    ),
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
    beginPasskeyConfirmation: auth((context) => beginPasskeyConfirmation(identity, context)),
    confirmWithPasskey: auth(async (context, { body }) => ({
      reply: done,
      cookies: await confirmWithPasskey(identity, context, body),
    })),
    beginPasskey: auth((context) => beginPasskey(identity, context)),
    addPasskey: auth(async (context, { body }) => {
      await addPasskey(identity, context, body);
      return { reply: done, cookies: [] };
    }),
    renamePasskey: doneAfter((tx, context, { params, body }) =>
      renamePasskey(tx, identity.services, context, { id: params.id, ...body }),
    ),
    removePasskey: doneAfter((tx, context, { params }) =>
      removePasskey(tx, identity.services, context, params.id),
    ),
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
    openPasswordLink: byLink(async (_context, { body }) => ({
      reply: await openPasswordLink(identity, body.token),
      cookies: [],
    })),
    resetPassword: byLink((context, { body }) => resetPassword(identity, context, body)),
    changePassword: auth((context, { body }) => changePassword(identity, context, body)),
    requestEmailChange: auth(async (context, { body }) => {
      await requestEmailChange(identity, context, body.email);
      return { reply: done, cookies: [] };
    }),
    withdrawEmailChange: doneAfter((tx, context) =>
      withdrawEmailChange(tx, identity.services, context),
    ),
    confirmEmailChange: byLink(async (context, { body }) => {
      await confirmEmailChange(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    reportEmailChange: byLink(async (context, { body }) => {
      await reportEmailChange(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    reportNotice: byLink(async (context, { body }) => {
      await reportNotice(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    confirmIdentity: auth(async (context, { body }) => ({
      reply: done,
      cookies: await confirmIdentity(identity, context, body),
    })),
    // The pipeline has answered by then.
    checkConfirmation: query(() => Promise.resolve(done)),
    confirmEmail: byLink(async (context, { body }) => {
      await confirmEmail(identity, context, body.token);
      return { reply: done, cookies: [] };
    }),
    listSessions: query(async (db, { actor, headers }) =>
      listSessions(db, {
        userId: actor.id,
        role: actor.role,
        currentHash: currentHash(headers),
        now: identity.services.clock.now(),
      }),
    ),
    revokeSession: doneAfter((tx, context, { params }) =>
      revokeSession(tx, context, {
        id: params.id,
        currentHash: currentHash(context.headers),
      }),
    ),
    revokeOtherSessions: doneAfter((tx, context) =>
      revokeOtherSessions(tx, context, { currentHash: currentHash(context.headers) }),
    ),
    requestDocumentsLink: auth(async (context, { body }) => {
      await requestDocumentsLink(identity, context, body.email);
      return { reply: done, cookies: [] };
    }),
    openDocuments: byLink((context, { body }) => openDocuments(identity, context, body.token)),
    getOpenDocuments: query(async (_db, { headers }) => ({
      person: await resolveLeaver(identity, headers),
    })),
    closeDocuments: auth((context) => closeDocuments(identity, context)),
    adminCreateDocumentsLink: auth(async (context, { params }) => ({
      reply: await createDocumentsLink(identity, context, params.id),
      cookies: [],
    })),
    adminCreatePasswordLink: auth(async (context, { params }) => ({
      reply: await createPasswordLink(identity, context, params.id),
      cookies: [],
    })),
    adminCreatePasswordLinks: auth(async (context, { body }) => ({
      reply: await createPasswordLinks(identity, context, body),
      cookies: [],
    })),
    openInvite: byLink(async (_context, { body }) => ({
      reply: await openInvite(identity, body.token),
      cookies: [],
    })),
    acceptInvite: byLink((context, { body }) => acceptInvite(identity, context, body)),
    redeemInvite: byLink((context, { body }) => redeemInvite(identity, context, body.token)),
  };
}

function auth<Name extends RouteName>(run: AuthHandler<Name>['run']): AuthHandler<Name> {
  return { kind: 'auth', run };
}
