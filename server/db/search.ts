import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * The ILIKE pattern that finds `text` anywhere; its own wildcards are taken literally. What is
 * searched this way has a trigram index.
 */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * The ids, as an array for `= ANY (...)`, of the people whose name, e-mail or employee number
 * matches. The expression is that of the index `app_user_search`, word for word.
 */
export function peopleMatching(pattern: string): RawBuilder<string[]> {
  return sql<string[]>`ARRAY(SELECT id FROM app_user
    WHERE (first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, ''))
          ILIKE ${pattern})`;
}
