import { expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { chartScale } from './chart-scale.ts';

const scaleOf = (...amounts: bigint[]) => chartScale(amounts.map((minor) => money(minor, 'EUR')));
const labels = (...amounts: bigint[]) => scaleOf(...amounts).lines.map(({ label }) => label);

test('has at most three lines at round amounts, none above the highest bar', () => {
  expect(labels(1_420_000n, 2_140_000n, 631_240n)).toEqual(['€10k', '€20k']);
  expect(labels(39_999n)).toEqual(['€100', '€200', '€300']);
  expect(labels(650_000_000n)).toEqual(['€2M', '€4M', '€6M']);
  expect(labels(620_000n)).toEqual(['€2k', '€4k', '€6k']);
});

test('leaves room above the highest bar', () => {
  expect(scaleOf(2_400n).top).toBeGreaterThan(2_400n);
});

test('has no lines without data', () => {
  expect(chartScale([])).toEqual({ top: 1n, lines: [] });
  expect(scaleOf(0n, 0n)).toEqual({ top: 1n, lines: [] });
});
