import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Name of the person whose id a column holds, for what is selected. Its type is `string | null` for a column that may
 * be empty.
 *
 * @param column table or alias, and column: `payroll_draft.created_by`
 */
export function personName<Name extends string | null = string>(column: string): RawBuilder<Name> {
  return sql<Name>`(SELECT name FROM app_user WHERE app_user.id = ${sql.ref(column)})`;
}
