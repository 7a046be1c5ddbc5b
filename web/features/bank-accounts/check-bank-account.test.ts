import { describe, expect, it } from 'vitest';
import {
  bankAccountSummary,
  checkBankAccount,
  routingNumberProblem,
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
    expect(checkBankAccount(complete, { keepsNumber: false })).toEqual({});
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
    expect(checkBankAccount(empty, { keepsNumber: false })).toEqual({
      bankName: 'Enter the name of the bank',
      accountType: 'Choose an account type',
      accountNumber: 'Enter the account number',
      accountNumberAgain: 'Enter the account number again',
      routingNumber: 'Enter the routing number',
      accountHolderName: 'Enter the name of the account holder',
    });
    expect(bankAccountSummary(empty, false)).toBe('Please fill in all required fields');
  });

  it('says over the problems what they have in common', () => {
    const changed = { ...complete, accountNumber: '', accountNumberAgain: '' };
    expect(bankAccountSummary(changed, true)).toBe('Please check the bank account');
    expect(bankAccountSummary(changed, false)).toBe('Please fill in all required fields');
  });

  it('wants a number twice, however it is grouped', () => {
    const differs = { ...complete, accountNumberAgain: '001234567809' };
    for (const keepsNumber of [true, false]) {
      expect(checkBankAccount(differs, { keepsNumber })).toEqual({
        accountNumberAgain: 'The account numbers are not the same. Please check both.',
      });
    }
  });

  it('lets an account that is changed keep its number', () => {
    const kept = { ...complete, accountNumber: '', accountNumberAgain: '' };
    expect(checkBankAccount(kept, { keepsNumber: true })).toEqual({});
    expect(checkBankAccount(kept, { keepsNumber: false })).toHaveProperty('accountNumber');
  });

  it('refuses an account number that is none', () => {
    const wrong = { ...complete, accountNumber: '12a' };
    expect(checkBankAccount(wrong, { keepsNumber: true })).toEqual({
      accountNumber: 'Enter an account number of 4 to 17 digits. Remove “a”.',
    });
  });
});

describe('routingNumberProblem', () => {
  it('checks the check digit', () => {
    expect(routingNumberProblem('021000021')).toBeUndefined();
    expect(routingNumberProblem('021000022')).toBe('Enter a valid 9-digit routing number');
    expect(routingNumberProblem('02100002')).toBe('Enter a valid 9-digit routing number');
  });

  it('leaves an empty one alone', () => {
    expect(routingNumberProblem(' ')).toBeUndefined();
  });
});
