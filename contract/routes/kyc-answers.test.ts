import { describe, expect, it } from 'vitest';
import { hasReachedAge } from '../kyc.ts';
import { kycAnswersPatch } from './kyc-answers.ts';

const refused: Record<string, unknown>[] = [
  { dateOfBirth: '1990-02-30' },
  { dateOfBirth: '12/04/1990' },
  { gender: 'none' },
  { nationality: 'us' },
  { fullName: '   ' },
  { fullName: 'Maya\nCastellanos' },
  { phoneNumber: '12345' },
  { phoneNumber: '1'.repeat(16) },
  { idNumber: "1' or 1=1" },
  { postalCode: '!' },
  { email: 'maya' },
  { pep: 'false' },
  { expectedMonthlyTxVolume: 1_001 },
  { expectedMonthlyTxVolume: '1000' },
  { securityAnswerHash: 'biscuit' },
];

describe('kycAnswersPatch', () => {
  it.each(refused)('refuses %j', (patch) => {
    expect(kycAnswersPatch.safeParse(patch).success).toBe(false);
  });

  it('takes any of the answers, trimmed, and null to clear one', () => {
    const patch = { fullName: ' Maya ', city: null, phoneNumber: '+44 20 7946 0958', unknown: 1 };
    expect(kycAnswersPatch.parse(patch)).toEqual({
      fullName: 'Maya',
      city: null,
      phoneNumber: '+44 20 7946 0958',
    });
  });
});

describe('hasReachedAge', () => {
  it.each([
    ['2008-12-08', '2026-12-08', true],
    ['2008-12-09', '2026-12-08', false],
    ['2008-02-29', '2026-02-28', false],
    ['2008-02-29', '2026-03-01', true],
  ])('born %s, on %s: %s', (born, today, expected) => {
    expect(hasReachedAge(born, 18, today)).toBe(expected);
  });
});
