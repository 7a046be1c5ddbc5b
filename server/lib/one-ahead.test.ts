import { expect, it } from 'vitest';
import { oneAhead, readAhead } from './one-ahead.ts';

const ITEMS = [1, 2, 3, 4];
type Make = (item: number) => Promise<number>;

async function* madeOf(make: Make): AsyncGenerator<number, void> {
  for (const item of ITEMS) yield await make(item);
}

const ways: readonly [string, (make: Make) => AsyncGenerator<number, void>][] = [
  ['oneAhead', (make) => oneAhead(ITEMS, make)],
  ['readAhead', (make) => readAhead(madeOf(make))],
];

it.each(ways)('%s makes the next one while one is used, and no more', async (_name, through) => {
  const begun: number[] = [];
  const used: number[] = [];
  const make = (item: number) => {
    begun.push(item);
    return Promise.resolve(item);
  };
  for await (const item of through(make)) {
    used.push(item);
    expect(begun).toEqual(ITEMS.slice(0, item + 1));
  }
  expect(used).toEqual(ITEMS);
});

it.each(ways)(
  '%s throws an error in the place of its result, and none after its caller stopped',
  async (_name, through) => {
    const make = (item: number) =>
      item === 3 ? Promise.reject(new Error('three')) : Promise.resolve(item);
    const used: number[] = [];
    const using = async (most: number) => {
      for await (const item of through(make)) {
        used.push(item);
        if (item === most) break;
      }
    };
    await expect(using(4)).rejects.toThrow('three');
    await using(2);
    expect(used).toEqual([1, 2, 1, 2]);
  },
);
