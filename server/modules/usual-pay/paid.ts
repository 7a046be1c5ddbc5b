import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** SQL that is true if payroll can pay a person of that table or alias: an employee who was accepted and has not left. */
export function isPaidSql(person: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql<boolean>`(${column('is_employee')} AND ${column('accepted_at')} IS NOT NULL
    AND ${column('deactivated_at')} IS NULL)`;
}
