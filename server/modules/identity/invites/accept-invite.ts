import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { createAccount } from '../sign-up/create-accounts.ts';
import { findInvite } from './find-invite.ts';
import type { Call, Identity } from '../identity.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { findUserByEmail } from '../queries.ts';
import { grantAdmin } from './redeem-invite.ts';
import { refuseGuessable } from '../passwords/refuse-guessable.ts';
import { signUpInvited } from '../sign-up/sign-up.ts';

/**
 * Describes an invite to its holder. Nothing is changed.
 *
 * @throws {AppError} `invite_invalid`
 */
export async function openInvite(
  identity: Identity,
  token: string,
): Promise<RouteReply<'openInvite'>> {
  const { db } = identity;
  const { email, createdBy } = await requireInvite(identity, token);
  const inviter =
    createdBy === null
      ? undefined
      : await db
          .selectFrom('appUser')
          .select('name')
          .where('id', '=', createdBy)
          .executeTakeFirst();
  return {
    email,
    invitedBy: inviter?.name ?? null,
    hasAccount: email !== null && (await findUserByEmail(db, email)) !== undefined,
  };
}

/**
 * Signs up with an invite, whoever may join otherwise: creates the account, makes it an admin's and signs
 * in. The address of an invite counts as confirmed: its mail was read, or whoever invited vouches for it.
 *
 * An invite may have no address. If a mail server is set, the person then has to confirm the address that
 * they typed. Until then the account is an applicant's and the invite stays open. They redeem it when they
 * come back with it, so that nobody becomes an admin with another person's mailbox.
 *
 * @throws {AppError} `invite_invalid`, `invite_other_email`, `account_exists`; as `refuseGuessable`
 */
export async function acceptInvite(
  identity: Identity,
  context: Call,
  { token, ...account }: RouteArguments<'acceptInvite'>['body'],
): Promise<{ reply: RouteReply<'acceptInvite'>; cookies: readonly string[] }> {
  const { origin } = context;
  const invite = await requireInvite(identity, token);
  if (invite.email !== null && invite.email !== account.email) {
    throw new AppError('invite_other_email');
  }
  if (invite.email === null && identity.confirmsEmail) {
    await signUpInvited(identity, context, account);
    return { reply: { session: null }, cookies: [] };
  }
  const { password, ...owner } = account;
  await refuseGuessable(identity.db, { field: 'password', password, owner });
  const passwordHash = await hashPassword(password);
  const id = await withTx(identity.db, async (tx) => {
    const { services } = identity;
    const by = { actor: 'visitor', origin } as const;
    const created = await createAccount(tx, services, by, { ...owner, passwordHash });
    const actor = { id: created.id, role: 'employee', name: fullName(owner) } as const;
    await grantAdmin(tx, services, { actor, origin }, token);
    return created.id;
  });
  const { reply, cookies } = await completeSignIn(identity, context, id);
  return { reply: { session: reply }, cookies };
}

/** @throws {AppError} `invite_invalid` */
async function requireInvite({ db, services }: Identity, token: string) {
  const invite = await findInvite(db, { token, now: services.clock.now() });
  if (invite === undefined) throw new AppError('invite_invalid');
  return invite;
}
