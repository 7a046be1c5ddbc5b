import { expect, test } from 'vitest';
import { NOT_PLAYED, PLAYED } from './commands.ts';
import { COMMAND_NAMES } from './coverage.ts';

test('each command of the contract is played, or listed once with the reason why not', () => {
  const listed = [...PLAYED, ...Object.values(NOT_PLAYED).flat()];
  expect(listed.toSorted()).toEqual(COMMAND_NAMES);
});
