import { describe, expect, it } from 'vitest';
import type { PayrollPreview } from '#contract/api.ts';
import type { WalletType } from '#contract/wallets.ts';
import { skippedWarning } from './preview-tables.tsx';

type Reasons = PayrollPreview['skippedReasons'];

const warning = (walletType: WalletType, ...skippedReasons: Reasons) =>
  skippedWarning(
    {
      skippedReasons,
      skippedCount: skippedReasons.reduce((sum, { count }) => sum + count, 0),
    },
    walletType,
  );

describe('the warning about skipped employees', () => {
  it('names the missing account if that is the only reason', () => {
    expect(warning('salary', { reason: 'no_wallet', count: 1 })).toBe(
      '1 employee has no Salary Wallet account and will be skipped.',
    );
    expect(warning('retirement', { reason: 'no_wallet', count: 2 })).toBe(
      '2 employees have no Retirement (IRA) account and will be skipped.',
    );
  });

  it('does not repeat the word "account"', () => {
    expect(warning('irs', { reason: 'no_wallet', count: 1 })).toBe(
      '1 employee has no IRS Account and will be skipped.',
    );
  });

  it('counts each reason, including people who are not listed', () => {
    expect(
      warning(
        'salary',
        { reason: 'employee_inactive', count: 1_200 },
        { reason: 'applicant', count: 2 },
        { reason: 'no_wallet', count: 1 },
        { reason: 'wallet_closed', count: 1 },
      ),
    ).toBe(
      '1,204 employees will be skipped. 1,200 are no longer with the company, 2 are not accepted yet, 1 has no Salary Wallet account, 1 has a closed Salary Wallet account.',
    );
  });
});
