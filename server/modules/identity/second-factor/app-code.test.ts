import { describe, expect, test } from 'vitest';
import { appKey, appUri, isAppCode, newAppSecret } from './app-code.ts';

/** Test vectors of RFC 6238, appendix B: the last six of their eight digits. */
const RFC_SECRET = '12345678901234567890';
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('a code of an app', () => {
  test.each(RFC_CODES)('at %d s is that of RFC 6238', (seconds, code) => {
    expect(isAppCode(RFC_SECRET, code, seconds * 1_000)).toBe(true);
  });

  test('is taken half a minute early or late, and no longer', () => {
    const [[, code], step] = [RFC_CODES[3], Math.floor(RFC_CODES[3][0] / 30) * 30_000];
    const taken = [-60_000, -30_001, -30_000, 0, 59_999, 60_000].map((off) =>
      isAppCode(RFC_SECRET, code, step + off),
    );
    expect(taken).toEqual([false, false, true, true, true, false]);
  });

  test.each(['', '5924', '0059240', '005925', 'abcdef', '00592\u00e9'])('is not %j', (code) => {
    expect(isAppCode(RFC_SECRET, code, RFC_CODES[3][0] * 1_000)).toBe(false);
  });
});

test.each([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('the key of %s is %s, as in RFC 4648', (secret, key) => {
  expect(appKey(secret)).toBe(key);
});

test('the address for a QR code is the one that Better Auth made', () => {
  expect(appUri('Zr4hK9wQ2mXc7LtB5nVsE8yUaJ1dGfP0', 'maya@purser.test')).toBe(
    'otpauth://totp/Purser:maya%40purser.test?secret=LJZDI2CLHF3VCMTNLBRTOTDUII2W4VTTIU4HSVLBJIYWIR3GKAYA&issuer=Purser&digits=6&period=30',
  );
});

test('a new secret has 192 bits and is another each time', () => {
  const secrets = Array.from({ length: 100 }, newAppSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(24);
});
