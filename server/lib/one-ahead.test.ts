import { expect, it } from 'vitest';
import { oneAhead } from './one-ahead.ts';

const ITEMS = [1, 2, 3, 4];

it('makes the next one while one is used, and no more', async () => {
  const begun: number[] = [];
  const used: number[] = [];
  const make = (item: number) => {
    begun.push(item);
    return Promise.resolve(item);
  };
  for await (const item of oneAhead(ITEMS, make)) {
    used.push(item);
    expect(begun).toEqual(ITEMS.slice(0, item + 1));
  }
  expect(used).toEqual(ITEMS);
});

it('throws an error in the place of its result, and none after its caller stopped', async () => {
  const make = (item: number) =>
    item === 3 ? Promise.reject(new Error('three')) : Promise.resolve(item);
  const used: number[] = [];
  const using = async (most: number) => {
    for await (const item of oneAhead(ITEMS, make)) {
      used.push(item);
      if (item === most) break;
    }
  };
  await expect(using(4)).rejects.toThrow('three');
  await using(2);
  expect(used).toEqual([1, 2, 1, 2]);
});
