import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { checkChange, initialChange, planChange, type ChangeValues } from './plan-change.ts';

const wallet = (walletType: WalletType) => ({
  walletType,
  last4: '4821',
  amount: money(0n, 'USD'),
  validFrom: null,
});
const PAY = {
  on: '2026-12-11',
  paydays: ['2026-12-11', '2026-12-24'],
  changes: [],
  wallets: [wallet('salary'), wallet('savings')],
  rule: { least: money(10_000n, 'USD'), recent: money(4_000n, 'USD'), people: [] },
};
const typed = (values: Partial<ChangeValues>): ChangeValues => ({
  ...initialChange(PAY),
  reason: 'Raise',
  ...values,
});
const plan = (values: Partial<ChangeValues>) => planChange(typed(values), PAY, 'USD');

describe('a change of usual pay', () => {
  it('has the wallets that change, and their sums', () => {
    expect(plan({ salary: '59.99' })).toEqual({
      validFrom: '2026-12-11',
      nowMinor: 0n,
      nextMinor: 5_999n,
      needsSecond: false,
      lines: [{ walletType: 'salary', beforeMinor: 0n, amountMinor: 5_999n }],
      wallets: [
        {
          walletType: 'salary',
          last4: '4821',
          typed: '59.99',
          beforeMinor: 0n,
          amountMinor: 5_999n,
        },
        {
          walletType: 'savings',
          last4: '4821',
          typed: '',
          beforeMinor: 0n,
          amountMinor: 0n,
        },
      ],
    });
    expect(plan({ salary: '-' }).lines).toEqual([]);
  });

  it('needs a second administrator from the setting on, with what was changed recently', () => {
    expect(plan({ salary: '60' }).needsSecond).toBe(true);
    expect(planChange(typed({ salary: '60' }), { ...PAY, rule: null }, 'USD').needsSecond).toBe(
      false,
    );
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

describe('a change of somebody whose pay changes later', () => {
  const change = (validFrom: string, walletType: WalletType, minor: string) => ({
    id: `${validFrom} ${walletType}`,
    status: 'confirmed' as const,
    validFrom,
    lines: [{ walletType, amount: { minor } }],
  });
  const paid = {
    ...PAY,
    rule: null,
    changes: [
      change('2026-12-24', 'irs', '700'),
      change('2026-12-24', 'savings', '15000'),
      change('2026-11-27', 'salary', '294000'),
    ],
  };
  const planned = (values: Partial<ChangeValues>) =>
    planChange({ ...initialChange(paid), ...values }, paid, 'USD');

  it('has no line of a wallet that nobody typed into', () => {
    expect(planned({ validFrom: '12/24/2026' }).lines).toEqual([]);
    expect(planned({ salary: '3,180.00', validFrom: '12/24/2026' })).toMatchObject({
      lines: [{ walletType: 'salary', beforeMinor: 294_000n, amountMinor: 318_000n }],
      nowMinor: 309_700n,
      nextMinor: 333_700n,
    });
  });

  it('shows what is valid on the day, also of a wallet that is closed', () => {
    const shown = (values: Partial<ChangeValues>) =>
      planned(values).wallets.map(({ walletType, last4, typed: text }) => [
        walletType,
        last4,
        text,
      ]);
    expect(shown({})).toEqual([
      ['salary', '4821', '2,940.00'],
      ['savings', '4821', ''],
    ]);
    expect(shown({ validFrom: '12/24/2026', salary: '3' })).toEqual([
      ['salary', '4821', '3'],
      ['savings', '4821', '150.00'],
      ['irs', null, '7.00'],
    ]);
  });

  it('ends an amount whose field was emptied', () => {
    expect(planned({ savings: '', validFrom: '12/24/2026' }).lines).toEqual([
      { walletType: 'savings', beforeMinor: 15_000n, amountMinor: 0n },
    ]);
  });

  it('draws each wallet that it has a line of', () => {
    const { lines, wallets } = planned({ irs: '9.00' });
    expect(lines).toMatchObject([{ walletType: 'irs', amountMinor: 900n }]);
    expect(wallets.map(({ walletType }) => walletType)).toEqual(['salary', 'savings', 'irs']);
  });
});
