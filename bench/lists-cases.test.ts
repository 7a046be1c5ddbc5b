import { expect, it } from 'vitest';
import * as LISTS from '#contract/lists.ts';
import { besideCases, rowCases, unmeasured } from './lists-cases.ts';

const things = { batchId: 'any', importId: 'any', webhookId: 'any', personId: 'any' };
const cases = [...rowCases(things), ...besideCases(things)];

it('every operation that lists or counts is measured', () => {
  expect(unmeasured(cases)).toEqual([]);
  expect(unmeasured(cases.filter(({ name }) => name !== 'listSessions'))).toEqual(['listSessions']);
});

it.each(Object.entries(LISTS))('every filter and sort of %s is measured', (_name, list) => {
  const queries = cases.flatMap(({ name, input }) =>
    name === list.operations.rows ? [input.query ?? {}] : [],
  );
  const isAsked = (name: string, value: string) => queries.some((query) => query[name] === value);
  for (const [name, filter] of Object.entries(list.filters)) {
    const values = filter.kind === 'choice' ? filter.values.slice(1) : [];
    for (const value of values) expect(isAsked(name, value), `${name} ${value}`).toBe(true);
  }
  for (const sort of list.sort?.columns ?? []) expect(isAsked('sort', sort), sort).toBe(true);
});
