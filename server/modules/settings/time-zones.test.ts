import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TIME_ZONE_IDS, TIME_ZONE_LABELS, zoneOf } from '#contract/time-zones.ts';
import { localMoment } from '#server/lib/csv-moments.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';

/** Winter, summer, and the hours around the changes of clocks in Europe and in the United States. */
const MOMENTS = [
  '2027-01-15T12:00:00Z',
  '2027-07-15T12:00:00Z',
  '2027-03-14T12:00:00Z',
  '2027-03-28T00:59:59Z',
  '2027-03-28T01:00:00Z',
  '2027-10-31T00:59:59Z',
  '2027-10-31T01:00:00Z',
  '2027-11-07T12:00:00Z',
];

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it.each(TIME_ZONE_IDS)('PostgreSQL and the server have one clock in %s', async (id) => {
  const { rows } = await sql<{ local: string }>`
    SELECT to_char(at::timestamptz AT TIME ZONE ${zoneOf(id)}, 'YYYY-MM-DD HH24:MI:SS') AS local
      FROM unnest(${MOMENTS}::text[]) WITH ORDINALITY AS moment (at, number)
     ORDER BY number`.execute(test.db);
  const here = MOMENTS.map((at) => localMoment(zoneOf(id), new Date(at)).slice(0, 19));
  expect(rows.map(({ local }) => local)).toEqual(here);
});

it.each(TIME_ZONE_IDS)('the words of %s name its time in winter', (id) => {
  const offset = Number(localMoment(zoneOf(id), new Date('2027-01-15T12:00:00Z')).slice(19, 22));
  const american: Readonly<Record<number, string>> = {
    [-5]: 'EST',
    [-6]: 'CST',
    [-7]: 'MST',
    [-8]: 'PST',
  };
  expect(TIME_ZONE_LABELS[id]).toContain(`(${american[offset] ?? `UTC+${offset}`})`);
});
