import { can } from '#contract/can.ts';
import { personCan } from '#contract/people.ts';
import type { PersonAction, Standing } from '#contract/people.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';

/** A person about to be decided on, their row locked. */
export interface LockedPerson {
  id: string;
  name: string;
  isAdmin: boolean;
}

/** Where the person of a row stands. */
export function standingOf(row: { acceptedAt: Date | null; deactivatedAt: Date | null }): Standing {
  if (row.deactivatedAt !== null) return 'deactivated';
  return row.acceptedAt === null ? 'applicant' : 'active';
}

/**
 * Locks a person for an admin's decision, and all active admins before: of two admins who deactivate
 * each other at once, the second is not one any more when it is their turn. Locked against the payroll
 * as well, which holds the people it pays (claimLines): it comes before this or sees what it did.
 *
 * @throws {AppError} `own_account`, `forbidden` when the acting admin is not one any more,
 *   `person_not_found`, `person_wrong_standing`, `last_admin` when it would leave the company none
 */
export async function lockPerson(
  tx: Tx,
  by: CommandContext,
  { id, action }: { id: string; action: PersonAction },
): Promise<LockedPerson> {
  if (id === by.actor.id) throw new AppError('own_account');
  const admins = await lockActiveAdmins(tx);
  if (!admins.includes(by.actor.id)) throw new AppError('forbidden');
  const row = await tx
    .selectFrom('appUser')
    .select(['id', 'name', 'role', 'acceptedAt', 'deactivatedAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  const standing = standingOf(row);
  const isAdmin = row.role === 'admin';
  if (!can(personCan, action, standing) || (action === 'revokeAdmin' && !isAdmin)) {
    throw new AppError('person_wrong_standing', { standing: isAdmin ? standing : row.role });
  }
  const removes = action === 'deactivate' || action === 'revokeAdmin';
  if (removes && !admins.some((admin) => admin !== id)) throw new AppError('last_admin');
  return { id, name: row.name, isAdmin };
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
