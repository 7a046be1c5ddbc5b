import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { addressKey } from './attempts.ts';
import { listen } from './auth-callbacks.ts';
import { refusalOf } from './auth-refusal.ts';
import type { Call, Identity } from './identity.ts';
import { callHeaders } from './identity.ts';
import { findUserByEmail } from './queries.ts';

type SignUp = RouteArguments<'signUp'>['body'];

/**
 * Makes the account of an applicant, whom an admin accepts (acceptPerson). Better Auth commits by itself, so what follows (number, wallet,
 * application) is made in a transaction after it, and again at every sign-in should that be lost.
 *
 * @throws AppError sign_up_closed, sign_up_other_domain, by the company's rule who may join;
 *   account_exists, where addresses are not confirmed; where they are, the answer is
 *   the same for a known address, whose owner gets a mail instead
 */
export async function signUp(
  identity: Identity,
  context: Call,
  input: SignUp,
): Promise<RouteReply<'signUp'>> {
  await identity.attempts.spend('signUpFromAddress', addressKey(context.origin.ipAddress));
  await refuseStrangers(identity, input.email);
  const made = await createByBetterAuth(identity, context, input);
  if (made.isNew) {
    await withTx(identity.db, async (tx) => {
      recordAudit(tx, {
        by: { actor: 'visitor', origin: context.origin },
        action: 'user.signed_up',
        subjectType: 'user',
        subjectId: made.userId,
        personId: made.userId,
      });
      await identity.onSignedIn(tx, made.userId);
      if (identity.confirmsEmail) {
        enqueueMail(tx, { kind: 'confirm-email', userId: made.userId });
      }
    });
  } else {
    if (!identity.confirmsEmail) throw new AppError('account_exists');
    await mailKnownAddress(identity, made.userId, input.email);
  }
  return { status: identity.confirmsEmail ? 'confirm_email' : 'created' };
}

async function refuseStrangers({ db }: Identity, email: string): Promise<void> {
  const { joinPolicy, joinDomains } = await readSettings(db);
  if (joinPolicy === 'added') throw new AppError('sign_up_closed');
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (joinPolicy === 'domains' && !joinDomains.includes(domain)) {
    throw new AppError('sign_up_other_domain');
  }
}

async function createByBetterAuth(
  identity: Identity,
  { origin }: Call,
  { email, password, firstName, lastName }: SignUp,
): Promise<{ isNew: boolean; userId: string }> {
  const names = { firstName, lastName };
  try {
    const { result, reported } = await listen(() =>
      identity.auth.api.signUpEmail({
        body: { ...names, name: fullName(names), email, password },
        headers: callHeaders(origin),
      }),
    );
    const { existingUserId } = reported;
    return existingUserId === undefined
      ? { isNew: true, userId: result.user.id }
      : { isNew: false, userId: existingUserId };
  } catch (error) {
    switch (refusalOf(error)) {
      // Better Auth's idea of an address is a little stricter than the contract's.
      case 'VALIDATION_ERROR':
      case 'INVALID_EMAIL':
        throw new AppError('invalid_request', {}, [
          { path: 'email', message: 'Enter a valid email address' },
        ]);
      case 'FAILED_TO_CREATE_USER': {
        // Two sign-ups at once with one address: the unique index let one through.
        const other = await findUserByEmail(identity.db, email);
        if (other !== undefined) return { isNew: false, userId: other.id };
        throw error;
      }
      default:
        throw error;
    }
  }
}

/** Says that there is an account; or, where its address was never confirmed, how to. */
async function mailKnownAddress(identity: Identity, userId: string, email: string): Promise<void> {
  const user = await findUserByEmail(identity.db, email);
  const kind = user?.emailVerified === false ? 'confirm-email' : 'account-exists';
  await sendWithinLimit(identity, userId, kind);
}

/** Mails a person at another's request, unless they got too many such mails already. */
export async function sendWithinLimit(
  identity: Identity,
  userId: string,
  kind: 'confirm-email' | 'account-exists',
): Promise<void> {
  try {
    await identity.attempts.spend('confirmationOfAccount', userId);
  } catch (error) {
    if (error instanceof AppError) return;
    throw error;
  }
  await withTx(identity.db, (tx) => enqueueMail(tx, { kind, userId }));
}
