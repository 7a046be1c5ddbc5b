import { expect, test } from 'vitest';
import { fullName, nameRules } from './person-name.ts';
import { fullNameRule, splitName } from './people.ts';
import { problemOf } from './rules.ts';

test.each([
  ['Silva, Ana', 'Ana Silva'],
  [' de la Cruz ,  María José', 'María José de la Cruz'],
  ['Jane Roe, Jr.', 'Jane Roe, Jr.'],
  ['Jane Roe, PhD', 'Jane Roe, PhD'],
  ['Anneke de Vries', 'Anneke de Vries'],
  ['Suharto', 'Suharto'],
  ['Suharto -', 'Suharto'],
  [', Suharto', 'Suharto'],
  ['Suharto,', 'Suharto'],
  ['Suharto  ', 'Suharto'],
])('the name %s is %s', (typed, name) => {
  expect(fullNameRule.clean(typed)).toBe(name);
});

test('a single name is taken, and is written without a space or a dash', () => {
  expect(problemOf(fullNameRule, 'Suharto')).toBeUndefined();
  expect(splitName('Suharto')).toEqual({ firstName: 'Suharto', lastName: '' });
  expect(fullName({ firstName: 'Suharto', lastName: '' })).toBe('Suharto');
  expect(nameRules.lastName.clean(' — ')).toBe('');
  expect(problemOf(nameRules.lastName, '')).toBeUndefined();
  expect(problemOf(nameRules.firstName, ' ')).toBe('Enter the first name');
});
