import type { PersonAct } from '#contract/people.ts';
import type { Standing } from '#contract/statuses.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkStatus } from '#server/modules/journal/index.ts';

/** A person about to be decided on, their row locked. */
export interface LockedPerson {
  id: string;
  name: string;
  isAdmin: boolean;
}

/** Standing of the person of a row. */
export function standingOf(row: { acceptedAt: Date | null; deactivatedAt: Date | null }): Standing {
  if (row.deactivatedAt !== null) return 'deactivated';
  return row.acceptedAt === null ? 'applicant' : 'active';
}

/**
 * Locks a person for an admin's decision, and all active admins before. Where two admins deactivate
 * each other concurrently, the second is no longer one when it is their turn. Locked against the payroll
 * as well, which holds the people it pays (claimLines): it comes before this or sees what it did.
 *
 * @throws {AppError} `own_account`, `forbidden` when the acting admin is no longer one,
 *   `person_not_found`, `person_wrong_standing`, `last_admin` when it would leave the company none,
 *   `two_factor_is_off` for a reset of none, `person_erased` for a person whose key is destroyed
 */
export async function lockPerson(
  tx: Tx,
  by: CommandContext,
  { id, act }: { id: string; act: PersonAct },
): Promise<LockedPerson> {
  if (id === by.actor.id) throw new AppError('own_account');
  const admins = await lockActiveAdmins(tx);
  if (!admins.includes(by.actor.id)) throw new AppError('forbidden');
  const row = await tx
    .selectFrom('appUser')
    .select(['id', 'name', 'role', 'acceptedAt', 'deactivatedAt', 'twoFactorEnabled'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  const isAdmin = row.role === 'admin';
  const status = act === 'revokeAdmin' && !isAdmin ? row.role : standingOf(row);
  await checkStatus(tx, person, act, { id, status });
  const removes = act === 'deactivate' || act === 'revokeAdmin';
  if (removes && !admins.some((admin) => admin !== id)) throw new AppError('last_admin');
  if (act === 'resetTwoFactor' && !row.twoFactorEnabled) throw new AppError('two_factor_is_off');
  if (act === 'reactivate') await refuseErased(tx, id);
  return { id, name: row.name, isAdmin };
}

/**
 * Locks a person who left, so that nobody lets them in again until the transaction ends.
 *
 * @throws {AppError} `person_not_found`, `person_still_here`, `person_erased` once their key is destroyed
 */
export async function lockLeaver(tx: Tx, id: string): Promise<{ id: string; name: string }> {
  const row = await tx
    .selectFrom('appUser')
    .select(['id', 'name', 'deactivatedAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  if (row.deactivatedAt === null) throw new AppError('person_still_here');
  await refuseErased(tx, id);
  return { id, name: row.name };
}

/**
 * Their account numbers cannot be read any more, so nobody could be paid by them.
 *
 * @throws {AppError} `person_erased`
 */
async function refuseErased(tx: Tx, id: string): Promise<void> {
  const erased = await tx
    .selectFrom('dataKey')
    .select('userId')
    .where('userId', '=', id)
    .where('destroyedAt', 'is not', null)
    .executeTakeFirst();
  if (erased !== undefined) throw new AppError('person_erased');
}

/**
 * Locks the admin who makes an API key or an invite. Whoever ends their rights comes before this, or finds what was made
 * and revokes it (`revokeKeysOf`, `revokeInvitesOf`).
 *
 * @throws {AppError} `forbidden` when they are no admin any more
 */
export async function lockMaker(tx: Tx, id: string): Promise<void> {
  const maker = await tx
    .selectFrom('appUser')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (maker === undefined) throw new AppError('forbidden');
}

/** The ids of all active admins, whose rows are locked until the transaction ends. */
async function lockActiveAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
