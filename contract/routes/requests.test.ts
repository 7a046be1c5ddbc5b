import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../money.ts';
import { CHOSEN_PEOPLE, DRAFT_CHANGES, MAX_BODY_BYTES } from '../limits.ts';
import { ROUTES } from './all.ts';
import { bankAccountRoutes } from './bank-accounts.ts';
import { payrollDraftRoutes } from './payroll-drafts.ts';
import type { RouteSpec } from './define.ts';
import { withdrawalRoutes } from './withdrawals.ts';

const id = '0193f1d0-0000-7000-8000-000000000001';
const withdrawal = (minor: unknown, other: Record<string, unknown> = {}) =>
  withdrawalRoutes.requestWithdrawal.body.safeParse({
    walletId: id,
    bankAccountId: id,
    amount: { minor, currency: 'USD' },
    ...other,
  });

describe('the amount of a request', () => {
  it.each(['1', '32000', String(MAX_AMOUNT_MINOR)])('takes %j', (minor) => {
    expect(withdrawal(minor).success).toBe(true);
  });

  it.each([
    '',
    '0',
    '00',
    '-1',
    '+1',
    '01',
    '0.001',
    '1.00',
    '1e3',
    '1,000.00',
    '1,000',
    ' 1',
    '1\n',
    'ten',
    '0x10',
    String(MAX_AMOUNT_MINOR + 1n),
    '999999999999999999999999',
    100,
    0.5,
    null,
    undefined,
    ['1'],
    { minor: '1' },
  ])('refuses %j', (minor) => {
    expect(withdrawal(minor).success).toBe(false);
  });

  it('refuses a currency that is not ours', () => {
    for (const currency of ['usd', 'XXX', '', null]) {
      expect(withdrawal('1', { amount: { minor: '1', currency } }).success).toBe(false);
    }
  });
});

describe('an operation that takes an amount', () => {
  // Their amounts are compared with what is there: another currency is a conflict, or a wrong answer.
  const comparing = ['adminMakePayoutFile', 'adminPayOutLeaver', 'enterMicroDeposits'];
  const taking = Object.entries<RouteSpec>(ROUTES).filter(([name, { body }]) => {
    if (body === undefined || comparing.includes(name)) return false;
    const schema = JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }));
    return schema.includes('"currency":');
  });

  it.each(taking)('%s declares the refusal of another currency', (_, { errors }) => {
    expect(errors).toContain('amount_invalid');
  });
});

describe('a withdrawal request', () => {
  it('fills in urgency and reason', () => {
    const filled = { urgency: 'medium', reason: 'Withdrawal request' };
    expect(withdrawal('1').data).toMatchObject(filled);
    expect(withdrawal('1', { reason: '   ' }).data).toMatchObject(filled);
  });

  it.each([
    { walletId: 'x' },
    { bankAccountId: '' },
    { urgency: 'now' },
    { reason: 'x'.repeat(501) },
  ])('refuses %o', (other) => {
    expect(withdrawal('1', other).success).toBe(false);
  });
});

describe('a new bank account', () => {
  const typed = {
    bankName: ' Cascade Federal ',
    accountType: 'checking',
    accountNumber: '0012 3456-7890',
    routingNumber: '021-000-021',
    accountHolderName: 'Maya L. Castellanos',
  };
  const parse = (other: Record<string, unknown> = {}) =>
    bankAccountRoutes.addBankAccount.body.safeParse({ ...typed, ...other });

  it('is taken without the spaces and dashes of its numbers', () => {
    expect(parse().data).toMatchObject({
      bankName: 'Cascade Federal',
      accountNumber: '001234567890',
      routingNumber: '021000021',
    });
  });

  it.each([
    { bankName: '' },
    { bankName: 'Two\nlines' },
    { accountType: 'gold' },
    { accountNumber: '123' },
    { accountNumber: '1'.repeat(18) },
    { accountNumber: '12a4' },
    { routingNumber: '021000022' },
    { routingNumber: '20000' },
    { accountNumber: 'DE89370400440532013001' },
    { accountHolderName: '   ' },
  ])('refuses %o', (other) => {
    expect(parse(other).success).toBe(false);
  });

  it('may be an IBAN without a routing number, or have a sort code', () => {
    const iban = parse({ routingNumber: undefined, accountNumber: 'de89 3704 0044 0532 0130 00' });
    expect(iban.data).toMatchObject({ routingNumber: '', accountNumber: 'DE89370400440532013000' });
    expect(parse({ routingNumber: '20-00-00' }).data).toMatchObject({ routingNumber: '200000' });
  });

  it('may keep its number when it is changed', () => {
    const change = { ...typed, accountNumber: undefined };
    expect(bankAccountRoutes.updateBankAccount.body.safeParse(change).success).toBe(true);
    expect(bankAccountRoutes.addBankAccount.body.safeParse(change).success).toBe(false);
  });
});

describe('the largest requests about a draft', () => {
  const idOf = (index: number) => `0193f1d0-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const amount = { minor: String(MAX_AMOUNT_MINOR), currency: 'USD' };
  /** The character that JSON in UTF-8 needs most bytes for: six. */
  const text = (length: number) => '\u001f'.repeat(length);
  const order = {
    walletType: 'retirement',
    department: 'customer_support',
    payOn: '2026-12-11',
    description: text(200),
    hasOwnAmounts: true,
    amount,
    startFrom: 'usual',
  };
  const changes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: idOf(index), amount }));
  const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body)).length;

  it('are within the size of a request', () => {
    const save = { ...order, name: text(80), note: text(200), version: 2_147_483_647 };
    expect(bytesOf({ ...save, people: changes(DRAFT_CHANGES) })).toBeLessThan(MAX_BODY_BYTES);
    const people = Array.from({ length: CHOSEN_PEOPLE }, (_, index) => idOf(index));
    const copyOf = { draft: id };
    expect(bytesOf({ ...order, people, copyOf })).toBeLessThan(MAX_BODY_BYTES);
  });

  it('are taken, with one person more refused', () => {
    const { body } = payrollDraftRoutes.adminSavePayrollDraft;
    expect(body.safeParse({ version: 1, people: changes(DRAFT_CHANGES) }).success).toBe(true);
    expect(body.safeParse({ version: 1, people: changes(DRAFT_CHANGES + 1) }).success).toBe(false);
  });

  it('name each person once', () => {
    const { body } = payrollDraftRoutes.adminSavePayrollDraft;
    const twice = [...changes(1), { id: idOf(0), amount: null }];
    expect(body.safeParse({ version: 1, people: twice }).error?.issues).toMatchObject([
      { path: ['people'], message: 'Name each person once' },
    ]);
    const made = payrollDraftRoutes.adminCreatePayrollDraft.body;
    const chosen = {
      walletType: 'salary',
      department: 'chosen',
      description: '',
      hasOwnAmounts: false,
    };
    expect(made.safeParse({ ...chosen, people: [id] }).success).toBe(true);
    expect(made.safeParse({ ...chosen, people: [id, id] }).success).toBe(false);
  });
});
