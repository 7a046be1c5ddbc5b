import { expect, test } from 'vitest';
import type { AdminBill } from '#contract/api.ts';
import { billDecisions } from './bill-decision.tsx';

const DAY_MS = 86_400_000;
const due = (days: number, returned: AdminBill['payee']['returned'] = null) =>
  ({
    status: 'due',
    payableFrom: new Date(Date.now() + days * DAY_MS).toISOString(),
    payee: { returned },
  }) as AdminBill;

test('a row does not offer to send a bill before its money can leave; the details say from when', () => {
  expect(billDecisions(due(1), { isRow: true })).toEqual(['stop']);
  expect(billDecisions(due(1), { isRow: false })).toEqual(['stop', 'send']);
  expect(billDecisions(due(-1), { isRow: true })).toEqual(['stop', 'send']);
});

test('a row does not offer to send a bill to a payee whom the bank sent one back from', () => {
  const amount = { minor: '7000', currency: 'USD' } as const;
  const returned = { reference: 'BP-00000001', amount, at: '2026-12-08', reason: 'R03 No account' };
  expect(billDecisions(due(-1, returned), { isRow: true })).toEqual(['stop']);
});
