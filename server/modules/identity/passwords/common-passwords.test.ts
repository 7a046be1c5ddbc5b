import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.each([
  'password1',
  'PASSWORD',
  'Password1!',
  'Summer2026!',
  '2026-Dragon-!',
  'Purser2026',
  'purser-2026!',
  'Purser.Payroll.2026',
  'iloveyou',
  '1qaz2wsx',
  'abcdabcdabcdabcdabcdabcd',
  '11111111111111111111',
])('%s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  'Demo-purser-2026',
  'Correct-horse-9',
  'correct horse battery staple',
  'Kf7-zzq-p0w',
  '日本語のパスワード',
])('%s is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
