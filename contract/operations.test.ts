import { describe, expect, test } from 'vitest';
import { LIVE_READS } from './operations.ts';
import { PATHS } from './paths.ts';
import { ROUTES } from './routes/all.ts';
import type { RouteSpec } from './routes/define.ts';

const operations = Object.entries<RouteSpec>(ROUTES).map(([name, spec]) => ({ name, ...spec }));

test('names and addresses say which operations are the admins’', () => {
  expect(operations.length).toBeGreaterThan(50);
  const misnamed = operations.filter(({ name, path, access }) => {
    const isForAdmins = access === 'admin';
    return (
      /^admin[A-Z]/.test(name) !== isForAdmins || path.startsWith('/api/admin/') !== isForAdmins
    );
  });
  expect(misnamed).toEqual([]);
});

test('no operation is hidden by the address of an earlier one', () => {
  const hidden = operations.filter(({ method, path }, index) =>
    operations
      .slice(0, index)
      .some(
        (earlier) =>
          earlier.method === method &&
          new RegExp(`^${earlier.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      ),
  );
  expect(hidden.map(({ name }) => name)).toEqual([]);
});

test('every GET of JSON names the topics that change its reply', () => {
  const silent = operations.filter(
    ({ method, topics, reply }) => topics === null && method === 'GET' && typeof reply !== 'string',
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

describe('the browser knows of the operations, or else: npm run api:client', () => {
  test('the addresses', () => {
    const declared = operations.map(({ name, method, path }) => [name, [method, path]]);
    expect(PATHS).toEqual(Object.fromEntries(declared));
  });

  test('the topics', () => {
    const named = operations
      .filter(({ topics }) => topics !== null && topics.length > 0)
      .map(({ name, topics }) => [name, topics?.toSorted().join(' ')] as const);
    const known = LIVE_READS.flatMap(({ topics, reads }) =>
      reads.map((name) => [name, topics.join(' ')] as const),
    );
    expect(new Map<string, string>(known)).toEqual(new Map(named));
    expect(new Set(known.map(([name]) => name)).size).toBe(known.length);
  });
});
