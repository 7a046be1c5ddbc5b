import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { readSearchedAmount } from './searched-amount.ts';
import type { Reader } from './tx.ts';

/**
 * The words of a search. What is searched has to have each of them somewhere, in any order, so that a person is
 * found last name first as well. A comma between digits is a part of an amount.
 */
function searchedWords(text: string): string[] {
  return text
    .replaceAll('´', '')
    .split(/\s+|(?<!\d)[,،、，]|[,،、，](?!\d)/u)
    .filter((word) => word.normalize('NFKD').replaceAll(IGNORED, '') !== '');
}

/** Characters of which `search_text` leaves nothing. */
const IGNORED = /['`’‘‛ʼʻʹ′•]|\p{M}|\p{Cf}/gu;

/**
 * The LIKE pattern that finds a word anywhere in a text made by `search_text` (migrations/0250). The word's own
 * wildcards are taken literally, also those that `search_text` would make of wider ones.
 */
function wordPattern(word: string): RawBuilder<string> {
  const literal = word.normalize('NFKD').replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<string>`search_text(${`%${literal}%`}::text)`;
}

/**
 * Condition that a text has all words of a search.
 *
 * @param words SQL of a text made by `search_text`: a column `search_words`, which has a trigram index
 */
export function hasWords(words: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const conditions = searchedWords(text).map((word) => sql`${words} LIKE ${wordPattern(word)}`);
  if (conditions.length > 0) return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
  return text.trim() === '' ? sql<boolean>`true` : sql<boolean>`false`;
}

/** {@link hasWords} for words that no column keeps: each row's are made comparable when they are read. */
export function hasWordsNow(words: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return hasWords(sql`search_text(${words})`, text);
}

/**
 * SQL of `search_text`, for a text of many rows that no column keeps. It is not called for ASCII, as most texts are,
 * which would take five times as long.
 *
 * @param text evaluated three times
 */
export function comparable(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`CASE WHEN octet_length(${text}) = length(${text})
                  THEN lower(translate(${text}, '''\`', '') COLLATE "C") ELSE search_text(${text}) END`;
}

/** Searched words of an employee in lists of employees: the expression of the index `app_user_directory_search`. */
export const DIRECTORY_WORDS = sql`(app_user.search_words || ' ' || replace(app_user.department, '-', ' '))`;

/**
 * Columns in which a list's search looks: the row's own words and its amount in minor units, which have an index
 * each, and the person whose id a column has (`withdrawal.user_id`).
 */
export type SearchedColumns =
  | { words: RawBuilder<unknown>; amount?: RawBuilder<unknown>; person?: string }
  | { words?: never; amount?: never; person: string };

/** Or that the tables which a list is read from are chosen by what is searched for. */
export type SearchedSources = 'in the sources';

/**
 * Whether a row is found, as one condition: lets one index serve both halves while a page is read.
 * Where none does, every row is compared with all people found; see {@link foundApart}.
 */
export function isFound(searched: SearchedColumns, text: string): RawBuilder<boolean> {
  const { words, person } = searched;
  if (words !== undefined && person !== undefined) {
    return sql<boolean>`(${isFoundByOwn({ ...searched, words }, text)}
      OR ${sql.ref(person)} = ANY (${peopleMatching(text)}))`;
  }
  return sql<boolean>`${sql.join(foundApart(searched, text))}`;
}

/**
 * The same as conditions that no row passes twice: found by its own words, and only by whose it is.
 * Their counts add up, and each is made by the plan that suits it.
 */
export function foundApart(
  { words, amount, person }: SearchedColumns,
  text: string,
): readonly RawBuilder<boolean>[] {
  const byWords = words && isFoundByOwn({ words, amount }, text);
  const byPerson = person === undefined ? undefined : isPersonMatching(person, text);
  if (byWords === undefined) return byPerson === undefined ? [] : [byPerson];
  if (byPerson === undefined) return [byWords];
  return [byWords, sql<boolean>`NOT (${byWords}) AND ${byPerson}`];
}

/**
 * Condition that a row is found by its own words, or by an amount that was copied from it. The lists that have amounts
 * show them without a sign, so any sign is accepted.
 */
function isFoundByOwn(
  { words, amount }: { words: RawBuilder<unknown>; amount?: RawBuilder<unknown> | undefined },
  text: string,
): RawBuilder<boolean> {
  const searched = amount === undefined ? null : readSearchedAmount(text);
  const byWords = hasWords(words, text);
  return searched === null
    ? byWords
    : sql<boolean>`(${byWords} OR ${amount} = ${searched.minor}::bigint)`;
}

/**
 * The ids, as an array for `= ANY (...)`, of the people whose name, e-mail or employee number
 * matches. For rows that something else may find too: an index takes the array beside an OR, but
 * where none does, every row is compared with all of it.
 */
function peopleMatching(text: string): RawBuilder<string[]> {
  return sql<string[]>`ARRAY(SELECT id FROM app_user WHERE ${personMatches(text)})`;
}

/** Whether the column names one of those people; joined to them, however many they are. */
function isPersonMatching(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} IN (SELECT id FROM app_user WHERE ${personMatches(text)})`;
}

/** Whether `app_user`, of which a statement has one row, matches. */
export function personMatches(text: string): RawBuilder<boolean> {
  return hasWords(sql`app_user.search_words`, text);
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
