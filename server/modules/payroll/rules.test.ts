import { describe, expect, it } from 'vitest';
import { batchName, finalStatus, lineReference, payPeriod } from './rules.ts';

describe('a batch', () => {
  const newYork = 'America/New_York';

  it('is named after the wallet and the company’s day', () => {
    expect(
      batchName({ walletType: 'salary', payOn: null }, new Date('2026-12-08T14:00:00Z'), newYork),
    ).toBe('Salary Wallet - 12/8/2026');
    expect(
      batchName(
        { walletType: 'retirement', payOn: null },
        new Date('2026-12-09T04:59:59Z'),
        newYork,
      ),
    ).toBe('Retirement (IRA) - 12/8/2026');
  });

  it('belongs to the company’s month', () => {
    expect(payPeriod(null, new Date('2027-01-01T04:59:59Z'), newYork)).toBe('December 2026');
    expect(payPeriod(null, new Date('2027-01-01T05:00:00Z'), newYork)).toBe('January 2027');
  });

  it('with a pay date is named after it', () => {
    const prepared = new Date('2026-12-29T14:00:00Z');
    expect(batchName({ walletType: 'salary', payOn: '2027-01-01' }, prepared, newYork)).toBe(
      'Salary Wallet - 1/1/2027',
    );
    expect(payPeriod('2027-01-01', prepared, newYork)).toBe('January 2027');
  });

  it('has failed only when nobody was paid', () => {
    expect(finalStatus(0)).toBe('failed');
    expect(finalStatus(1)).toBe('completed');
  });
});

describe('a line’s reference', () => {
  it('has at least four digits', () => {
    expect(lineReference({ number: '0049', fundingType: null }, 148)).toBe('PAY-0049-0148');
    expect(lineReference({ number: '10000', fundingType: null }, 100_000)).toBe('PAY-10000-100000');
  });

  it('is the batch’s number where one employee is funded', () => {
    expect(lineReference({ number: '0050', fundingType: 'bonus' }, 1)).toBe('IF-0050');
  });
});
