import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** Whose documents are made, and when. */
export interface DocumentScope {
  person: { id: string; name: string; employeeId: string | null };
  settings: CompanySettings;
  now: Date;
}

export async function documentScope(
  reader: Reader,
  userId: string,
  now: Date,
): Promise<DocumentScope> {
  const person = await reader
    .selectFrom('appUser')
    .select(['id', 'name', 'employeeNumber as employeeId'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return {
    person: invariant(person, 'who is signed in is a user'),
    settings: await readSettings(reader),
    now,
  };
}
