import { expect, it } from 'vitest';
import { screenCasesOf, unmeasured } from './employee-cases.ts';

const things = {
  entries: 100,
  year: 2026,
  month: '2026-11',
  eventId: 'any.salary' as const,
  paidOutId: 'any.salary' as const,
  lineId: 'any',
  withdrawalId: 'any',
  depositId: 'any',
};

it('every read of an employee’s screens is measured, or left out for a reason', () => {
  const cases = screenCasesOf(things);
  expect(unmeasured(cases)).toEqual([]);
  expect(unmeasured(cases.filter(({ name }) => name !== 'listPayees'))).toEqual(['listPayees']);
});
