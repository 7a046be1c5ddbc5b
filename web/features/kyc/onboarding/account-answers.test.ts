import { expect, test } from 'vitest';
import { accountAnswers } from './account-answers.ts';

const INES = { firstName: 'Ines', lastName: 'Alvarado', email: 'ines@purser.test' };

test('a new application begins with the name and the address of the account', () => {
  expect(accountAnswers({ status: 'in_progress', answered: [] }, INES)).toEqual([
    ['fullName', 'Ines Alvarado'],
    ['email', 'ines@purser.test'],
  ]);
});

test('what was answered stays', () => {
  expect(accountAnswers({ status: 'in_progress', answered: ['fullName'] }, INES)).toEqual([
    ['email', 'ines@purser.test'],
  ]);
});

test('an application that was given back is not touched', () => {
  expect(accountAnswers({ status: 'resubmit_required', answered: [] }, INES)).toEqual([]);
});
