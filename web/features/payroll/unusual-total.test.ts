import { expect, test } from 'vitest';
import type { Money } from '#contract/money.ts';
import { isUnusual } from './unusual-total.tsx';

const usd = (minor: string): Money => ({ minor, currency: 'USD' });

test.each<[string, string | null, boolean]>([
  ['100000', '10000', true],
  ['99999', '10000', false],
  ['100000', null, false],
  ['100000', '0', false],
])('the admin must confirm a total of %s after one of %s: %s', (total, last, isAsked) => {
  const lastTotal = last === null ? null : usd(last);
  expect(isUnusual({ total: usd(total), lastTotal })).toBe(isAsked);
});
