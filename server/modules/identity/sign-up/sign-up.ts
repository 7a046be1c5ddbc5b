import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { fullName } from '#contract/person-name.ts';
import { person } from '#contract/things/person.ts';
import { withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { answerAfter, ANSWER_WITH_HASH_AFTER_MS } from '../answer-after.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { mayMailAnother } from '../may-mail.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { findUserByEmail } from '../queries.ts';
import { refuseGuessable } from '../passwords/refuse-guessable.ts';
import { setPassword } from '../passwords/set-password.ts';
import { invalidEmail } from './create-accounts.ts';
import { replaceSignUp } from './replace-sign-up.ts';

type SignUp = RouteArguments<'signUp'>['body'];

/**
 * Makes the account of an applicant, whom an admin accepts (acceptPerson). What follows (number, wallet,
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
  return answerAfter(identity, ANSWER_WITH_HASH_AFTER_MS, async () => {
    const made = await createApplicant(identity, input);
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

/**
 * The account alone, committed before the rest. Nothing that a request has besides can be in it: `role`
 * changes by an invite, and an admin accepts.
 *
 * @returns for an address that has an account, also one of a sign-up at the same time, that one's person
 * @throws {AppError} `invalid_request`
 */
async function createApplicant(
  { db, services }: Identity,
  { password, firstName, lastName, ...input }: SignUp,
): Promise<{ isNew: boolean; userId: string; passwordHash: string }> {
  const email = emailRule.clean(input.email);
  if (emailRule.problem(email) !== undefined) throw invalidEmail();
  const passwordHash = await hashPassword(password);
  return withTx(db, async (tx) => {
    const at = services.clock.now();
    const names = { firstName, lastName, name: fullName({ firstName, lastName }) };
    const made = await tx
      .insertInto('appUser')
      .values({ id: newId(at.getTime()), email, ...names, createdAt: at, updatedAt: at })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made !== undefined) {
      await setPassword(tx, { userId: made.id, passwordHash, at });
      return { isNew: true, userId: made.id, passwordHash };
    }
    const other = invariant(await findUserByEmail(tx, email), 'an address is taken by nobody');
    return { isNew: false, userId: other.id, passwordHash };
  });
}

/** Mails a person at another's request, unless they got too many such mails already. */
export async function mailConfirmation(identity: Identity, userId: string): Promise<void> {
  if (!(await mayMailAnother(identity, userId))) return;
  await withTx(identity.db, (tx) => enqueueMail(tx, { kind: 'confirm-email', userId }));
}
