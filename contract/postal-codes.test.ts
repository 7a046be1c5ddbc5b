import { expect, test } from 'vitest';
import { requiredFields } from './kyc.ts';
import { needsPostalCode, postalCodeProblem } from './postal-codes.ts';

test.each([
  ['US', ['98101', '98101-1234', '981011234'], ['9810', 'SW1A 1AA', '98101-12']],
  ['CA', ['K1A 0B1', 'k1a0b1', 'K1A-0B1'], ['K1A 0B', '98101', 'D1A 0B1']],
  ['GB', ['SW1A 1AA', 'm11ae', 'EC1A 1BB', 'GIR 0AA'], ['SW1A', '98101', '1AA SW1A']],
  ['AU', ['2000'], ['200', '20000', 'NSW']],
  ['DE', ['60311'], ['6031', '603111']],
  ['FR', ['35000', '35 000'], ['3500', 'F-35000']],
])('%s has postal codes of its look', (country, right, wrong) => {
  for (const code of right) expect(postalCodeProblem(country, code), code).toBeUndefined();
  for (const code of wrong) expect(postalCodeProblem(country, code), code).toBeDefined();
  expect(needsPostalCode(country)).toBe(true);
  expect(requiredFields(country)).toContain('postalCode');
});

test('a country that is not listed may have none, or any', () => {
  expect(needsPostalCode('other')).toBe(false);
  expect(requiredFields('other')).not.toContain('postalCode');
  expect(requiredFields('other')).toContain('city');
  for (const code of ['D02 AF30', '110001', 'AD100']) {
    expect(postalCodeProblem('other', code)).toBeUndefined();
  }
});

test('while no country is chosen nothing is refused', () => {
  expect(postalCodeProblem(undefined, '98101')).toBeUndefined();
  expect(postalCodeProblem('', '98101')).toBeUndefined();
  expect(needsPostalCode(undefined)).toBe(true);
});
