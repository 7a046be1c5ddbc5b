import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { compareCatalog, readExpectedCatalog } from './catalog/compare-catalog.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { withClient } from './embedded/roles.ts';
import { migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';
import { withTx } from './tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { DIRECTORY_WORDS, findPeople, hasWords } from './search.ts';

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

  it('by no part of a name that they do not have, and by no wildcard', async () => {
    const others = ["'", '•', '\u0301', 'Maya Perez', 'Simsekk', '%', '_', '％', '\\', "o''x"];
    for (const text of others) {
      // oxlint-disable-next-line no-await-in-loop -- a few searches
      expect(await findPeople(db.db, { text, most: 100 }), text).toEqual([]);
    }
  });
});

test('names stored in another form are brought into NFC, and user-entered text is not changed', async () => {
  const before = await createTestDatabase();
  const [id, bankId] = [newId(), newId()];
  const searched = ['app_user', 'bank_account', 'withdrawal', 'deposit', 'bill', 'person_payment'];
  const columns = searched.map((table) => `ALTER TABLE ${table} DROP COLUMN search_words;`);
  await withClient(before.ownerUrl, async (client) => {
    await client.query(`DELETE FROM purser_migration WHERE name ~ '^(0250|0260)';
      DROP TABLE wallet_move; DROP FUNCTION wallet_move_check_money; DROP INDEX ledger_total_move;
      ${columns.join('')} DROP FUNCTION search_text;
      ALTER TABLE app_user DROP CONSTRAINT app_user_normal_names;
      CREATE INDEX app_user_search ON app_user (id);
      CREATE INDEX app_user_directory_search ON app_user (id);
      CREATE INDEX withdrawal_search ON withdrawal (id);
      CREATE INDEX deposit_search ON deposit (id);
      CREATE INDEX bill_search ON bill (id);
      CREATE INDEX bank_account_search ON bank_account (id);
      CREATE INDEX person_payment_search ON person_payment (id)`);
    // The person is accepted, so their name changes only with a correction.
    await client.query(
      `INSERT INTO app_user (id, email, first_name, last_name, name, accepted_at)
       VALUES ($1, 'nuria@purser.test', $2, $3, $2 || ' ' || $3, now())`,
      [id, 'Nu\u0301ria', 'Pe\u0301rez'],
    );
    await client.query(
      `INSERT INTO bank_account (id, user_id, bank_name, account_type, account_number_encrypted,
         account_number_hash, hash_key_id, last4, routing_number, holder_name)
       VALUES ($1, $2, 'Alder Bank', 'checking', '', '', 'k', '2208', '084207311', $3)`,
      [bankId, id, 'Nu\u0301ria Pe\u0301rez'],
    );
  });
  await migrate(before.ownerUrl, { log: () => undefined });
  const rows = await withClient(before.ownerUrl, async (client) => [
    ...(await client.query('SELECT first_name, name FROM app_user WHERE id = $1', [id])).rows,
    ...(await client.query('SELECT holder_name FROM bank_account WHERE id = $1', [bankId])).rows,
  ]);
  expect(rows).toEqual([
    { first_name: 'N\u00faria', name: 'N\u00faria P\u00e9rez' },
    // The audit trail has a hash of it.
    { holder_name: 'Nu\u0301ria Pe\u0301rez' },
  ]);
  const catalog = createPool({ url: before.ownerUrl, max: 1 });
  const found = await withTx(createDb(catalog), readCatalog);
  await catalog.end();
  expect(compareCatalog(found, readExpectedCatalog())).toEqual([]);
  await before.drop();
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
