import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, choice, day, defineList, firstView, id, readAddress, text } from './list.ts';
import type { AddressOf, QueryOf } from './list.ts';
import * as LISTS from './lists.ts';
import { ROUTES } from './routes/all.ts';
import type { RouteSpec } from './routes/define.ts';
import { listRoutes } from './routes/list.ts';
import { day as daySchema } from './routes/values.ts';

/** Everything that a declaration can have. */
const list = defineList({
  operations: { rows: 'adminListWithdrawals', count: 'adminCountWithdrawals' },
  filters: {
    search: text,
    kind: choice(['open', 'closed', 'all']),
    from: day,
    least: amount,
    person: id,
  },
  sort: { natural: 'newest', columns: ['amount'] },
  pageSize: 15,
  pageSizes: [15, 50],
});
const PERSON = '0193f1d0-0000-7000-8000-000000000001';

describe('the address of a list', () => {
  const first: AddressOf<typeof list> = {
    search: '',
    kind: 'open',
    from: '',
    least: '',
    person: '',
    sort: 'newest',
    direction: 'desc',
    page: 1,
    rows: 15,
  };

  it('is the first view while it says nothing', () => {
    expect(readAddress(list, {})).toEqual(first);
    expect(firstView(list)).toEqual(first);
  });

  it('is read as text, or as what has a text', () => {
    const asked = {
      search: 147,
      kind: 'all',
      from: '2026-12-08',
      least: '100',
      person: PERSON,
      sort: 'amount',
      direction: 'asc',
      page: '3',
      rows: '50',
    };
    expect(readAddress(list, asked)).toEqual({ ...asked, search: '147', page: 3, rows: 50 });
    expect(readAddress(list, { search: true }).search).toBe('true');
  });

  it.each([
    { kind: 'ajar' },
    { kind: ['all'] },
    { search: 'x'.repeat(101) },
    { search: 'Maya\u0007' },
    { from: '2026-13-01' },
    { from: '2026-02-30' },
    { from: '0000-01-01' },
    { from: 'yesterday' },
    { least: '-1' },
    { least: '1.50' },
    { person: 'maya' },
    { rows: 51 },
    { rows: '1e9' },
    { sort: 'password' },
    { direction: 'asc' },
    { sort: 'newest', direction: 'asc' },
    { page: '0' },
    { page: '-1' },
    { page: '2.5' },
    { page: '1e3' },
    { page: '10001' },
    { cursor: 'x' },
  ])('falls back to the default for %j', (search) => {
    expect(readAddress(list, search)).toEqual(first);
  });

  it('has a cursor instead of a number where the list goes by cursors', () => {
    const endless = defineList({
      operations: { rows: 'listWithdrawals' },
      filters: {},
      paging: 'cursor',
      pageSize: 50,
    });
    const cursor = Buffer.from('["newest","after","1"]').toString('base64url');
    expect(readAddress(endless, { page: '3', cursor })).toEqual({ cursor });
    for (const none of ['garbage', 'WyJu\u0000', `${cursor}=`, 7])
      expect(readAddress(endless, { cursor: none })).toEqual({ cursor: '' });
  });
});

describe('a query', () => {
  const query = listRoutes('/api/things', list, daySchema, {
    summary: 'x',
    access: 'admin',
    topics: [],
  }).adminListWithdrawals.query;

  it('has the defaults of the declaration', () => {
    const { rows, ...first } = firstView(list);
    const defaults: QueryOf<typeof list> = { ...first, pageSize: rows };
    expect(query.parse({})).toEqual(defaults);
  });

  it('takes of a filter exactly what an address does', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        'open',
        'closed',
        'all',
        '2026-12-08',
        '2026-02-30',
        '0000-01-01',
        '100',
        '007',
        PERSON,
      ),
      fc.date().map(String),
    );
    fc.assert(
      fc.property(fc.constantFrom('kind', 'from', 'least', 'person'), value, (name, given) => {
        const isTaken = query.safeParse({ [name]: given }).success;
        const isKept = readAddress(list, { [name]: given })[name as 'kind'] === given;
        // A value that one refuses falls back to the default in the other.
        expect(isKept).toBe(isTaken);
      }),
    );
  });
});

it.each(Object.entries(LISTS))('%s is served at its own addresses', (_name, { operations }) => {
  const served = Object.values(operations).filter((name) => name !== null);
  const addresses = served
    .map((name) => ROUTES[name])
    .map(({ method, path }) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(served.length);
  for (const address of addresses) expect(address).toMatch(/^GET /);
});

describe('a range that ends before it starts', () => {
  const RANGES = [
    ['from', 'to', '2026-12-01', '2026-12-02'],
    ['least', 'most', '999', '1000'],
  ] as const;
  const cases = Object.entries<RouteSpec>(ROUTES).flatMap(([name, { query }]) =>
    RANGES.flatMap(([start, end, low, high]) =>
      query !== undefined && start in query.shape && end in query.shape
        ? [{ name, query, start, end, low, high }]
        : [],
    ),
  );

  it('is asked of lists, counts, exports, sums and balances', () => {
    expect(cases.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'listHistory',
        'countHistory',
        'exportHistory',
        'getAccountSpan',
        'listReceipts',
        'adminListTransactions',
        'adminExportTransactions',
        'adminTransactionStats',
        'adminListAudit',
        'adminExportAudit',
        'adminListPaid',
        'adminPaidTotals',
      ]),
    );
  });

  it.each(cases)('is refused by $name at $end', ({ name, query, start, end, low, high }) => {
    const rest = name === 'getAccountSpan' ? { account: 'salary' } : {};
    const refused = query.safeParse({ ...rest, [start]: high, [end]: low });
    expect(refused.error?.issues).toMatchObject([{ path: [end] }]);
    for (const range of [
      { [start]: low, [end]: high },
      { [start]: low, [end]: low },
      { [start]: high },
    ]) {
      expect(query.safeParse({ ...rest, ...range }).success).toBe(true);
    }
  });
});
