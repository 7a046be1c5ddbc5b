import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countAcross, inOrder, pageAcross, pageOf } from './paging.ts';
import type { ListPart } from './paging.ts';

interface SpiedPart extends ListPart<number> {
  counted: number;
  read: number;
}

/** A part with these rows that notes how often it was counted, and how many rows were read of it. */
function partOf(rows: readonly number[]): SpiedPart {
  const part: SpiedPart = {
    counted: 0,
    read: 0,
    count: async () => {
      part.counted += 1;
      return rows.length;
    },
    rows: async (offset, limit) => {
      const found = rows.slice(offset, offset + limit);
      part.read += found.length;
      return found;
    },
  };
  return part;
}

const WAITING = [1, 2, 3];
const REST = [4, 5, 6, 7];

describe('a page across parts', () => {
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
    const parts = [partOf(WAITING), partOf(REST)];
    expect(await pageAcross(parts, { page, pageSize })).toEqual({ page, pageSize, items, hasMore });
  });

  test('counts nothing while the page begins in the first part', async () => {
    const [waiting, rest] = [partOf(WAITING), partOf(REST)];
    await pageAcross([waiting, rest], { page: 2, pageSize: 2 });
    expect([waiting.counted, rest.counted]).toEqual([0, 0]);
    await pageAcross([waiting, rest], { page: 3, pageSize: 2 });
    expect([waiting.counted, rest.counted]).toEqual([1, 0]);
  });

  test('leaves the second part alone while the first has enough', async () => {
    const rest = partOf(REST);
    await pageAcross([partOf(WAITING), rest], { page: 1, pageSize: 2 });
    expect(rest.read).toBe(0);
  });

  test('is the same as of all rows in one, however they are parted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer(), { maxLength: 6 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (lists, page, pageSize) => {
          const inParts = await pageAcross(lists.map(partOf), { page, pageSize });
          const inOne = await pageOf(partOf(lists.flat()).rows, { page, pageSize });
          expect(inParts).toEqual(inOne);
        },
      ),
    );
  });
});

test('a page of one part reads one row more than it shows, and counts nothing', async () => {
  const part = partOf(REST);
  expect(await pageOf(part.rows, { page: 1, pageSize: 3 })).toEqual({
    items: [4, 5, 6],
    page: 1,
    pageSize: 3,
    hasMore: true,
  });
  expect([part.read, part.counted]).toEqual([4, 0]);
});

test('counts all parts together', async () => {
  expect(await countAcross([partOf(WAITING), partOf([]), partOf(REST)])).toEqual({ total: 7 });
});

test('rows come back in the order of their ids, without those that are gone', () => {
  const rows = [{ id: 'a' }, { id: 'c' }, { id: 'b' }];
  expect(inOrder(['c', 'gone', 'a', 'b'], rows).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});
