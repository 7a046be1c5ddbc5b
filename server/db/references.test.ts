import { describe, expect, it } from 'vitest';
import { spread } from './references.ts';

describe('spread', () => {
  it('gives eight digits', () => {
    expect(spread(1n)).toBe('61803399');
    expect(spread(2n)).toBe('23606798');
    for (const number of [3n, 12_345n, 99_999_999n]) expect(spread(number)).toMatch(/^\d{8}$/);
  });

  it('never repeats, also past eight digits', () => {
    const seen = new Set<string>();
    for (let number = 1n; number <= 20_000n; number += 1n) {
      seen.add(spread(number));
      seen.add(spread(number + 100_000_000n));
    }
    expect(seen.size).toBe(40_000);
  });
});
