import { expect, test } from 'vitest';
import { pagesList } from './pages-list.ts';

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [5, 9, [1, 'gap', 4, 5, 6, 'gap', 9]],
  [3, 9, [1, 2, 3, 4, 'gap', 9]],
  [4, 9, [1, 2, 3, 4, 5, 'gap', 9]],
  [9, 9, [1, 'gap', 8, 9]],
])('page %d of %d offers %j', (current, last, pages) => {
  expect(pagesList(current, last)).toEqual(pages);
});
