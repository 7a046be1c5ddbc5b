import { expect, test } from 'vitest';
import { LIVE_READS } from './live-reads.ts';
import { PATHS } from './paths.ts';
import type { RouteName } from './paths.ts';
import { ROUTES } from './routes/all.ts';
import type { RouteSpec } from './routes/define.ts';

const operations = Object.entries<RouteSpec>(ROUTES).map(([name, spec]) => ({
  name: name as RouteName,
  ...spec,
}));

test('every GET of JSON names the topics that change its reply', () => {
  const silent = operations.filter(
    ({ name, topics, reply }) =>
      topics === null && PATHS[name][0] === 'GET' && typeof reply !== 'string',
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('the browser knows the topics that the operations name; if not: npm run live:reads', () => {
  const named = operations
    .filter(({ topics }) => topics !== null && topics.length > 0)
    .map(({ name, topics }) => [name, topics?.toSorted().join(' ')] as const);
  const known = LIVE_READS.flatMap(({ topics, reads }) =>
    reads.map((name) => [name, topics.join(' ')] as const),
  );
  expect(new Map(known)).toEqual(new Map(named));
  expect(new Set(known.map(([name]) => name)).size).toBe(known.length);
});
