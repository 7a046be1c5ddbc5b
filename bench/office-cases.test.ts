import { expect, it } from 'vitest';
import { besideCases, rowCases } from './lists-cases.ts';
import { OF_ONE, officeCasesOf, unmeasured } from './office-cases.ts';

const things = { batchId: 'any', importId: 'any', webhookId: 'any', personId: 'any' };
const newest = new Map(Object.values(OF_ONE).map((table) => [table, 'any']));
const cases = [
  ...officeCasesOf({ newest, personId: 'any', lineId: 'any', month: '2026-11' }),
  ...rowCases(things),
  ...besideCases(things),
];

it('every read of the back office is measured, or left out for a reason', () => {
  expect(unmeasured(cases)).toEqual([]);
  expect(unmeasured(cases.filter(({ name }) => name !== 'adminGetBooks'))).toEqual([
    'adminGetBooks',
  ]);
});
