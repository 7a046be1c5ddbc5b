import { describe, expect, it } from 'vitest';
import type { BankAccount, Wallet } from '#contract/api.ts';
import { checkWithdrawal, verifiedBanks, withdrawalSummary } from './check-withdrawal.ts';

const usd = (minor: string) => ({ minor, currency: 'USD' as const });

const wallet: Wallet = {
  id: 'wallet',
  type: 'salary',
  name: 'Salary Wallet',
  isPrimary: true,
  accountNumberLast4: '7731',
  routingNumber: '084207311',
  balance: usd('50000'),
  held: usd('10000'),
  available: usd('40000'),
};

const bank: BankAccount = {
  id: 'bank',
  bankName: 'Cascade Federal',
  accountType: 'checking',
  accountNumberLast4: '2208',
  routingNumber: '021000021',
  accountHolderName: 'Maya Castellanos',
  status: 'verified',
  rejectionReason: null,
  returned: null,
  isPrimary: true,
  isInUse: false,
  payableFrom: null,
  prenote: null,
  microDeposits: null,
  isNew: false,
  addedAt: '2026-01-08T15:00:00.000Z',
  history: [],
  acts: [],
};

const choices = { wallets: [wallet], banks: [bank], isDialog: false };
const filled = {
  walletId: 'wallet',
  amount: '320.00',
  bankAccountId: 'bank',
  urgency: 'medium',
  reason: '',
} as const;

describe('checkWithdrawal', () => {
  it.each(['320', '320.5', '400.00', '0.01'])('accepts %s', (amount) => {
    expect(checkWithdrawal({ ...filled, amount }, choices)).toEqual({});
  });

  it('refuses a reason with a control character, and says which', () => {
    expect(checkWithdrawal({ ...filled, reason: 'rent \u001b[31m' }, choices)).toEqual({
      reason: 'Use plain text. Remove the invisible character U+001B.',
    });
  });

  it.each(['0', '0.00', '-5', '+5', '1e2', '0.001', 'ten', '4 00', '99999999999999999'])(
    'refuses %s',
    (amount) => {
      expect(checkWithdrawal({ ...filled, amount }, choices)).toEqual({
        amount: 'Please enter a valid amount',
      });
    },
  );

  it('counts what is held as gone', () => {
    expect(checkWithdrawal({ ...filled, amount: '400.01' }, choices)).toEqual({
      amount: 'Insufficient funds',
    });
    const inDialog = { ...choices, isDialog: true };
    expect(checkWithdrawal({ ...filled, amount: '400.01' }, inDialog)).toEqual({
      amount: 'Insufficient funds. Available: $400.00',
    });
  });

  it('wants a bank account that is still verified', () => {
    expect(checkWithdrawal({ ...filled, bankAccountId: 'other' }, choices)).toEqual({
      bankAccountId: 'Please select a valid bank account',
    });
  });

  it('names what is missing', () => {
    const empty = { ...filled, walletId: '', amount: ' ', bankAccountId: '' };
    expect(checkWithdrawal(empty, choices)).toEqual({
      walletId: 'Choose an account',
      amount: 'Enter an amount',
      bankAccountId: 'Choose a bank account',
    });
    expect(withdrawalSummary([{ message: 'Enter an amount' }])).toBe(
      'Please fill in all required fields',
    );
    expect(withdrawalSummary([{ message: 'Insufficient funds' }])).toBe(
      'Please check your withdrawal',
    );
  });
});

describe('verifiedBanks', () => {
  it('leaves out what waits or was rejected', () => {
    const others = [
      { ...bank, status: 'pending' as const },
      { ...bank, status: 'rejected' as const },
    ];
    expect(verifiedBanks([bank, ...others])).toEqual([bank]);
  });
});
