import { describe, expect, it } from 'vitest';
import { findUsualPayColumns, missingUsualPayColumns } from './usual-pay-file.ts';
import { usualAmountsOn, usualPayDifference } from './usual-pay.ts';
import type { UsualPayStatus } from './usual-pay.ts';

function change(
  id: string,
  validFrom: string,
  minor: string,
  status: UsualPayStatus = 'confirmed',
) {
  return { id, status, validFrom, lines: [{ walletType: 'salary' as const, amount: { minor } }] };
}

describe('usual pay', () => {
  it('is that of the newest confirmed change of a day, the later one of two', () => {
    const changes = [
      change('d', '2026-12-24', '0'),
      change('b', '2026-12-11', '5'),
      change('c', '2026-12-11', '7'),
      change('e', '2026-12-11', '9', 'waiting'),
      change('a', '2026-12-11', '3'),
    ];
    const on = (day: string) => usualAmountsOn(changes, day).salary;
    expect([on('2026-12-10'), on('2026-12-11'), on('2026-12-23'), on('2026-12-24')]).toEqual([
      0n,
      7n,
      7n,
      0n,
    ]);
  });

  it('differs by as much as is moved, in both directions', () => {
    expect(
      usualPayDifference([
        { beforeMinor: 500n, amountMinor: 0n },
        { beforeMinor: 0n, amountMinor: 500n },
      ]),
    ).toBe(1_000n);
  });
});

describe('columns of a file of usual pay', () => {
  it('are found by the names that other systems have', () => {
    const mapping = findUsualPayColumns([
      'EMP_ID',
      'Work Email',
      'Effective date',
      'Net_Pay',
      'IRA',
    ]);
    expect(mapping).toEqual({
      employeeId: 0,
      email: 1,
      validFrom: 2,
      salary: 3,
      savings: null,
      retirement: 4,
      irs: null,
    });
    expect(missingUsualPayColumns(mapping)).toEqual([]);
  });

  it('are named where they are missing', () => {
    expect(missingUsualPayColumns(findUsualPayColumns(['Name']))).toEqual([
      'Employee ID or Email',
      'Valid from',
      'an amount (Salary Wallet, Savings Account (401k), Retirement (IRA), IRS Account)',
    ]);
  });
});
