import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { checkChange, percentOf, planChange, type ChangeValues } from './plan-change.ts';

const PAY = {
  on: '2026-12-11',
  paydays: ['2026-12-11', '2026-12-24'],
  changes: [],
  rule: { least: money(10_000n, 'USD'), recent: money(4_000n, 'USD'), people: [] },
};
const typed = (values: Partial<ChangeValues>): ChangeValues => ({
  ...{ salary: '', savings: '', retirement: '', irs: '', validFrom: '12/11/2026', reason: 'Raise' },
  ...values,
});
const plan = (values: Partial<ChangeValues>) => planChange(typed(values), PAY, 'USD');

describe('a change of usual pay', () => {
  it('has the wallets that change, and their sums', () => {
    expect(plan({ salary: '59.99' })).toEqual({
      ...{ validFrom: '2026-12-11', nowMinor: 0n, nextMinor: 5_999n, needsSecond: false },
      lines: [{ walletType: 'salary', beforeMinor: 0n, amountMinor: 5_999n }],
    });
    expect(plan({ salary: '-' }).lines).toEqual([]);
  });

  it('needs a second administrator from the setting on, with what was changed lately', () => {
    expect(plan({ salary: '60' }).needsSecond).toBe(true);
    expect(planChange(typed({ salary: '60' }), { ...PAY, rule: null }, 'USD').needsSecond).toBe(
      false,
    );
  });

  it('says by how many percent the pay changes', () => {
    const sums = (nowMinor: bigint, nextMinor: bigint) => ({ ...plan({}), nowMinor, nextMinor });
    expect(percentOf(sums(338_000n, 354_000n))).toBe('+4.7%');
    expect(percentOf(sums(200n, 100n))).toBe('−50.0%');
    expect(percentOf(sums(0n, 100n))).toBeUndefined();
  });

  it.each([
    [{ salary: '1.234,56' }, { salary: 'Please enter a valid amount' }],
    [{ salary: '-5' }, { salary: 'Please enter a valid amount' }],
    [{ salary: '0' }, {}],
    [{ validFrom: '' }, { validFrom: 'Enter a payday' }],
    [{ validFrom: '24.12.2026' }, { validFrom: 'Enter the month first: 12/24/2026' }],
    [{ validFrom: '12/12/2026' }, { validFrom: 'Not a payday. The next one is Dec 24, 2026' }],
    [{ reason: ' ' }, { reason: 'Please fill in all required fields' }],
  ])('with %j is checked', (values, problems) => {
    expect(checkChange(typed(values), PAY, 'USD')).toEqual(problems);
  });
});
