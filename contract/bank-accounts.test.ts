import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRoutingNumber } from './bank-accounts.ts';

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
