import { describe, expect, it } from 'vitest';
import {
  bankAccountSummary,
  checkBankAccount,
  routingNumberProblem,
  type BankAccountValues,
} from './check-bank-account.ts';

const complete = {
  bankName: 'Cascade Federal Credit Union',
  accountType: 'checking',
  accountNumber: '0012 3456-7890',
  accountNumberAgain: '001234567890',
  routingNumber: '021-000-021',
  accountHolderName: 'Maya L. Castellanos',
} as const;

describe('checkBankAccount', () => {
  it('accepts numbers with the spaces and dashes of a paper', () => {
    expect(checkBankAccount(complete, { format: 'aba', keepsNumber: false })).toEqual({});
  });

  it('names every empty field', () => {
    const empty = {
      bankName: ' ',
      accountType: '',
      accountNumber: '',
      accountNumberAgain: '',
      routingNumber: '',
      accountHolderName: '',
    } as const;
    expect(checkBankAccount(empty, { format: 'aba', keepsNumber: false })).toEqual({
      bankName: 'Enter the name of the bank',
      accountType: 'Choose an account type',
      accountNumber: 'Enter the account number',
      accountNumberAgain: 'Enter the account number again',
      routingNumber: 'Enter the routing number',
      accountHolderName: 'Enter the name of the account holder',
    });
    expect(bankAccountSummary(empty, { format: 'aba', keepsNumber: false })).toBe(
      'Please fill in all required fields',
    );
  });

  it('says over the problems what they have in common', () => {
    const changed = { ...complete, accountNumber: '', accountNumberAgain: '' };
    expect(bankAccountSummary(changed, { format: 'aba', keepsNumber: true })).toBe(
      'Please check the bank account',
    );
    expect(bankAccountSummary(changed, { format: 'aba', keepsNumber: false })).toBe(
      'Please fill in all required fields',
    );
  });

  it('wants a number twice, however it is grouped', () => {
    const differs = { ...complete, accountNumberAgain: '001234567809' };
    for (const keepsNumber of [true, false]) {
      expect(checkBankAccount(differs, { format: 'aba', keepsNumber })).toEqual({
        accountNumberAgain: 'The account numbers are not the same. Please check both.',
      });
    }
  });

  it('lets an account that is changed keep its number', () => {
    const kept = { ...complete, accountNumber: '', accountNumberAgain: '' };
    expect(checkBankAccount(kept, { format: 'aba', keepsNumber: true })).toEqual({});
    expect(checkBankAccount(kept, { format: 'aba', keepsNumber: false })).toHaveProperty(
      'accountNumber',
    );
  });

  it('refuses an account number that is none', () => {
    const wrong = { ...complete, accountNumber: '12a' };
    expect(checkBankAccount(wrong, { format: 'aba', keepsNumber: true })).toEqual({
      accountNumber: 'Enter an account number of 4 to 17 digits. Remove “a”.',
    });
  });
});

describe('an account in euros', () => {
  const typed: BankAccountValues = {
    ...complete,
    accountType: '',
    routingNumber: '',
    accountNumberAgain: '',
  };
  const checked = { format: 'iban', keepsNumber: false } as const;

  it('is an IBAN alone, typed once', () => {
    const right = { ...typed, accountNumber: 'de89 3704 0044 0532 0130 00' };
    expect(checkBankAccount(right, checked)).toEqual({});
    expect(bankAccountSummary(right, checked)).toBe('Please check the bank account');
    expect(bankAccountSummary(typed, checked)).toBe('Please check the bank account');
    expect(bankAccountSummary({ ...typed, accountNumber: '' }, checked)).toBe(
      'Please fill in all required fields',
    );
  });

  it.each([
    ['', 'Enter the IBAN'],
    ['DE88 3704 0044 0532 0130 00', 'The check digits of this IBAN are wrong'],
    ['0012 3456-7890', 'An IBAN begins with two letters for its country and two digits'],
  ])('refuses %j in plain words', (accountNumber, problem) => {
    expect(checkBankAccount({ ...typed, accountNumber }, checked)).toEqual({
      accountNumber: problem,
    });
  });
});

describe('an account in pounds', () => {
  const typed: BankAccountValues = {
    ...complete,
    accountType: '',
    routingNumber: '20-00-00',
    accountNumber: '5577 9911',
    accountNumberAgain: '55779911',
  };
  const checked = { format: 'sort_code', keepsNumber: false } as const;

  it('is a sort code and an account number, typed twice', () => {
    expect(checkBankAccount(typed, checked)).toEqual({});
    expect(checkBankAccount({ ...typed, accountNumberAgain: '55779912' }, checked)).toEqual({
      accountNumberAgain: 'The account numbers are not the same. Please check both.',
    });
  });

  it('has six digits and eight', () => {
    const wrong = { ...typed, routingNumber: '2000001', accountNumber: '5577991' };
    expect(checkBankAccount(wrong, checked)).toEqual({
      routingNumber: 'Enter a sort code of 6 digits',
      accountNumber: 'Enter an account number of 8 digits',
    });
    expect(routingNumberProblem('2000', 'sort_code')).toBe('Enter a sort code of 6 digits');
  });
});

describe('routingNumberProblem', () => {
  it('checks the check digit', () => {
    expect(routingNumberProblem('021000021', 'aba')).toBeUndefined();
    expect(routingNumberProblem('021000022', 'aba')).toBe('Enter a valid 9-digit routing number');
    expect(routingNumberProblem('02100002', 'aba')).toBe('Enter a valid 9-digit routing number');
  });

  it('leaves an empty one alone', () => {
    expect(routingNumberProblem(' ', 'aba')).toBeUndefined();
  });
});
