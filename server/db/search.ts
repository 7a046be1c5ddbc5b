import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from './tx.ts';

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
 * Where a list's search looks: the row's own text, by the very expression of its index, and the
 * person whose id a column has (`withdrawal.user_id`).
 */
export type SearchedColumns =
  | { words: RawBuilder<unknown>; person?: string }
  | { words?: never; person: string };

/** Or that the tables which a list is read from are chosen by what is searched for. */
export type SearchedSources = 'in the sources';

/**
 * Whether a row is found, as one condition: lets one index serve both halves while a page is read.
 * Where none does, every row is compared with all people found; see {@link foundApart}.
 */
export function isFound(searched: SearchedColumns, text: string): RawBuilder<boolean> {
  const { words, person } = searched;
  const pattern = containsPattern(text);
  if (words !== undefined && person !== undefined) {
    return sql<boolean>`(${words} ILIKE ${pattern}
      OR ${sql.ref(person)} = ANY (${peopleMatching(pattern)}))`;
  }
  return sql<boolean>`${sql.join(foundApart(searched, text))}`;
}

/**
 * The same as conditions that no row passes twice: found by its own words, and only by whose it is.
 * Their counts add up, and each is made by the plan that suits it.
 */
export function foundApart(
  { words, person }: SearchedColumns,
  text: string,
): readonly RawBuilder<boolean>[] {
  const pattern = containsPattern(text);
  const byWords = words && sql<boolean>`${words} ILIKE ${pattern}`;
  const byPerson = person === undefined ? undefined : isPersonMatching(person, pattern);
  if (byWords === undefined) return byPerson === undefined ? [] : [byPerson];
  if (byPerson === undefined) return [byWords];
  return [byWords, sql<boolean>`NOT (${byWords}) AND ${byPerson}`];
}

/**
 * The ids, as an array for `= ANY (...)`, of the people whose name, e-mail or employee number
 * matches. For rows that something else may find too: an index takes the array beside an OR, but
 * where none does, every row is compared with all of it.
 */
function peopleMatching(pattern: string): RawBuilder<string[]> {
  return sql<string[]>`ARRAY(SELECT id FROM app_user WHERE ${PERSON_WORDS} ILIKE ${pattern})`;
}

/** Whether the column names one of those people; joined to them, however many they are. */
function isPersonMatching(column: string, pattern: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} IN (
    SELECT id FROM app_user WHERE ${PERSON_WORDS} ILIKE ${pattern})`;
}

/** Whether `app_user`, of which a statement has one row, matches. */
export function personMatches(text: string): RawBuilder<boolean> {
  return sql<boolean>`${PERSON_WORDS} ILIKE ${containsPattern(text)}`;
}

/** The ids of people who match, of no more than `most`; of `one` alone, if it is given. */
export async function findPeople(
  reader: Reader,
  { text, most }: { text: string; most: number },
  one?: string,
): Promise<string[]> {
  const isOne = one === undefined ? sql`true` : sql`id = ${one}`;
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM app_user WHERE ${personMatches(text)} AND ${isOne} LIMIT ${most}`.execute(
    reader,
  );
  return rows.map(({ id }) => id);
}
