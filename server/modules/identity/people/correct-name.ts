import type { RouteReply } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import type { PersonName } from '#contract/person-name.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { lockPerson } from '../lock-person.ts';

/** Most corrections of one person's name that are listed. */
const MAX_LISTED = 50;

export interface NameCorrection extends PersonName {
  /** The person. */
  id: string;
  reason: string;
  /** The name when the admin began. */
  seen: PersonName;
}

/**
 * Changes the name of another person and keeps the former one. What follows from it elsewhere is the
 * caller's (`correctName` in employees).
 *
 * @returns the full names before and after
 * @throws {AppError} as `lockPerson`; `conflict` when the name is not `seen` any more; `name_unchanged`
 */
export async function changeName(
  tx: Tx,
  by: CommandContext,
  { id, firstName, lastName, reason, seen }: NameCorrection,
  at: Date,
): Promise<{ before: string; after: string }> {
  await lockPerson(tx, by, { id, act: 'correctName' });
  const former = await tx
    .selectFrom('appUser')
    .select(['firstName', 'lastName'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (former.firstName !== seen.firstName || former.lastName !== seen.lastName) {
    throw new AppError('conflict');
  }
  if (former.firstName === firstName && former.lastName === lastName) {
    throw new AppError('name_unchanged');
  }
  await tx
    .insertInto('nameCorrection')
    .values({
      id: newId(at.getTime()),
      userId: id,
      firstName,
      lastName,
      reason,
      formerFirstName: former.firstName,
      formerLastName: former.lastName,
      correctedBy: by.actor.id,
      correctedAt: at,
    })
    .execute();
  const names = { before: fullName(former), after: fullName({ firstName, lastName }) };
  await tx
    .updateTable('appUser')
    .set({ name: names.after, firstName, lastName, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return names;
}

/** Corrections of a person's name, newest first. */
export async function listNameCorrections(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listMyNameCorrections'>> {
  const rows = await reader
    .selectFrom('nameCorrection')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('correctedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return {
    items: rows.map((row) => ({
      id: row.id,
      before: fullName({ firstName: row.formerFirstName, lastName: row.formerLastName }),
      after: fullName(row),
      reason: row.reason,
      at: row.correctedAt.toISOString(),
    })),
  };
}
