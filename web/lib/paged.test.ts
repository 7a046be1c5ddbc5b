import { describe, expect, test } from 'vitest';
import { isOnlyPage, lastPage, lastRowNumber, totalKnownFrom } from './paged.ts';

const place = { page: 3, pageSize: 15, shown: 15, hasMore: true };

test('a row’s place counts the pages before it', () => {
  expect(lastRowNumber(place)).toBe(45);
  expect(lastRowNumber({ ...place, shown: 4 })).toBe(34);
  expect(lastRowNumber({ ...place, shown: 0 })).toBe(0);
});

describe('the total that a page says', () => {
  test.each([
    ['a page that others follow', {}, undefined],
    ['the last page', { shown: 4, hasMore: false }, 34],
    ['a full last page', { hasMore: false }, 45],
    ['an empty list', { page: 1, shown: 0, hasMore: false }, 0],
    ['a page past the end', { shown: 0, hasMore: false }, undefined],
  ])('%s', (_, changes, total) => {
    expect(totalKnownFrom({ ...place, ...changes })).toBe(total);
  });
});

describe('the last page to offer', () => {
  test.each([
    ['is the next one while the total is unknown', { total: undefined }, 4],
    ['is this one when nothing follows', { total: undefined, hasMore: false }, 3],
    ['comes from the total', { total: 46 }, 4],
    ['is the first of an empty list', { page: 1, total: 0, hasMore: false }, 1],
    ['is no deeper than pages go', { total: 1_000_000 }, 100],
  ])('%s', (_, changes, last) => {
    expect(lastPage({ ...place, ...changes }, 100)).toBe(last);
  });
});

describe('all there is stands on one page', () => {
  const numbered = { kind: 'numbered', ...place, total: undefined } as const;
  const byCursor = { kind: 'cursor', shown: 3 } as const;
  test.each([
    [true, { ...numbered, page: 1, hasMore: false }],
    [false, { ...numbered, page: 1 }],
    [false, { ...numbered, page: 2, hasMore: false }],
    [true, { ...byCursor, previous: null, next: null }],
    [false, { ...byCursor, previous: null, next: 'x' }],
    [false, { ...byCursor, previous: 'x', next: null }],
  ])('%s for %j', (isOnly, at) => {
    expect(isOnlyPage(at)).toBe(isOnly);
  });
});
