import { sql } from 'kysely';
import { fullName } from '#contract/person-name.ts';
import { person } from '#contract/things/person.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';

/** Data about the person in a sign-up. */
export interface SignUpDetails {
  firstName: string;
  lastName: string;
  /** Result of `hashPassword`, made outside the transaction. */
  passwordHash: string;
}

/**
 * Replaces password and name of an account that has nothing but its sign-up on an address that nobody
 * confirmed: whoever signed up first may not be who owns the address, and is to keep nothing. Their
 * sessions end and the links that were mailed so far are spent, so that a link confirms the sign-up it
 * was mailed for.
 *
 * @returns false, with nothing changed, for any other account
 */
export async function replaceSignUp(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: AuditContext,
  { userId, details }: { userId: string; details: SignUpDetails },
): Promise<boolean> {
  // Against a link that is opened, and an admin who accepts the person, at the same time.
  await lockUser(tx, userId);
  if (!(await isSignUpAlone(tx, userId))) return false;
  const { firstName, lastName, passwordHash } = details;
  const updatedAt = clock.now();
  await tx
    .updateTable('appUser')
    .set({ name: fullName({ firstName, lastName }), firstName, lastName, updatedAt })
    .where('id', '=', userId)
    .execute();
  await tx
    .updateTable('authAccount')
    .set({ password: passwordHash, updatedAt })
    .where('userId', '=', userId)
    .execute();
  await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
  await endSessionsOf(tx, userId);
  journal(tx, by, person, 'signUpAgain', { id: userId, at: updatedAt });
  return true;
}

/**
 * True if nobody ever signed in to the account, no admin acted on it, and it has no more than what
 * signing up makes: an untouched application and an empty salary wallet.
 */
async function isSignUpAlone(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM app_user AS person
     WHERE id = ${userId} AND role = 'employee' AND NOT email_verified
       AND accepted_at IS NULL AND deactivated_at IS NULL AND payouts_frozen_at IS NULL
       AND last_login_at IS NULL AND NOT two_factor_enabled
       AND NOT EXISTS (SELECT FROM kyc_application
                        WHERE user_id = person.id AND (status <> 'in_progress' OR version > 1))
       AND NOT EXISTS (SELECT FROM kyc_document WHERE user_id = person.id)
       AND NOT EXISTS (SELECT FROM wallet WHERE user_id = person.id AND type <> 'salary')
       AND NOT EXISTS (SELECT FROM ledger_entry
                         JOIN ledger_account ON ledger_account.id = account_id
                        WHERE owner_id = person.id)
       AND NOT EXISTS (SELECT FROM bank_account WHERE user_id = person.id)
       AND NOT EXISTS (SELECT FROM deposit WHERE user_id = person.id)
       AND NOT EXISTS (SELECT FROM withdrawal WHERE user_id = person.id)
       AND NOT EXISTS (SELECT FROM payee WHERE user_id = person.id)`.execute(tx);
  return rows.length > 0;
}
