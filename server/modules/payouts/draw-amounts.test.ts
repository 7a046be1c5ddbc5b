import { describe, expect, it } from 'vitest';
import { drawAmounts } from './micro-deposits.ts';

describe('the amounts of micro-deposits', () => {
  it('are two different ones of 1 to 99 cents', () => {
    const drawn = Array.from({ length: 5_000 }, drawAmounts);
    expect(drawn.every(([one, two]) => one !== two)).toBe(true);
    for (const at of [0, 1] as const) {
      const amounts = new Set(drawn.map((pair) => Number(pair[at])));
      expect([Math.min(...amounts), Math.max(...amounts), amounts.size]).toEqual([1, 99, 99]);
    }
  });
});
