import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amount, choice, day, defineList, firstView, id, text } from '#contract/list.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { ascending, descending, key } from './list-order.ts';
import { readsList } from './list.ts';
import { createDb, createPool } from './pool.ts';
import type { Db, Reader } from './tx.ts';

/** Like the list of all transactions: without bound, filtered by day, amount, kind and person. */
const byCursor = defineList({
  operations: { rows: 'adminListWithdrawals', export: 'adminExportWithdrawals' },
  filters: {
    search: text,
    kind: choice(['all', 'in', 'out']),
    from: day,
    least: amount,
    person: id,
  },
  sort: { natural: 'newest', columns: ['amount'] },
  paging: 'cursor',
  pageSize: 3,
});

/**
 * The same rows with page numbers, as a queue of two segments and in an order of two directions.
 */
const byNumber = defineList({
  operations: { rows: 'adminListWithdrawals', count: 'adminCountWithdrawals' },
  filters: { kind: choice(['all', 'in', 'out']) },
  pageSize: 3,
});

interface Row {
  id: string;
  note: string;
}

interface Scope {
  /** A note that is never shown. */
  hidden: string;
  timeZone: string;
}

const ROWS = 11;
const PERSON = '00000000-0000-4000-8000-0000000000aa';
const OTHER = '00000000-0000-4000-8000-0000000000bb';
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const ID = key(sql`event.id`, 'uuid');
const AT = key(sql`event.at`, 'instant');
const readRows = async (reader: Reader, ids: readonly string[]): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    SELECT id, note FROM event WHERE id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
};

const events = readsList(byCursor, {
  from: () => [sql`event`],
  id: sql`event.id`,
  within: ({ hidden }) => sql`event.note <> ${hidden}`,
  where: {
    kind: (kind) => sql`event.kind = ${kind}`,
    from: (first, { timeZone }) =>
      sql`event.at >= ${first}::date::timestamp AT TIME ZONE ${timeZone}`,
    least: (minor) => sql`event.amount >= ${minor}::bigint`,
    person: (person) => sql`event.person_id = ${person}`,
  },
  search: { words: sql`search_text(event.note)` },
  sorts: { amount: [key(sql`event.amount`, 'whole'), ID] },
  segments: () => [{ order: descending(AT, ID) }],
  rows: readRows,
  present: (row: Row, _scope: Scope) => row.note,
  csv: [
    { header: 'Note', cell: ({ note }) => textCell(note) },
    { header: 'Fixed', cell: () => plainCell('x') },
  ],
});

/** Two tables, in an order whose columns have two directions. */
const queue = readsList(byNumber, {
  from: () => [
    sql`(SELECT * FROM event WHERE kind = 'in') AS event`,
    sql`(SELECT * FROM event WHERE kind = 'out') AS event`,
  ],
  id: sql`event.id`,
  where: { kind: (kind) => sql`event.kind = ${kind}` },
  segments: () => [
    {
      where: sql`event.amount > 400`,
      order: [...descending(key(sql`event.amount`, 'whole')), ...ascending(AT, ID)],
    },
    { where: sql`event.amount <= 400`, order: descending(AT, ID) },
  ],
  rows: readRows,
  present: (row: Row) => row.note,
});

let test: TestDb;
let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  test = await openTestDb();
  const pool = createPool({ url: test.ownerUrl, max: 2 });
  db = createDb(pool);
  close = () => pool.end();
  await sql`CREATE TABLE event (id uuid PRIMARY KEY, at timestamptz NOT NULL, amount bigint NOT NULL,
    kind text NOT NULL, note text NOT NULL, person_id uuid NOT NULL)`.execute(db);
  // Rows 1 to 4 are microseconds apart, within one millisecond; the others are seconds apart.
  await sql`INSERT INTO event
    SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
           timestamptz '2026-12-08 04:59:59.123400Z' +
             CASE WHEN n <= 4 THEN n * interval '1 microsecond' ELSE n * interval '1 second' END,
           (n % 3) * 100 + 300, CASE WHEN n % 2 = 0 THEN 'in' ELSE 'out' END, 'Row ' || n,
           CASE WHEN n <= 5 THEN ${PERSON}::uuid ELSE ${OTHER}::uuid END
      FROM generate_series(1, ${ROWS}::int) AS n`.execute(db);
});
afterAll(async () => {
  await close();
  await test.close();
});

const scope = { hidden: 'nothing', timeZone: 'America/New_York' };
type Query = Parameters<typeof events.page>[1];
const page = (changes: Partial<Query> = {}) =>
  events.page(db, { ...firstView(byCursor), pageSize: 3, ...changes }, scope);
const notes = (...numbers: number[]) => numbers.map((number) => `Row ${number}`);

/** All pages in one direction, beginning with the first or from a cursor. */
async function walk(changes: Partial<Query>, side: 'next' | 'previous'): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = changes.cursor ?? '';
  while (cursor !== null) {
    const found: Awaited<ReturnType<typeof page>> = await page({ ...changes, cursor });
    pages.push(found.items);
    cursor = found[side];
  }
  return pages;
}

describe('pages by cursor', () => {
  it('have all rows once, also if several have the same millisecond', async () => {
    const pages = [notes(11, 10, 9), notes(8, 7, 6), notes(5, 4, 3), notes(2, 1)];
    expect(await walk({}, 'next')).toEqual(pages);
  });

  it('go back the same way', async () => {
    const second = await page({ cursor: (await page()).next ?? '' });
    const third = await page({ cursor: second.next ?? '' });
    expect(third.items).toEqual(notes(5, 4, 3));
    expect(await walk({ cursor: third.previous ?? '' }, 'previous')).toEqual([
      notes(8, 7, 6),
      notes(11, 10, 9),
    ]);
    expect((await page()).previous).toBeNull();
  });

  it('follow a sorted column, both ways, with equal values by id', async () => {
    const upwards = (await walk({ sort: 'amount', direction: 'asc' }, 'next')).flat();
    expect(upwards).toEqual(notes(3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
    const downwards = (await walk({ sort: 'amount', direction: 'desc' }, 'next')).flat();
    expect(downwards).toEqual(upwards.toReversed());
  });

  it('lose and repeat nothing when rows are added between them', async () => {
    const first = await page();
    await sql`INSERT INTO event VALUES (${idOf(99)}, now() + interval '10 years', 1, 'in', 'Late', ${OTHER})`.execute(
      db,
    );
    expect((await page({ cursor: first.next ?? '' })).items).toEqual(notes(8, 7, 6));
    await sql`DELETE FROM event WHERE id = ${idOf(99)}`.execute(db);
  });

  it('are filtered by choice, day of the company, amount, person, words and scope', async () => {
    const all = async (changes: Partial<Query>) => (await walk(changes, 'next')).flat();
    expect(await all({ kind: 'in' })).toEqual(notes(10, 8, 6, 4, 2));
    // Midnight in New York is 05:00 in UTC.
    expect(await all({ from: '2026-12-08' })).toEqual(notes(11, 10, 9, 8, 7, 6, 5));
    expect(await all({ from: '2026-12-07' })).toHaveLength(ROWS);
    expect(await all({ least: '500' })).toEqual(notes(11, 8, 5, 2));
    expect(await all({ person: PERSON })).toEqual(notes(5, 4, 3, 2, 1));
    expect(await all({ search: 'row 1' })).toEqual(notes(11, 10, 1));
    const { items } = await events.page(
      db,
      { ...firstView(byCursor), pageSize: 3 },
      { ...scope, hidden: 'Row 11' },
    );
    expect(items).toEqual(notes(10, 9, 8));
  });

  it.each([
    'nonsense',
    '',
    'e30',
    Buffer.from('[]').toString('base64url'),
    Buffer.from('["newest desc","after","x","y"]').toString('base64url'),
    Buffer.from(`["newest desc","after","1","${idOf(1)}","more"]`).toString('base64url'),
    Buffer.from(`["newest desc","beside","1","${idOf(1)}"]`).toString('base64url'),
    Buffer.from(`["newest desc","after","99999999999999999","${idOf(1)}"]`).toString('base64url'),
    Buffer.from(`["newest desc","after",1,"${idOf(1)}"]`).toString('base64url'),
  ])('refuse text that is no cursor: %j', async (cursor) => {
    if (cursor === '') expect((await page({ cursor })).items).toEqual(notes(11, 10, 9));
    else {
      await expect(page({ cursor })).rejects.toMatchObject({
        code: 'invalid_request',
        fields: [{ path: 'cursor' }],
      });
    }
  });

  it('refuse the cursor of another order', async () => {
    const { next } = await page();
    const sorted = page({ cursor: next ?? '', sort: 'amount' });
    await expect(sorted).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a list of two tables in two segments', () => {
  const EXPECTED = notes(2, 5, 8, 11, 10, 9, 7, 6, 4, 3, 1);
  const numbered = (number: number, pageSize: number) =>
    queue.page(db, { kind: 'all', page: number, pageSize }, null);

  it('is one list', async () => {
    expect((await numbered(1, 100)).items).toEqual(EXPECTED);
    expect(await queue.count(db, { kind: 'all' }, null)).toEqual({ total: ROWS });
    expect(await queue.count(db, { kind: 'in' }, null)).toEqual({ total: 5 });
  });

  it.each([1, 2, 3, 4, 5])('is the same in pages of %d', async (pageSize) => {
    const pages: string[] = [];
    for (let number = 1; ; number += 1) {
      const { items, hasMore } = await numbered(number, pageSize);
      pages.push(...items);
      if (!hasMore) break;
    }
    expect(pages).toEqual(EXPECTED);
  });

  it('returns the neighbours of a row, across segments and directions', async () => {
    const noteOf = (found: string | null) => found && `Row ${Number(found.slice(-12))}`;
    const view = { kind: 'all' } as const;
    for (const [index, note] of EXPECTED.entries()) {
      const own = idOf(Number(note.slice(4)));
      const { previous, next } = await queue.neighbours(db, own, view, null);
      expect([noteOf(previous), noteOf(next)]).toEqual([
        EXPECTED[index - 1] ?? null,
        EXPECTED[index + 1] ?? null,
      ]);
    }
  });

  it('continues from a row that no longer passes the filter', async () => {
    const { next } = await queue.neighbours(db, idOf(5), { kind: 'in' }, null);
    expect(next).toBe(idOf(8));
  });
});

it('exports all rows of a view, however small the chunks', async () => {
  const lines = async (chunkRows?: number) => {
    let csv = '';
    for await (const chunk of events.csv(db, firstView(byCursor), scope, { chunkRows }))
      csv += chunk;
    return csv.trimEnd().split('\r\n');
  };
  const whole = await lines();
  expect(whole).toEqual([
    'Note,Fixed',
    ...notes(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1).map((n) => `${n},x`),
  ]);
  for (const rows of [1, 2, 11]) expect(await lines(rows)).toEqual(whole);
});
