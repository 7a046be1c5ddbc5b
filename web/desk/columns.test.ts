import { expect, test } from 'vitest';
import { bankAccount } from '#contract/things/bank-account.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { specOf, type Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { isUndone } from '#web/kit/is-undone.ts';
import { refusalOf } from '#web/lib/offered-acts.ts';
import { bulkActs, offeredActs } from './acts.ts';
import { rowActions } from './columns.tsx';
import type { DeskRow } from './desk.ts';

function rowOf(acts: Record<string, string | null>): DeskRow {
  return {
    id: 'id',
    status: 'approved',
    employee: { id: 'person', name: 'Grace Achieng', employeeId: null },
    acts: Object.entries(acts).map(([act, refusal]) => ({ act, refusal })),
  };
}

const buttonsOf = (thing: Thing, acts: Record<string, string | null>, wait?: string) =>
  rowActions(thing, rowOf(acts), {
    waitOf: () => wait,
    onOpen: () => undefined,
    onAct: () => undefined,
  }).map(({ label, isQuiet = false }) => (isQuiet ? `(${label})` : label));

test.each([withdrawal, deposit, bill, bankAccount] as readonly Thing[])(
  'the step that takes a $name on is its last button, after the acts with a reason',
  (thing) => {
    const reasons = bulkActs(thing).map((act) => specOf(thing, act).offer?.reason);
    const steps = reasons.filter((reason) => reason === undefined);
    expect(steps).not.toEqual([]);
    expect(reasons.slice(-steps.length)).toEqual(steps);
    // An act that is decided alone is in no row, and stands before the others in the details.
    expect(offeredActs(thing).slice(-bulkActs(thing).length)).toEqual(bulkActs(thing));
  },
);

test('a row offers the acts that the server would take, and otherwise its details', () => {
  expect(buttonsOf(withdrawal, { reject: null, approve: null })).toEqual(['Reject', 'Approve']);
  expect(buttonsOf(withdrawal, { reject: null, approve: 'Not you.' })).toEqual(['Reject']);
  expect(buttonsOf(withdrawal, { reject: 'Not you.', approve: 'Not you.' })).toEqual(['(Details)']);
  expect(buttonsOf(withdrawal, { return: null })).toEqual(['(Details)']);
  expect(refusalOf(rowOf({ approve: 'Not you.' }), 'approve')).toBe('Not you.');
});

test('a row says from when its money can leave, and opens the details', () => {
  const wait = 'Can be paid from Nov 26, 9:04 AM';
  expect(buttonsOf(withdrawal, { startProcessing: 'It cools off.' }, wait)).toEqual([`(${wait})`]);
  expect(buttonsOf(bill, { stop: null, send: 'It cools off.' }, wait)).toEqual([
    'Stop',
    `(${wait})`,
  ]);
});

test('the amount of a thing whose money came back is faded in every list', () => {
  expect(withdrawal.statuses.filter(isUndone)).toEqual(['rejected', 'cancelled', 'returned']);
  expect(bill.statuses.filter(isUndone)).toEqual(['rejected', 'cancelled', 'returned']);
});
