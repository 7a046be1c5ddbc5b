import { ownWordProblem, SAME_PASSWORD } from '#contract/passwords.ts';
import type { PasswordOwner } from '#contract/passwords.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { isCommonPassword } from './common-passwords.ts';
import { verifyPassword } from './password-hash.ts';

/**
 * Refuses a new password that is common or holds a word that others know of its owner, at the field that
 * it came in. The schema of the operation has refused a weak one by then.
 *
 * @throws {AppError} `invalid_request`
 */
export async function refuseGuessable(
  reader: Reader,
  {
    field,
    password,
    owner,
  }: { field: string; password: string; owner: Omit<PasswordOwner, 'companyName'> },
): Promise<void> {
  const { companyName } = await readSettings(reader);
  const message = isCommonPassword(password)
    ? 'This password is too common and easy to guess. Choose another.'
    : ownWordProblem(password, { ...owner, companyName });
  refuseFor(field, message);
}

/**
 * Refuses a new password that is the present one of a person.
 *
 * @throws {AppError} `invalid_request`
 */
export async function refusePresent(
  reader: Reader,
  { field, password, userId }: { field: string; password: string; userId: string },
): Promise<void> {
  const account = await reader
    .selectFrom('authAccount')
    .select('password')
    .where('userId', '=', userId)
    .executeTakeFirst();
  const isPresent = await verifyPassword(account?.password ?? null, password);
  refuseFor(field, isPresent ? SAME_PASSWORD : undefined);
}

/** @throws {AppError} `invalid_request` */
function refuseFor(field: string, message: string | undefined): void {
  if (message !== undefined) throw new AppError('invalid_request', {}, [{ path: field, message }]);
}

/** Facts with which `refuseGuessable` compares a person's password. */
export async function readOwner(
  reader: Reader,
  userId: string,
): Promise<Omit<PasswordOwner, 'companyName'>> {
  return reader
    .selectFrom('appUser')
    .select(['firstName', 'lastName', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}
