import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder, pageAcross, pageOf } from './paging.ts';
import type { PagedSegment } from './paging.ts';

interface SpiedSegment extends PagedSegment<number> {
  counted: number;
  read: number;
}

/**
 * A segment with these rows that records how often it was counted, and how many of its rows were
 * read.
 */
function segmentOf(rows: readonly number[]): SpiedSegment {
  const segment: SpiedSegment = {
    counted: 0,
    read: 0,
    count: async () => {
      segment.counted += 1;
      return rows.length;
    },
    rows: async (offset, limit) => {
      const found = rows.slice(offset, offset + limit);
      segment.read += found.length;
      return found;
    },
  };
  return segment;
}

const WAITING = [1, 2, 3];
const REST = [4, 5, 6, 7];

describe('a page across segments', () => {
  test.each([
    [1, 2, [1, 2], true],
    [2, 2, [3, 4], true],
    [1, 3, [1, 2, 3], true],
    [2, 3, [4, 5, 6], true],
    [3, 3, [7], false],
    [4, 3, [], false],
    [1, 7, [1, 2, 3, 4, 5, 6, 7], false],
    [9, 7, [], false],
  ])('page %d of %d rows each has %j', async (page, pageSize, items, hasMore) => {
    const segments = [segmentOf(WAITING), segmentOf(REST)];
    expect(await pageAcross(segments, { page, pageSize })).toEqual({
      page,
      pageSize,
      items,
      hasMore,
    });
  });

  test('counts nothing while the page begins in the first segment', async () => {
    const [waiting, rest] = [segmentOf(WAITING), segmentOf(REST)];
    await pageAcross([waiting, rest], { page: 2, pageSize: 2 });
    expect([waiting.counted, rest.counted]).toEqual([0, 0]);
    await pageAcross([waiting, rest], { page: 3, pageSize: 2 });
    expect([waiting.counted, rest.counted]).toEqual([1, 0]);
  });

  test('does not read the second segment while the first has enough', async () => {
    const rest = segmentOf(REST);
    await pageAcross([segmentOf(WAITING), rest], { page: 1, pageSize: 2 });
    expect(rest.read).toBe(0);
  });

  test('is the same as of all rows in one segment, however they are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer(), { maxLength: 6 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (lists, page, pageSize) => {
          const inSegments = await pageAcross(lists.map(segmentOf), { page, pageSize });
          const inOne = await pageOf(segmentOf(lists.flat()).rows, { page, pageSize });
          expect(inSegments).toEqual(inOne);
        },
      ),
    );
  });
});

test('a page of one segment reads one row more than it shows, and counts nothing', async () => {
  const segment = segmentOf(REST);
  expect(await pageOf(segment.rows, { page: 1, pageSize: 3 })).toEqual({
    items: [4, 5, 6],
    page: 1,
    pageSize: 3,
    hasMore: true,
  });
  expect([segment.read, segment.counted]).toEqual([4, 0]);
});

test('rows are returned in the order of their ids, without missing ones', () => {
  const rows = [{ id: 'a' }, { id: 'c' }, { id: 'b' }];
  expect(inOrder(['c', 'gone', 'a', 'b'], rows).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});
