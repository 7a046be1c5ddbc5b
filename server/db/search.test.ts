import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { withClient } from './embedded/roles.ts';
import { newId } from '#server/lib/ids.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { DIRECTORY_WORDS, findPeople, hasWords, readFound } from './search.ts';

/**
 * Names, each with searches that find it. Addresses must not contain the names, or they would match
 * instead.
 */
const FOUND: readonly [firstName: string, lastName: string, searches: readonly string[]][] = [
  ['Çağla', 'Şimşek', ['Simsek', 'simsek', 'SIMSEK', 'cagla şimşek']],
  ['François', 'Lefèvre', ['francois lefevre', 'Lefèvre, François', 'Lefèvre François']],
  ['François', 'Lefèvre', ['francois  lefevre', ' lefevre,francois ', 'Lefe\u0300vre', 'lefèvre']],
  [
    'Sean',
    'O’Brien',
    ["O'Brien", 'O’Brien', 'OʼBrien', 'O‘Brien', 'O`Brien', 'O´Brien', 'OBrien', 'obrien'],
  ],
  ["D'Arcy", 'Webb', ['D’Arcy', "webb, d'arcy", 'darcy']],
  ['Núria', 'Pérez', ['Núria', 'Nu\u0301ria', 'Perez', 'nuria', 'Perez Nuria']],
  [
    'Maya',
    'Castellanos',
    ['Castellanos, Maya', 'castellanos   maya', 'May Cast', 'Maya\u00a0Castell'],
  ],
  ['Łukasz', 'Groß', ['lukasz', 'gross', 'GROß', 'ŁUKASZ']],
  ['Søren', 'Ægidius', ['soren', 'aegidius', 'SØREN']],
  ['Γιώργος', 'Παπαδόπουλος', ['γιωργοσ', 'ΓΙΏΡΓΟΣ', 'παπαδοπουλος']],
  ['Иван', 'Чёрный', ['иван', 'ИВАН', 'черный', 'Чёрный, Иван']],
  ['محمد', 'علي', ['محمد', 'مُحَمَّد', 'علي محمد']],
  ['山田', '太郎', ['山田', '太郎 山田', '山田　太郎']],
  ['민준', '김', ['김', '민준', '김 민준']],
  ['Anne-Marie', 'Roe', ['anne‑marie', 'Anne–Marie Roe', '\u200eRoe\u200b']],
];

let db: TestDb;
const idOf = new Map<string, string>();

beforeAll(async () => {
  db = await openTestDb();
  for (const [firstName, lastName] of FOUND) {
    const name = `${firstName} ${lastName}`;
    if (idOf.has(name)) continue;
    const id = newId();
    idOf.set(name, id);
    // oxlint-disable-next-line no-await-in-loop -- a few people
    await db.db
      .insertInto('appUser')
      .values({ id, email: `${id}@purser.test`, firstName, lastName, name })
      .execute();
  }
});
afterAll(() => db.close());

describe('people are found', () => {
  it.each(
    FOUND.flatMap(([first, last, searches]) =>
      searches.map((search) => [`${first} ${last}`, search] as const),
    ),
  )('%s by “%s”', async (name, search) => {
    const found = await findPeople(db.db, { text: search, most: 100 });
    expect(found).toEqual([idOf.get(name)]);
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM app_user WHERE is_employee AND ${hasWords(DIRECTORY_WORDS, search)}`.execute(
      db.db,
    );
    expect(rows.map((one) => one.name)).toEqual([name]);
  });

  it('not by a part of a name that they do not have, and not by a wildcard', async () => {
    const others = ["'", '•', '\u0301', 'Maya Perez', 'Simsekk', '%', '_', '％', '\\', "o''x"];
    for (const text of others) {
      // oxlint-disable-next-line no-await-in-loop -- a few searches
      expect(await findPeople(db.db, { text, most: 100 }), text).toEqual([]);
    }
  });
});

test.each([
  { found: 'few people', text: 'castellanos' },
  { found: 'more people than a condition names', text: 'crowd' },
])('rows are found by their own words and by their people: $found', async ({ text }) => {
  await sql`
    INSERT INTO app_user (id, email, first_name, last_name, name)
    SELECT gen_random_uuid(), number || '@crowd.test', 'Of', 'Many', 'Of Many'
      FROM generate_series(1, 1001) AS number
        ON CONFLICT DO NOTHING`.execute(db.db);
  const [person = ''] = await findPeople(db.db, { text, most: 1 });
  const [other = ''] = await findPeople(db.db, { text: 'perez', most: 1 });
  const searched = { words: sql`request.search_words`, person: 'request.user_id' };
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (VALUES ('by its person', ${person}::uuid, 'rent'), ('by its words', ${other}::uuid, ${text}),
                           ('not', ${other}::uuid, 'rent')) AS request (id, user_id, search_words)
     WHERE ${await readFound(db.db, searched, text)}`.execute(db.db);
  expect(rows.map(({ id }) => id)).toEqual(['by its person', 'by its words']);
});

test('a name in another form than NFC is refused by the table', async () => {
  const decomposed = 'Nu\u0301ria';
  await expect(
    db.db
      .insertInto('appUser')
      .values({ email: 'a@b.test', firstName: decomposed, lastName: 'Roe', name: decomposed })
      .execute(),
  ).rejects.toThrow('app_user_normal_names');
});

test('texts are compared alike in every locale', async () => {
  const names = FOUND.map(([first, last]) => `${first} ${last}`);
  const { rows } = await sql<{ definition: string; words: string[] }>`
    SELECT pg_get_functiondef('search_text'::regproc) AS definition,
           ARRAY(SELECT search_text(name) FROM unnest(${names}::text[]) WITH ORDINALITY AS one (name, place)
                  ORDER BY place) AS words`.execute(db.db);
  const [{ definition, words } = { definition: '', words: [] }] = rows;
  const database = `locale_c_${newId().replaceAll('-', '')}`;
  await withClient(db.superuserUrl, (client) =>
    client.query(
      `CREATE DATABASE ${database} TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C' ENCODING 'UTF8'`,
    ),
  );
  const url = new URL(db.superuserUrl);
  url.pathname = `/${database}`;
  const inC = await withClient(url.toString(), async (client) => {
    await client.query(definition);
    const all = `ARRAY(SELECT search_text(name) FROM unnest($1::text[]) WITH ORDINALITY AS one (name, place)
      ORDER BY place) AS words`;
    return (await client.query<{ words: string[] }>(`SELECT ${all}`, [names])).rows[0]?.words;
  });
  await withClient(db.superuserUrl, (client) => client.query(`DROP DATABASE ${database}`));
  expect(inC).toEqual(words);
});
