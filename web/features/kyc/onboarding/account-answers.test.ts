import { expect, test } from 'vitest';
import { accountAnswers } from './account-answers.ts';

const INES = {
  firstName: 'Ines',
  lastName: 'Alvarado',
  email: 'ines@purser.test',
  employeeId: null,
};

test('a new application begins with the name and the address of the account', () => {
  expect(accountAnswers({ status: 'in_progress', answered: [] }, INES, 'Tallis')).toEqual([
    ['fullName', 'Ines Alvarado'],
    ['email', 'ines@purser.test'],
  ]);
});

test('given answers stay', () => {
  expect(accountAnswers({ status: 'in_progress', answered: ['fullName'] }, INES, 'Tallis')).toEqual(
    [['email', 'ines@purser.test']],
  );
});

test('an application that was given back is not touched', () => {
  expect(accountAnswers({ status: 'resubmit_required', answered: [] }, INES, 'Tallis')).toEqual([]);
});

test('a new application of an employee begins with the employer, one that was begun stays', () => {
  const employee = { ...INES, employeeId: 'TR-0147' };
  expect(
    accountAnswers({ status: 'in_progress', answered: [] }, employee, 'Tallis'),
  ).toContainEqual(['employerName', 'Tallis']);
  expect(
    accountAnswers({ status: 'in_progress', answered: ['fullName', 'email'] }, employee, 'Tallis'),
  ).toEqual([]);
});
