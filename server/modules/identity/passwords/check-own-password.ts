import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { countWrongPassword } from './password-attempts.ts';
import { verifyPassword } from './password-hash.ts';

interface Given {
  password: string;
  /** Event of the audit trail for a wrong one. */
  refusedAs: 'password.change_refused' | 'two_factor.password_refused';
}

/**
 * Checks the present password of the acting person before how they sign in is changed. Wrong ones are
 * counted and recorded.
 *
 * @throws {AppError} `invalid_password`, `too_many_requests`
 */
export async function checkOwnPassword(
  identity: Identity,
  { actor, origin }: Call & CommandContext,
  { password, refusedAs }: Given,
): Promise<void> {
  const { attempts, db } = identity;
  await attempts.spend('changeOfPassword', actor.id);
  const account = await db
    .selectFrom('authAccount')
    .select('password')
    .where('userId', '=', actor.id)
    .executeTakeFirst();
  if (!(await verifyPassword(account?.password ?? null, password))) {
    await countWrongPassword(identity, origin);
    await withTx(db, (tx) => record(tx, { actor, origin }, refusedAs, { id: actor.id }));
    throw new AppError('invalid_password');
  }
  await attempts.forgive('changeOfPassword', actor.id);
}
