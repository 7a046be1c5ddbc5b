import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failedToLoad, isDrawn } from './query-error.tsx';

/** Words of other sentences: two titles that the product's specification has, a message under a title, the start. */
const OTHERS = [
  'Error Loading Transactions',
  'Error Loading Accounts',
  'Your activity could not be loaded either.',
  'Your session could not be loaded',
  'Purser could not be loaded.',
];

test('one sentence says in every screen what could not be loaded', () => {
  expect(failedToLoad('the withdrawal')).toBe('Failed to load the withdrawal');
  const found = globSync('web/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
      const sentences = code.match(/['"](?:Error Loading|[^'"\n]*could not be loaded)[^'"\n]*/g);
      return (sentences ?? []).map((sentence) => `${file}: ${sentence.slice(1)}`);
    });
  expect(found.filter((line) => !OTHERS.some((other) => line.includes(other)))).toEqual([]);
});

/** Tables without pages, whose rows give way to the error as those of a list do. */
const TABLES = [
  'web/features/identity/api-keys/api-keys.tsx',
  'web/features/identity/invites/admin-invites.tsx',
  'web/features/identity/invites/admins.tsx',
  'web/features/webhooks/deliveries.tsx',
  'web/features/webhooks/webhooks.tsx',
  'web/pages/admin/dashboard.tsx',
];

test('data that could not be updated stays under the error, but for rows of a list', () => {
  const REPLACES = /isError\) return <QueryError|\{\s*\w+\.isError \? \(?\s*<QueryError/;
  const found = globSync('web/**/*.tsx').filter((file) =>
    REPLACES.test(readFileSync(file, 'utf8')),
  );
  expect(found.toSorted()).toEqual(TABLES);
  expect(isDrawn({ data: undefined, isError: true })).toBe(false);
  expect(isDrawn({ data: undefined, isError: false })).toBe(true);
  expect(isDrawn({ data: {}, isError: true })).toBe(true);
});
