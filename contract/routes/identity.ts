import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { PASSWORD_LINK_KINDS, ROLES } from '../identity.ts';
import { KYC_STATUSES } from '../kyc.ts';
import * as limits from '../limits.ts';
import { CURRENCIES } from '../money.ts';
import { newPasswordProblem } from '../passwords.ts';
import { done } from './common.ts';
import { email, id, idParams, instant, personName } from './values.ts';
import { avatarUrl } from './avatars.ts';
import { defineRoute } from './define.ts';

const newPassword = z
  .string()
  .max(limits.PASSWORD_MAX_LENGTH)
  .superRefine((password, context) => {
    const message = newPasswordProblem(password);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const token = z.string().trim().min(1).max(200);

export const user = namedObject('User', {
  id,
  email: z.string(),
  firstName: z.string(),
  /** Empty where the person has a single name. */
  lastName: z.string(),
  role: namedEnum('Role', ROLES),
  /** Also true of an admin who was an employee before: they stay one. */
  isEmployee: z.boolean(),
  /** `TR-0147`; admins who are no employee have none. */
  employeeId: z.string().nullable(),
  department: z.enum(DEPARTMENT_IDS),
  position: z.string(),
  createdAt: instant,
  lastLoginAt: instant.nullable(),
});

/** Facts that a screen needs before it can draw or redirect. */
export const session = namedObject('Session', {
  user: user.nullable(),
  /** Status of the person's latest KYC application; null for visitors and admins. */
  kycStatus: z.enum(KYC_STATUSES).nullable(),
  /** Picture of the person. */
  avatarUrl,
  /** Since when no money of theirs leaves; null if their payouts are not frozen. */
  payoutsFrozenAt: instant.nullable(),
  company: namedObject('SessionCompany', {
    name: z.string(),
    currency: z.enum(CURRENCIES),
    /** IANA name; dates on screen are the company's. */
    timeZone: z.string(),
  }),
  /** True where sign-up asks for a confirmation by mail. */
  confirmsEmail: z.boolean(),
  /** True for an admin who has to set up two-factor before anything else. */
  mustSetUpTwoFactor: z.boolean(),
  /** True for one of them who may decide otherwise: the only admin of a company that is not in production. */
  maySkipTwoFactor: z.boolean(),
});

const presentPassword = z.string().min(1).max(limits.PASSWORD_MAX_LENGTH);
/** From the app, or a recovery code, as it was typed. */
const code = z.string().trim().min(6).max(20);
const recoveryCodes = z.array(z.string());

export const identityRoutes = {
  getSession: defineRoute('GET /api/session', {
    summary: 'Who is signed in, and the company',
    access: 'public',
    topics: ['kyc', 'sessions'],
    reply: session,
  }),
  getSessionEnd: defineRoute('GET /api/session/end', {
    summary:
      'When my session ends if I do nothing more. Asking extends an idle session, as every request does that is not sent in the background',
    access: 'signedIn',
    topics: [],
    isBeforeTwoFactor: true,
    reply: z.object({
      /** Milliseconds from now, by the server's clock. */
      endsInMs: z.number().int().min(0),
      /** False where it ends a week after signing in, whatever is done until then. */
      canBeExtended: z.boolean(),
    }),
  }),
  signUp: defineRoute('POST /api/auth/sign-up', {
    summary: 'Create an employee account',
    access: 'public',
    body: z.object({
      ...personName,
      email,
      password: newPassword,
    }),
    reply: z.object({ status: z.enum(['created', 'confirm_email']) }),
    status: 201,
    errors: ['account_exists', 'sign_up_closed', 'sign_up_other_domain'],
  }),
  signIn: defineRoute('POST /api/auth/sign-in', {
    summary: 'Start a session (a cookie)',
    access: 'public',
    body: z.object({
      email,
      password: z.string().min(1).max(limits.PASSWORD_MAX_LENGTH),
      /** Read only after too many attempts: password and code are then checked together, slowly. */
      code: code.optional(),
    }),
    reply: session.extend({
      /** True where the password was right and a code is asked for: nobody is signed in yet. */
      awaitsSecondFactor: z.boolean(),
    }),
    errors: ['invalid_credentials', 'email_not_confirmed', 'account_deactivated'],
  }),
  verifySecondFactor: defineRoute('POST /api/auth/second-factor', {
    summary: 'The second step of signing in: a code from the app, or a recovery code',
    access: 'public',
    body: z.object({ code }),
    reply: session,
    errors: ['code_invalid', 'sign_in_expired', 'account_deactivated'],
  }),
  getMySecurity: defineRoute('GET /api/auth/security', {
    summary: 'How I sign in: two-factor and what is left of the recovery codes',
    access: 'signedIn',
    topics: ['sessions', 'settings'],
    reply: z.object({
      twoFactor: z
        .object({
          since: instant,
          recoveryCodesLeft: z.number().int(),
          lastUsedAt: instant.nullable(),
        })
        .nullable(),
      passkeys: z.array(
        namedObject('Passkey', {
          id,
          name: z.string(),
          createdAt: instant,
          lastUsedAt: instant.nullable(),
        }),
      ),
      /** True if the company requires two-factor of the caller. */
      isTwoFactorRequired: z.boolean(),
      /** Since when no money of mine leaves, because I reported a change that was not mine. */
      payoutsFrozenAt: instant.nullable(),
      email: z.string(),
      /** The address that was asked for and waits to be confirmed, until when. */
      pendingEmail: z.object({ email: z.string(), until: instant }).nullable(),
    }),
  }),
  setUpTwoFactor: defineRoute('POST /api/auth/two-factor', {
    summary: 'Begin to set up two-factor: the secret for the app, and the recovery codes',
    access: 'signedIn',
    confirms: 'password',
    isBeforeTwoFactor: true,
    body: namedObject('PasswordBody', { password: presentPassword }),
    reply: z.object({
      /** For the app: `otpauth://totp/...`. */
      uri: z.string(),
      /** The secret in it, in base 32, to be typed. */
      key: z.string(),
      recoveryCodes,
    }),
    errors: ['invalid_password', 'two_factor_is_on'],
  }),
  turnOnTwoFactor: defineRoute('POST /api/auth/two-factor/on', {
    summary: 'Turn two-factor on by the first code from the app; ends all my other sessions',
    access: 'signedIn',
    isBeforeTwoFactor: true,
    body: namedObject('CodeBody', { code }),
    reply: done,
    errors: ['code_invalid', 'two_factor_is_on', 'two_factor_is_off'],
  }),
  turnOffTwoFactor: defineRoute('POST /api/auth/two-factor/off', {
    summary: 'Turn two-factor off',
    access: 'signedIn',
    confirms: 'password',
    body: z.object({ password: presentPassword }),
    reply: done,
    errors: ['invalid_password', 'two_factor_is_off'],
  }),
  renewRecoveryCodes: defineRoute('POST /api/auth/two-factor/recovery-codes', {
    summary: 'Get new recovery codes; the old ones no longer work',
    access: 'signedIn',
    confirms: 'password',
    body: z.object({ password: presentPassword }),
    reply: z.object({ recoveryCodes }),
    errors: ['invalid_password', 'two_factor_is_off'],
  }),
  signOut: defineRoute('POST /api/auth/sign-out', {
    summary: 'End this session',
    access: 'public',
    reply: done,
  }),
  requestPasswordReset: defineRoute('POST /api/auth/forgot-password', {
    summary: 'Mail a link to choose a new password; the answer does not show whether it exists',
    access: 'public',
    body: namedObject('EmailBody', { email }),
    reply: done,
  }),
  openPasswordLink: defineRoute('POST /api/auth/password-link', {
    summary: 'Read what a link to choose a password is for; the link stays good',
    access: 'public',
    body: namedObject('TokenBody', { token }),
    reply: z.object({
      /** `first`: the person has no password yet. */
      kind: z.enum(PASSWORD_LINK_KINDS),
      email: z.string(),
      firstName: z.string(),
      /** Name of the admin who added the person or made the link; null where it was nobody. */
      invitedBy: z.string().nullable(),
    }),
    errors: ['link_invalid'],
  }),
  requestDocumentsLink: defineRoute('POST /api/auth/documents-link', {
    summary:
      'Mail a link to the documents of a person who left; the answer does not show whether there is one',
    access: 'public',
    body: z.object({ email }),
    reply: done,
  }),
  openDocuments: defineRoute('POST /api/auth/documents', {
    summary: 'Open the documents of a person who left, with a mailed token; reads those alone',
    access: 'public',
    body: z.object({ token }),
    reply: done,
    errors: ['link_invalid'],
  }),
  getOpenDocuments: defineRoute('GET /api/auth/documents', {
    summary: 'The person who left and whose documents this browser has open; null: none',
    access: 'public',
    topics: [],
    reply: z.object({ person: z.object({ name: z.string() }).nullable() }),
  }),
  closeDocuments: defineRoute('POST /api/auth/documents/close', {
    summary: 'Close the documents of a person who left in this browser',
    access: 'public',
    reply: done,
  }),
  resetPassword: defineRoute('POST /api/auth/reset-password', {
    summary:
      'Choose a password with the token of a link. The first one signs in (a cookie); a later one ends all sessions',
    access: 'public',
    body: z.object({ token, password: newPassword }),
    /** Null after a later one: the person signs in with it. */
    reply: namedObject('SessionOrNone', { session: session.nullable() }),
    errors: ['link_invalid'],
  }),
  confirmIdentity: defineRoute('POST /api/auth/confirm', {
    summary:
      'Confirm that it is me, with my password or, where two-factor is on, a code; holds for some minutes of this session',
    access: 'signedIn',
    body: z.object({ answer: z.string().min(1).max(limits.PASSWORD_MAX_LENGTH) }),
    reply: done,
    errors: ['invalid_password', 'code_invalid'],
  }),
  checkConfirmation: defineRoute('POST /api/auth/confirm/check', {
    summary: 'Whether I have confirmed recently that it is me; asked before a download begins',
    access: 'signedIn',
    confirms: 'recent',
    reply: done,
  }),
  changePassword: defineRoute('POST /api/auth/change-password', {
    summary: 'Change my password; ends all my other sessions and renews this one',
    access: 'signedIn',
    confirms: 'password',
    body: z.object({
      currentPassword: presentPassword,
      newPassword,
    }),
    reply: done,
    errors: ['invalid_password'],
  }),
  requestEmailChange: defineRoute('POST /api/auth/email', {
    summary:
      'Ask for another address to sign in with; a link is mailed there, and the answer does not show whether another has it',
    access: 'signedIn',
    confirms: 'recent',
    body: z.object({ email }),
    reply: done,
  }),
  withdrawEmailChange: defineRoute('DELETE /api/auth/email', {
    summary:
      'Withdraw my request for another address; the link that was mailed there no longer works',
    access: 'signedIn',
    changes: {},
    reply: done,
    errors: ['no_email_change'],
  }),
  confirmEmailChange: defineRoute('POST /api/auth/email/confirm', {
    summary: 'Change the address with the token that was mailed to the new one',
    access: 'public',
    body: z.object({ token }),
    reply: done,
    errors: ['link_invalid'],
  }),
  reportEmailChange: defineRoute('POST /api/auth/email/report', {
    summary:
      'Take a change of address back with the token that was mailed to the former one, and freeze payouts',
    access: 'public',
    body: z.object({ token }),
    reply: done,
    errors: ['link_invalid'],
  }),
  reportNotice: defineRoute('POST /api/auth/notices/report', {
    summary:
      'Say of a security notice, with the token in its mail, that it was not me: signs everyone out and freezes payouts',
    access: 'public',
    body: z.object({ token }),
    reply: done,
    errors: ['link_invalid'],
  }),
  confirmEmail: defineRoute('POST /api/auth/confirm-email', {
    summary: 'Confirm an e-mail address with a mailed token',
    access: 'public',
    body: z.object({ token: z.string().trim().min(1).max(2_000) }),
    reply: done,
    errors: ['link_invalid'],
  }),
  listSessions: defineRoute('GET /api/auth/sessions', {
    summary: 'Where I am signed in',
    access: 'signedIn',
    topics: ['sessions'],
    reply: z.object({
      items: z.array(
        namedObject('SignedIn', {
          id,
          isCurrent: z.boolean(),
          createdAt: instant,
          lastSeenAt: instant,
          expiresAt: instant,
          userAgent: z.string().nullable(),
          ipAddress: z.string().nullable(),
        }),
      ),
    }),
  }),
  revokeSession: defineRoute('DELETE /api/auth/sessions/{id}', {
    summary: 'End one of my other sessions',
    access: 'signedIn',
    changes: { owner: ['sessions'] },
    params: idParams,
    reply: done,
    errors: ['not_found', 'last_session'],
  }),
  revokeOtherSessions: defineRoute('POST /api/auth/sessions/revoke-others', {
    summary: 'End all my sessions but this one',
    access: 'signedIn',
    changes: { owner: ['sessions'] },
    reply: done,
  }),
  openInvite: defineRoute('POST /api/auth/invite', {
    summary: 'Read what an invite is for; it stays good',
    access: 'public',
    body: z.object({ token }),
    reply: z.object({
      /** The only address that can redeem it; null: whoever has the link. */
      email: z.string().nullable(),
      /** Null for one that was made on the machine itself. */
      invitedBy: z.string().nullable(),
      /** True if that address has an account, which signs in to redeem it. */
      hasAccount: z.boolean(),
    }),
    errors: ['invite_invalid'],
  }),
  acceptInvite: defineRoute('POST /api/auth/invite/accept', {
    summary: 'Sign up as an administrator with an invite, and start a session (a cookie)',
    access: 'public',
    body: z.object({
      token,
      ...personName,
      email,
      password: newPassword,
    }),
    /** Null where the address has to be confirmed first; the invite is then redeemed after signing in. */
    reply: z.object({ session: session.nullable() }),
    status: 201,
    errors: ['invite_invalid', 'invite_other_email', 'account_exists'],
  }),
  redeemInvite: defineRoute('POST /api/auth/redeem-invite', {
    summary: 'Become an admin with an invite token',
    access: 'signedIn',
    body: z.object({ token }),
    reply: z.object({ success: z.literal(true) }),
    errors: ['invite_invalid', 'invite_other_email'],
  }),
};
