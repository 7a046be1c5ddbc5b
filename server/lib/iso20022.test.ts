import { expect, test } from 'vitest';
import { plainAmount } from './iso20022.ts';

test.each<[string, bigint | null]>([
  ['8.85', 885n],
  ['8.8', 880n],
  ['8', 800n],
  ['8.', 800n],
  ['.50', 50n],
  ['.5', 50n],
  ['0', 0n],
  ['0000000000012.34', 1_234n],
  ['8.850', 885n],
  ['8.85000', 885n],
  ['8.00000', 800n],
  ['.50000', 50n],
  ['8.85001', null],
  ['8.855', null],
  ['.005', null],
  ['8.850000', null],
  ['.', null],
  ['', null],
  ['-8.85', null],
  ['8,85', null],
  ['8.85 ', null],
  ['1e2', null],
  ['1000000000000.00', null],
])('the amount “%s” is %s', (written, minor) => {
  expect(plainAmount(written)).toBe(minor);
});
