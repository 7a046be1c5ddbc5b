import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Column that people are sorted by: the last name, or a single name. It is exactly the expression
 * of the index `app_user_by_name`.
 *
 * @param person the alias of `app_user`
 */
export function sortedName(person: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql`coalesce(nullif(${column('last_name')}, ''), ${column('first_name')})`;
}
