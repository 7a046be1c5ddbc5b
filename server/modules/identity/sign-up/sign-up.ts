import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { person } from '#contract/things/person.ts';
import { withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { answerAfter, ANSWER_WITH_HASH_AFTER_MS } from '../answer-after.ts';
import { addressKey } from '../attempts.ts';
import { listen } from '../auth-callbacks.ts';
import { refusalOf } from '../auth-refusal.ts';
import type { Call, Identity } from '../identity.ts';
import { callHeaders } from '../identity.ts';
import { mayMailAnother } from '../may-mail.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { findUserByEmail } from '../queries.ts';
import { refuseGuessable } from '../passwords/refuse-guessable.ts';
import { replaceSignUp } from './replace-sign-up.ts';

type SignUp = RouteArguments<'signUp'>['body'];

/**
 * Makes the account of an applicant, whom an admin accepts (acceptPerson). Better Auth commits by itself, so what follows (number, wallet,
 * application) is made in a transaction after it, and again at every sign-in should that be lost.
 *
 * @throws AppError sign_up_closed, sign_up_other_domain, by the company's rule who may join;
 *   invalid_request, as `refuseGuessable`; account_exists, where addresses are not confirmed; where they are, the answer is
 *   the same for a known address, whose owner gets a mail instead
 */
export async function signUp(
  identity: Identity,
  context: Call,
  input: SignUp,
): Promise<RouteReply<'signUp'>> {
  await identity.attempts.spend('signUpFromAddress', addressKey(context.origin.ipAddress));
  await refuseStrangers(identity, input.email);
  return signUpInvited(identity, context, input);
}

/** The same for somebody with an invite, whom no rule of who may join refuses. */
export async function signUpInvited(
  identity: Identity,
  context: Call,
  input: SignUp,
): Promise<RouteReply<'signUp'>> {
  const { password, ...owner } = input;
  await refuseGuessable(identity.db, { field: 'password', password, owner });
  return answerAfter(ANSWER_WITH_HASH_AFTER_MS, async () => {
    const made = await createByBetterAuth(identity, context, input);
    if (made.isNew) await completeSignUp(identity, context, made.userId);
    else if (identity.confirmsEmail) await signUpAgain(identity, context, { input, made });
    else throw new AppError('account_exists');
    return { status: identity.confirmsEmail ? 'confirm_email' : 'created' };
  });
}

async function completeSignUp(identity: Identity, { origin }: Call, userId: string): Promise<void> {
  await withTx(identity.db, async (tx) => {
    const by = { actor: 'visitor', origin } as const;
    journal(tx, by, person, 'signUp', { id: userId, at: identity.services.clock.now() });
    await identity.completePerson(tx, userId);
    if (identity.confirmsEmail) enqueueMail(tx, { kind: 'confirm-email', userId });
  });
}

/**
 * On an address that has an account: the newest sign-up counts while nobody confirmed the address and
 * there is nothing else (`replaceSignUp`); any other account stays as it is, and its owner gets a mail.
 * Too many mails keep no sign-up from being replaced, or the stranger's would stay for that long.
 */
async function signUpAgain(
  identity: Identity,
  { origin }: Call,
  { input, made }: { input: SignUp; made: { userId: string; passwordHash: string } },
): Promise<void> {
  const { userId, passwordHash } = made;
  const mayMail = await mayMailAnother(identity, userId);
  await withTx(identity.db, async (tx) => {
    const isReplaced = await replaceSignUp(
      tx,
      identity.services,
      { actor: 'visitor', origin },
      { userId, details: { ...input, passwordHash } },
    );
    if (!mayMail) return;
    enqueueMail(tx, { kind: isReplaced ? 'confirm-email' : 'account-exists', userId });
  });
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
): Promise<
  { isNew: true; userId: string } | { isNew: false; userId: string; passwordHash: string }
> {
  const names = { firstName, lastName };
  try {
    const { result, reported } = await listen(() =>
      identity.auth.api.signUpEmail({
        body: { ...names, name: fullName(names), email, password },
        headers: callHeaders(origin),
      }),
    );
    const { existingUserId } = reported;
    if (existingUserId === undefined) return { isNew: true, userId: result.user.id };
    const passwordHash = invariant(reported.passwordHash, 'a known address hashes as well');
    return { isNew: false, userId: existingUserId, passwordHash };
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
        if (other === undefined) throw error;
        return { isNew: false, userId: other.id, passwordHash: await hashPassword(password) };
      }
      default:
        throw error;
    }
  }
}

/** Mails a person at another's request, unless they got too many such mails already. */
export async function mailConfirmation(identity: Identity, userId: string): Promise<void> {
  if (!(await mayMailAnother(identity, userId))) return;
  await withTx(identity.db, (tx) => enqueueMail(tx, { kind: 'confirm-email', userId }));
}
