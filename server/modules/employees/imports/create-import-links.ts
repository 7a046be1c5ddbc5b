import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { MAX_PASSWORD_LINKS } from '#contract/limits.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { createPasswordLinks } from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { findImport } from './present.ts';

/**
 * Creates links to a first password for the next MAX_PASSWORD_LINKS people of an import, in the order of
 * the file. People who have a password by now are left out.
 *
 * @param input.after row that the last reply ended with, 0 for the first
 * @throws {AppError} `import_not_found`; the refusals of `createPasswordLinks`
 */
export async function createImportLinks(
  identity: Identity,
  by: CommandContext,
  { id, after, way }: RouteArguments<'adminCreateImportLinks'>['body'] & { id: string },
): Promise<RouteReply<'adminCreateImportLinks'>> {
  await findImport(identity.db, id);
  const rows = await identity.db
    .selectFrom('employeeImportRow')
    .select(['rowNumber', 'userId'])
    .where('importId', '=', id)
    .where('status', '=', 'imported')
    .where('rowNumber', '>', after)
    .orderBy('rowNumber')
    .limit(MAX_PASSWORD_LINKS)
    .execute();
  const personIds = rows.flatMap(({ userId }) => (userId === null ? [] : [userId]));
  const made =
    personIds.length === 0
      ? { links: [], mailedCount: 0 }
      : await createPasswordLinks(identity, by, { personIds, way });
  const isLast = rows.length < MAX_PASSWORD_LINKS;
  return { ...made, next: isLast ? null : (rows.at(-1)?.rowNumber ?? null) };
}
