import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { readSearchedAmount } from './searched-amount.ts';
import type { Reader } from './tx.ts';

/**
 * Words of a search. The searched text must contain each of them, in any order, so that people are
 * also found last name first. A comma between digits is a part of an amount.
 */
function searchedWords(text: string): string[] {
  return text
    .replaceAll('´', '')
    .split(/\s+|(?<!\d)[,،、，]|[,،、，](?!\d)/u)
    .filter((word) => word.normalize('NFKD').replaceAll(IGNORED, '') !== '');
}

/** Characters that `search_text` removes. */
const IGNORED = /['`’‘‛ʼʻʹ′•]|\p{M}|\p{Cf}/gu;

/**
 * LIKE pattern that finds a word anywhere in a text made by `search_text` (migrations/0300_01_rules.sql).
 * Wildcards in the word are escaped, also those that `search_text` would make of full-width ones.
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

/**
 * {@link hasWords} for text without such a column: each row's text is converted when it is read.
 */
export function hasWordsNow(words: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return hasWords(sql`search_text(${words})`, text);
}

/**
 * SQL of `search_text`, for a text of many rows without such a column. It is not called for ASCII,
 * as most texts are, because that would take five times as long.
 *
 * @param text evaluated three times
 */
export function comparable(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`CASE WHEN octet_length(${text}) = length(${text})
                  THEN lower(translate(${text}, '''\`', '') COLLATE "C") ELSE search_text(${text}) END`;
}

/**
 * Searched words of an employee in lists of employees: the expression of the index
 * `app_user_directory_search`.
 */
export const DIRECTORY_WORDS = sql`(app_user.search_words || ' ' || replace(app_user.department, '-', ' '))`;

/**
 * Columns in which a list's search looks: the row's own words and its amount in minor units, which
 * have an index each, and the person whose id a column has (`withdrawal.user_id`).
 */
export type SearchedColumns =
  | {
      words: RawBuilder<unknown>;
      amount?: RawBuilder<unknown>;
      person?: string;
      /** Condition that a row is found by rows of its own, such as the people whom a payroll pays. */
      parts?: (text: string) => RawBuilder<boolean>;
    }
  | { words?: never; amount?: never; parts?: never; person: string };

/** Alternative: the search chooses the tables that a list is read from. */
export type SearchedSources = 'in the sources';

/** Up to this many people a condition names them. For more, it compares each row with all of them, hashed. */
const FEW_PEOPLE = 1_000;

/**
 * Condition that a row is found. As one condition, it lets one index serve both halves while a page
 * is read: few people are looked up before, because an index accepts an array next to an OR.
 */
export async function readFound(
  reader: Reader,
  searched: SearchedColumns,
  text: string,
): Promise<RawBuilder<boolean>> {
  const { words, person } = searched;
  if (words === undefined || person === undefined) return isFound(searched, text);
  const ids = await findPeople(reader, { text, most: FEW_PEOPLE + 1 });
  const byPerson =
    ids.length > FEW_PEOPLE
      ? isPersonMatching(person, text)
      : sql`${sql.ref(person)} = ANY (${ids}::uuid[])`;
  return sql<boolean>`(${isFoundByOwn({ ...searched, words }, text)} OR ${byPerson})`;
}

/** Condition that a row is found, for one table that is read as a whole; see {@link readFound}. */
export function isFound(searched: SearchedColumns, text: string): RawBuilder<boolean> {
  const ways = foundApart(searched, text);
  return sql<boolean>`(${sql.join(ways, sql` OR `)})`;
}

/**
 * The same as conditions that no row matches twice: by its own words, and only by its person. Their
 * counts add up, and each has the plan that suits it.
 */
export function foundApart(
  { words, amount, person, parts }: SearchedColumns,
  text: string,
): readonly RawBuilder<boolean>[] {
  const byWords = words && isFoundByOwn({ words, amount, parts }, text);
  const byPerson = person === undefined ? undefined : isPersonMatching(person, text);
  if (byWords === undefined) return byPerson === undefined ? [] : [byPerson];
  if (byPerson === undefined) return [byWords];
  return [byWords, sql<boolean>`NOT (${byWords}) AND ${byPerson}`];
}

type OwnColumns = {
  words: RawBuilder<unknown>;
  amount?: RawBuilder<unknown> | undefined;
  parts?: ((text: string) => RawBuilder<boolean>) | undefined;
};

/**
 * Condition that a row is found by its own words or parts, or by an amount that was copied from it. Lists
 * with amounts show them without a sign, so any sign is accepted.
 */
function isFoundByOwn({ words, amount, parts }: OwnColumns, text: string): RawBuilder<boolean> {
  const searched = amount === undefined ? null : readSearchedAmount(text);
  const ways = [
    hasWords(words, text),
    ...(searched === null ? [] : [sql<boolean>`${amount} = ${searched.minor}::bigint`]),
    ...(parts === undefined ? [] : [parts(text)]),
  ];
  return sql<boolean>`(${sql.join(ways, sql` OR `)})`;
}

/**
 * Condition that the column names one of the people whose name, e-mail or employee number matches; a join, however many
 * they are.
 */
function isPersonMatching(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} IN (SELECT id FROM app_user WHERE ${personMatches(text)})`;
}

/** Condition that `app_user`, of which a statement has one row, matches. */
export function personMatches(text: string): RawBuilder<boolean> {
  return hasWords(sql`app_user.search_words`, text);
}

interface WantedPeople {
  text: string;
  most: number;
}

/** Ids of matching people, at most `most`; only that of `one`, if it is given. */
export async function findPeople(
  reader: Reader,
  { text, most }: WantedPeople,
  one?: string,
): Promise<string[]> {
  const isOne = one === undefined ? sql`true` : sql`id = ${one}`;
  return idsOf(reader, sql`${personMatches(text)} AND ${isOne}`, most);
}

/** Ids of the people who do not match, at most `most`. */
export function findOtherPeople(reader: Reader, { text, most }: WantedPeople): Promise<string[]> {
  return idsOf(reader, sql`NOT ${personMatches(text)}`, most);
}

async function idsOf(reader: Reader, where: RawBuilder<unknown>, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM app_user WHERE ${where} LIMIT ${most}`.execute(reader);
  return rows.map(({ id }) => id);
}
