import { expect, test } from 'vitest';
import { agreementOf, byAgreement } from './match-lines.ts';
import type { MatchableLine, OpenItem } from './match-lines.ts';

const LINE: MatchableLine = {
  id: 'line',
  bookedOn: '2026-12-07',
  amountMinor: 60_000n,
  isReversal: false,
  text: 'REMOTE DEPOSIT CHECK 2210',
  counterparty: null,
  references: [],
};
const itemOf = (id: string, more: Partial<OpenItem> = {}): OpenItem => ({
  kind: 'deposit',
  id,
  openMinor: 60_000n,
  references: [],
  person: 'Siobhán Doyle',
  day: '2026-12-07',
  method: 'physical_check',
  ...more,
});

test('an item agrees with a line in amount, day, method and name', () => {
  expect(agreementOf(LINE, itemOf('doyle'))).toEqual({
    amount: true,
    day: true,
    method: true,
    name: false,
  });
  const named = { ...LINE, text: 'ACH CREDIT DELGADO ROSA' };
  const delgado = itemOf('delgado', { person: 'Rosa Delgado', day: '2026-12-06', method: 'ach' });
  expect(agreementOf(named, delgado)).toEqual({
    amount: true,
    day: false,
    method: true,
    name: true,
  });
  expect(agreementOf(LINE, delgado)).toMatchObject({ method: false, name: false });
});

test.each([
  ['ach', 'SEPA CREDIT TRANSFER DOYLE'],
  ['ach', 'Sepa-Überweisung Doyle'],
  ['ach', 'FPS CREDIT DOYLE S'],
  ['ach', 'FASTER PAYMENT DOYLE'],
  ['ach', 'BACS 204412 DOYLE'],
  ['wire', 'CHAPS CREDIT DOYLE'],
] as const)('banks in Europe name the method %s by “%s”', (method, text) => {
  const line = { ...LINE, text };
  expect(agreementOf(line, itemOf('doyle', { method }))).toMatchObject({ method: true });
  expect(agreementOf(line, itemOf('doyle', { method: 'card' }))).toMatchObject({ method: false });
});

test('what has neither method nor person says nothing about them', () => {
  const payroll = itemOf('payroll', { kind: 'payroll', method: null, person: null });
  expect(agreementOf(LINE, payroll)).toMatchObject({ method: null, name: null });
});

test('those that agree in more come first, and those of another amount last', () => {
  const items = [
    itemOf('other amount', { openMinor: 60_001n }),
    itemOf('nothing else', { day: '2026-12-06', method: 'ach' }),
    itemOf('day', { method: 'ach' }),
    itemOf('day and method'),
    itemOf('day, too', { method: 'wire' }),
  ];
  expect(byAgreement(LINE, items).map(({ id }) => id)).toEqual([
    'day and method',
    'day',
    'day, too',
    'nothing else',
    'other amount',
  ]);
});
