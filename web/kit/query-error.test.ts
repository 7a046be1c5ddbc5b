import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failedToLoad } from './query-error.tsx';

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
