import { AppError } from '#server/lib/errors.ts';
import type { Identity } from '../identity.ts';
import type { TriedAccount } from '../passwords/password-attempts.ts';
import { verifyPassword } from '../passwords/password-hash.ts';

/**
 * The person whose password it is, if they may sign in. Takes as long for an unknown address as for a wrong password. The
 * caller has counted the attempt.
 *
 * @throws {AppError} `invalid_credentials`, `email_not_confirmed`, `account_deactivated`
 */
export async function checkPassword(
  identity: Identity,
  account: TriedAccount,
  password: string,
): Promise<{ id: string; twoFactorEnabled: boolean }> {
  const person = await identity.db
    .selectFrom('appUser')
    .leftJoin('authAccount', 'authAccount.userId', 'appUser.id')
    .select(['appUser.id', 'password', 'emailVerified', 'deactivatedAt', 'twoFactorEnabled'])
    .where('email', '=', account.email)
    .executeTakeFirst();
  const isRight = await verifyPassword(person?.password ?? null, password);
  if (person === undefined || !isRight) throw new AppError('invalid_credentials');
  if (identity.confirmsEmail && !person.emailVerified) throw new AppError('email_not_confirmed');
  if (person.deactivatedAt !== null) throw new AppError('account_deactivated');
  return person;
}
