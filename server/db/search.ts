import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * The ILIKE pattern that finds `text` anywhere; its own wildcards are taken literally. What is
 * searched this way has a trigram index.
 */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** What of a person is searched: the expression of the index `app_user_search`, word for word. */
const PERSON_WORDS = sql`(first_name || ' ' || last_name || ' ' || email || ' '
  || coalesce(employee_number, ''))`;

/**
 * The ids, as an array for `= ANY (...)`, of the people whose name, e-mail or employee number
 * matches. For rows that something else may find too: an index takes the array beside an OR, but
 * where none does, every row is compared with all of it.
 */
export function peopleMatching(pattern: string): RawBuilder<string[]> {
  return sql<string[]>`ARRAY(SELECT id FROM app_user WHERE ${PERSON_WORDS} ILIKE ${pattern})`;
}

/** Whether the column names one of those people; joined to them, however many they are. */
export function isPersonMatching(column: string, pattern: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} IN (
    SELECT id FROM app_user WHERE ${PERSON_WORDS} ILIKE ${pattern})`;
}
