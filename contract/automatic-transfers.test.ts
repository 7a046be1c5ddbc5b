import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allotTransfers,
  formatPercent,
  isMoreThanWhole,
  readPercent,
} from './automatic-transfers.ts';
import type { TransferShare } from './automatic-transfers.ts';

const fixed = (amountMinor: bigint) => ({ kind: 'fixed', amountMinor }) as const;
const percent = (hundredths: number) => ({ kind: 'percent', hundredths }) as const;
const above = (amountMinor: bigint) => ({ kind: 'above', amountMinor }) as const;
const amountsOf = (
  rules: Parameters<typeof allotTransfers>[0],
  paidMinor: bigint,
  availableMinor = paidMinor,
) => allotTransfers(rules, { paidMinor, availableMinor }).map(({ amountMinor }) => amountMinor);

describe('the available amount is divided', () => {
  it('in the order of the rules, until nothing is left', () => {
    const rules = [fixed(50_000n), fixed(30_000n), fixed(20_000n)];
    expect(amountsOf(rules, 60_000n)).toEqual([50_000n, 10_000n, 0n]);
  });

  it('as the picture shows it', () => {
    const rules = [fixed(15_000n), percent(500), above(50_000n)];
    expect(amountsOf(rules, 242_640n, 546_236n)).toEqual([15_000n, 12_132n, 469_104n]);
  });

  it('takes percentages of the payroll line and not of the balance', () => {
    expect(amountsOf([percent(5_000)], 1_000n, 900_000n)).toEqual([500n]);
  });

  it.each([
    ['a third of 100.00, three times', 10_000n, [3_333n, 3_333n, 3_333n]],
    ['a third of 100.01, three times', 10_001n, [3_333n, 3_333n, 3_333n]],
    ['a third of 1.00, three times', 100n, [33n, 33n, 33n]],
    ['a third of 2.00, three times', 200n, [66n, 66n, 67n]],
    ['a third of one cent', 1n, [0n, 0n, 0n]],
  ])('cents go to the last percentage: %s', (_, paid, expected) => {
    expect(amountsOf([percent(3_333), percent(3_333), percent(3_333)], paid)).toEqual(expected);
  });

  it('one cent goes to the last of two halves', () => {
    expect(amountsOf([percent(5_000), percent(5_000)], 1n)).toEqual([0n, 1n]);
    expect(amountsOf([percent(5_000), percent(5_000)], 3n)).toEqual([1n, 2n]);
  });

  it('the last may take the rest', () => {
    expect(amountsOf([percent(3_333), above(0n)], 10_001n)).toEqual([3_333n, 6_668n]);
  });

  it('a rule that is left out takes nothing, and the rest is kept or taken by a later one', () => {
    const leftOut = { ...fixed(500n), isLeftOut: true };
    expect(amountsOf([leftOut, fixed(300n)], 600n)).toEqual([0n, 300n]);
    expect(amountsOf([leftOut, above(100n)], 600n)).toEqual([0n, 500n]);
  });

  it('nothing where less than nothing is available', () => {
    expect(amountsOf([fixed(1n), percent(10_000), above(0n)], 5n, -5n)).toEqual([0n, 0n, 0n]);
  });
});

const minor = fc.bigInt({ min: 0n, max: 99_999_999_999_999n });
const share: fc.Arbitrary<TransferShare & { isLeftOut: boolean }> = fc
  .tuple(
    fc.oneof(minor.map(fixed), fc.integer({ min: 1, max: 10_000 }).map(percent), minor.map(above)),
    fc.boolean(),
  )
  .map(([rule, isLeftOut]) => ({ ...rule, isLeftOut }));

it('never takes more than is available, less than nothing, or more than a rule says', () => {
  fc.assert(
    fc.property(fc.array(share, { maxLength: 10 }), minor, minor, (rules, paidMinor, available) => {
      const allotted = allotTransfers(rules, { paidMinor, availableMinor: available });
      let left = available;
      for (const [index, { wantedMinor, amountMinor }] of allotted.entries()) {
        expect(amountMinor >= 0n && amountMinor <= wantedMinor && amountMinor <= left).toBe(true);
        // Either it got all it wanted, or everything there was.
        if (rules[index]?.isLeftOut !== true) {
          expect(amountMinor === wantedMinor || amountMinor === left).toBe(true);
        }
        left -= amountMinor;
      }
      expect(left >= 0n).toBe(true);
    }),
  );
});

it('percentages that are a whole sum to the payroll line, to the cent', () => {
  const wholes = fc
    .array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 9 })
    .map((cuts) => [...new Set([...cuts, 10_000])].toSorted((one, other) => one - other))
    .map((cuts) => cuts.map((cut, index) => percent(cut - (cuts[index - 1] ?? 0))));
  fc.assert(
    fc.property(wholes, minor, (rules, paid) => {
      const sum = amountsOf(rules, paid).reduce((total, amount) => total + amount, 0n);
      expect(sum).toBe(paid);
    }),
  );
});

it.each([
  ['5', 500],
  ['33.33', 3_333],
  ['12,5 %', 1_250],
  ['100', 10_000],
  ['0.01', 1],
])('reads %s', (typed, hundredths) => {
  expect(readPercent(typed)).toBe(hundredths);
});

it.each(['', '0', '100.01', '-5', '1e2', '33.333', '5 5', '1,000'])('refuses %j', (typed) => {
  expect(readPercent(typed)).toBeNull();
});

it('writes percentages without cents that they do not have', () => {
  expect([500, 3_333, 1_250].map(formatPercent)).toEqual(['5%', '33.33%', '12.5%']);
  expect(isMoreThanWhole([percent(5_000), fixed(1n), percent(5_001)])).toBe(true);
  expect(isMoreThanWhole([percent(5_000), percent(5_000)])).toBe(false);
});
