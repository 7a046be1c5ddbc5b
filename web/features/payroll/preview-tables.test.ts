import { describe, expect, it } from 'vitest';
import type { PayrollPreview } from '#contract/api.ts';
import { skippedWarning } from './preview-tables.tsx';

type Skipped = PayrollPreview['skipped'][number];

const skippedFor = (...reasons: Skipped['reason'][]) =>
  reasons.map((reason, index): Skipped => ({
    employee: { id: `e${index}`, name: `Person ${index}`, employeeId: null },
    reason,
  }));

describe('who is skipped', () => {
  it('says that an account is missing where that is the only reason', () => {
    expect(skippedWarning({ skipped: skippedFor('no_wallet'), skippedCount: 1 }, 'salary')).toBe(
      '1 employee has no Salary Wallet account and will be skipped.',
    );
    const skipped = skippedFor('no_wallet', 'no_wallet');
    expect(skippedWarning({ skipped, skippedCount: 2 }, 'retirement')).toBe(
      '2 employees have no Retirement (IRA) account and will be skipped.',
    );
  });

  it('does not call an account one twice', () => {
    expect(skippedWarning({ skipped: skippedFor('no_wallet'), skippedCount: 1 }, 'irs')).toBe(
      '1 employee has no IRS Account and will be skipped.',
    );
  });

  it('leaves the reasons to the preview where they differ', () => {
    const skipped = skippedFor('no_wallet', 'applicant');
    expect(skippedWarning({ skipped, skippedCount: 2 }, 'salary')).toBe(
      '2 employees will be skipped. The preview says why.',
    );
  });

  it('leaves them to the preview where not everybody is listed', () => {
    expect(skippedWarning({ skipped: skippedFor('no_wallet'), skippedCount: 900 }, 'salary')).toBe(
      '900 employees will be skipped. The preview says why.',
    );
  });
});
