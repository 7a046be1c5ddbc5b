import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.each([
  'password1',
  'PASSWORD',
  'Password1!',
  'Summer2026!',
  '2026-Dragon-!',
  'iloveyou',
  '1qaz2wsx',
  'abcdabcdabcdabcdabcdabcd',
  '11111111111111111111',
])('%s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each(['Correct-horse-9', 'correct horse battery staple', 'Kf7-zzq-p0w', '日本語のパスワード'])(
  '%s is not',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);
