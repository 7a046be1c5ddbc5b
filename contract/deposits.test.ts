import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEPOSIT_METHODS, DEPOSIT_METHOD_IDS, depositFeeMinor } from './deposits.ts';

const methods = fc.constantFrom(...DEPOSIT_METHOD_IDS);
const amounts = fc.bigInt({ min: 1n, max: 100_000_000n });

describe('depositFeeMinor', () => {
  it.each([
    ['ach', 1_000_000n, 0n],
    ['wire', 100_000n, 2_500n],
    ['mobile_check', 500n, 0n],
    ['physical_check', 500n, 0n],
    ['secure_transfer', 5_000_000n, 5_000n],
    ['card', 10_000n, 280n],
    // 2.5% of $10.20 is 25.5 cents: half a cent goes up.
    ['card', 1_020n, 56n],
    ['card', 1_019n, 55n],
    ['card', 500_000n, 12_530n],
  ] as const)('by %s of %s cents is %s', (method, amountMinor, feeMinor) => {
    expect(depositFeeMinor(method, amountMinor)).toBe(feeMinor);
  });

  it('is the exact fee rounded half up to the cent', () => {
    fc.assert(
      fc.property(methods, amounts, (method, amountMinor) => {
        const { basisPoints, fixedMinor } = DEPOSIT_METHODS[method].fee;
        const exact = amountMinor * basisPoints;
        const rounded = (depositFeeMinor(method, amountMinor) - fixedMinor) * 10_000n;
        expect(rounded - exact).toBeGreaterThan(-5_000n);
        expect(rounded - exact).toBeLessThanOrEqual(5_000n);
      }),
    );
  });

  it('never falls when the amount grows', () => {
    fc.assert(
      fc.property(methods, amounts, amounts, (method, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(depositFeeMinor(method, less)).toBeLessThanOrEqual(depositFeeMinor(method, more));
      }),
    );
  });
});

it.each(DEPOSIT_METHOD_IDS)('the limits of %s fit into each other', (method) => {
  const { minMinor, maxMinor, dailyMinor } = DEPOSIT_METHODS[method];
  expect(minMinor).toBeLessThan(maxMinor);
  expect(maxMinor).toBeLessThanOrEqual(dailyMinor);
});
