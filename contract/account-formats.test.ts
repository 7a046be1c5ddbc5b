import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountFormatOf,
  accountProblems,
  ACCOUNTS,
  accountTypeLabel,
  eitherNumberRule,
  eitherRoutingRule,
  formatRefusal,
  ibanRule,
  isRoutingNumber,
} from './account-formats.ts';
import { problemOf } from './rules.ts';

describe('isRoutingNumber', () => {
  it.each(['021000021', '011401533', '091000019', '322271627', '084207311'])(
    'accepts %s',
    (text) => {
      expect(isRoutingNumber(text)).toBe(true);
    },
  );

  it.each([
    '021000022',
    '000000000',
    '02100002',
    '0210000211',
    '02100002a',
    ' 021000021',
    '021000021\n',
    '٠٢١٠٠٠٠٢١',
    '',
  ])('refuses %j', (text) => {
    expect(isRoutingNumber(text)).toBe(false);
  });

  it('notices any single wrong digit', () => {
    const position = fc.integer({ min: 0, max: 8 });
    const digit = fc.integer({ min: 0, max: 9 });
    const valid = '322271627';
    fc.assert(
      fc.property(position, digit, (at, wrong) => {
        fc.pre(valid.charAt(at) !== String(wrong));
        expect(isRoutingNumber(valid.slice(0, at) + wrong + valid.slice(at + 1))).toBe(false);
      }),
    );
  });
});

/** Examples of the IBAN Registry, and of what the European Payments Council publishes. */
const IBANS = [
  'DE89370400440532013000',
  'NL91ABNA0417164300',
  'MT84MALT011000012345MTLCAST001S',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'GB29NWBK60161331926819',
];

describe('an IBAN', () => {
  it.each(IBANS)('is right: %s', (iban) => {
    expect(problemOf(ibanRule, iban)).toBeUndefined();
    expect(problemOf(ACCOUNTS.iban.number.rule, iban)).toBeUndefined();
  });

  it('is taken with the spaces and in the letters that people type, and shown in groups of four', () => {
    expect(ibanRule.clean(' de89 3704\u00a00044-0532 0130 00\u200b')).toBe(IBANS[0]);
    expect(ACCOUNTS.iban.number.shown('DE89370400440532013000')).toBe(
      'DE89 3704 0044 0532 0130 00',
    );
    expect(ACCOUNTS.iban.number.shown('NO9386011117947')).toBe('NO93 8601 1117 947');
  });

  it.each([
    ['', 'Enter the IBAN'],
    ['021000021', 'An IBAN begins with two letters for its country and two digits'],
    ['DE8937040044053201300Ö', 'An IBAN begins with two letters for its country and two digits'],
    ['ZZ89370400440532013000', 'No IBAN begins with ZZ'],
    ['DE8937040044053201300', 'An IBAN that begins with DE has 22 characters, and this one has 21'],
    ['DE89370400440532013001', 'The check digits of this IBAN are wrong'],
    // The same remainder as the right pair, 02, and yet wrong: check digits are 02 to 98.
    ['LU990000000000000004', 'The check digits of this IBAN are wrong'],
  ])('is refused in plain words: %j', (iban, problem) => {
    expect(problemOf(ibanRule, iban)).toBe(problem);
  });

  it('of a country that payments in euros do not reach is refused in a company in EUR', () => {
    const turkish = 'TR330006100519786457841326';
    expect(problemOf(ibanRule, turkish)).toBeUndefined();
    expect(problemOf(ACCOUNTS.iban.number.rule, turkish)).toBe(
      'Payments in euros do not reach accounts whose IBAN begins with TR',
    );
  });

  it('shows each wrong digit, each wrong letter, and two digits that changed places', () => {
    const iban = 'NL91ABNA0417164300';
    const digit = fc.tuple(
      fc.integer({ min: 8, max: 17 }),
      fc.constantFrom(...Array.from('0123456789')),
    );
    const letter = fc.tuple(
      fc.integer({ min: 4, max: 7 }),
      fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
    );
    fc.assert(
      fc.property(fc.oneof(digit, letter), ([at, wrong]) => {
        fc.pre(iban.charAt(at) !== wrong);
        expect(problemOf(ibanRule, iban.slice(0, at) + wrong + iban.slice(at + 1))).toBeDefined();
      }),
    );
    for (let at = 8; at < iban.length - 1; at += 1) {
      const [one, other] = [iban.charAt(at), iban.charAt(at + 1)];
      if (one === other) continue;
      const swapped = iban.slice(0, at) + other + one + iban.slice(at + 2);
      expect(problemOf(ibanRule, swapped)).toBeDefined();
    }
  });
});

describe('the numbers of an account', () => {
  const us = { routingNumber: '021000021', accountNumber: '001234567890' };
  const british = { routingNumber: '200000', accountNumber: '55779911' };
  const euro = { routingNumber: '', accountNumber: 'DE89370400440532013000' };

  it.each([
    ['aba', us],
    ['sort_code', british],
    ['iban', euro],
  ] as const)('say their format: %s', (format, numbers) => {
    expect(accountFormatOf(numbers)).toBe(format);
    expect(accountProblems(format, numbers)).toEqual({});
    expect(problemOf(eitherRoutingRule, numbers.routingNumber)).toBeUndefined();
    expect(problemOf(eitherNumberRule, numbers.accountNumber)).toBeUndefined();
  });

  it('of one format are refused in a company that has another', () => {
    expect(accountProblems('iban', us)).toEqual({
      routingNumber: 'An IBAN has no routing number',
      accountNumber: 'An IBAN begins with two letters for its country and two digits',
    });
    expect(accountProblems('sort_code', euro)).toEqual({
      routingNumber: 'Enter the sort code',
      accountNumber: expect.stringContaining('Enter an account number of 8 digits'),
    });
    expect(accountProblems('aba', british)).toEqual({
      routingNumber: 'Enter a valid 9-digit routing number',
    });
  });

  it('decide what a payout file pays to', () => {
    expect(formatRefusal(us, 'USD')).toBeNull();
    expect(formatRefusal(euro, 'EUR')).toBeNull();
    expect(formatRefusal(british, 'GBP')).toBeNull();
    expect(formatRefusal(us, 'EUR')).toBe(
      'Payout files in EUR need an IBAN, which this account does not have.',
    );
    expect(formatRefusal(euro, 'GBP')).toBe(
      'Payout files in GBP need a sort code and an account number, which this account does not have.',
    );
  });

  it('are shown as banks print them', () => {
    expect(ACCOUNTS.aba.routing?.shown('021000021')).toBe('021 000 021');
    expect(ACCOUNTS.sort_code.routing?.shown('200415')).toBe('20-04-15');
    expect(accountTypeLabel({ ...us, accountType: 'savings' })).toBe('Savings');
    expect(accountTypeLabel({ ...euro, accountType: 'checking' })).toBe('');
  });
});
