import { expect, it } from 'vitest';
import { shortError } from './short-error.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
  ['payload string too long', 'payload string too long'],
  ['550 5.1.1 <maya@purser.test>: unknown user', '550 5.1.1 <…>: unknown user'],
  ['Invalid login: "Maya Castellanos" <maya@purser.test>', 'Invalid login: … <…>'],
  ['invalid input syntax for type uuid: "0193f1d0-0000"', 'invalid input syntax for type uuid: …'],
  ['Key (email)=(maya@purser.test) exists', 'Key … exists'],
  ['GET https://pay.test/onboarding?reset=abc failed', 'GET … failed'],
  ['bad token eyJhbGciOiJIUzI1NiJ9.eyJz', 'bad token …'],
  ['account 0012345678 is closed', 'account … is closed'],
  ["can't read it's value", 'can…s value'],
  ['first line\n    at stack (/home/x.ts:1)', 'first line'],
  ['', ''],
])('%j is shown as %j', (message, shown) => expect(shortError(message)).toBe(shown));

it('has a maximum length, and never ends within a character', () => {
  expect(shortError('word '.repeat(100))).toHaveLength(161);
  expect(shortError(`${'x'.repeat(159)}😀 and more`).isWellFormed()).toBe(true);
});
