import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { lacksBreakdown, placePaste, readCell, readPaste, sumUp } from './amounts.ts';
import type { DraftPerson } from './amounts.ts';

function person(id: string, amount: number | null, last: number | null = null): DraftPerson {
  const of = (minor: number | null) => (minor === null ? null : money(BigInt(minor), 'USD'));
  return {
    id,
    name: id,
    employeeId: `TR-${id}`,
    department: 'hr',
    walletLast4: '0001',
    amount: of(amount),
    last: of(last),
    problem: null,
    breakdownNet: null,
  };
}

describe('a cell', () => {
  it.each([
    ['1,200.50', 120_050n],
    ['$1,200.5', 120_050n],
    [' 1200 ', 120_000n],
    ['0.01', 1n],
    ['', null],
    ['–', null],
  ])('reads %j', (typed, minor) => {
    expect(readCell(typed, 'USD')).toEqual({ minor });
  });

  it.each(['12.345', '-5', '0', '1.000,00', '=A1', '2,342.6O'])('refuses %j', (typed) => {
    expect(readCell(typed, 'USD')).toEqual({ problem: 'Please enter a valid amount' });
  });
});

describe('a paste', () => {
  it('is no paste of cells with one cell', () => {
    expect(readPaste('1,200.50')).toBe(null);
  });
  it('has the amounts of a column', () => {
    expect(readPaste('1\r\n2\n\n3\n')).toEqual([
      { amount: '1' },
      { amount: '2' },
      { amount: '' },
      { amount: '3' },
    ]);
  });
  it('has employee IDs first in two columns', () => {
    expect(readPaste(' TR-0001\t12.50\nTR-0002\t3')).toEqual([
      { id: 'TR-0001', amount: '12.50' },
      { id: 'TR-0002', amount: '3' },
    ]);
  });
});

describe('a paste of three columns', () => {
  it('has an amount in none of them', () => {
    const pasted = readPaste('TR-1\t5,000.00\t3,900.00\nTR-2\t6\t\nTR-3\t\t200') ?? [];
    expect(pasted.map(({ amount }) => readCell(amount, 'USD'))).toEqual([
      { problem: 'Please enter a valid amount' },
      { minor: 600n },
      { problem: 'Please enter a valid amount' },
    ]);
  });
});

describe('the people of a paste', () => {
  const everyone = ['1', '2', '3'].map((id) => person(id, null));
  it('are those shown from the cell on, and no more', () => {
    const shown = everyone.slice(1);
    const pasted = [{ amount: '5' }, { amount: '6' }];
    expect(placePaste(pasted, { shown, everyone, index: 1 })).toEqual({
      cells: [{ id: '3', text: '5' }],
      unknown: 1,
      twice: 0,
    });
  });
  it('are found by their employee ID in any case, whoever is shown', () => {
    const pasted = readPaste('Employee ID\tNet pay\ntr-3\t5\nTR-1 \t6\nTR-9\t7') ?? [];
    expect(placePaste(pasted, { shown: [], everyone, index: 0 })).toEqual({
      cells: [
        { id: '3', text: '5' },
        { id: '1', text: '6' },
      ],
      unknown: 2,
      twice: 0,
    });
  });
  it('get nothing from two rows that name one of them', () => {
    const pasted = readPaste('TR-1\t5\nTR-2\t6\nTR-1\t7') ?? [];
    expect(placePaste(pasted, { shown: [], everyone, index: 0 })).toEqual({
      cells: [{ id: '2', text: '6' }],
      unknown: 0,
      twice: 2,
    });
  });
});

describe('sums', () => {
  it('count everyone, with what is typed in place of what is saved', () => {
    const people = [person('a', 100, 80), person('b', null, 50), person('c', 30)];
    const { all, byDepartment } = sumUp(people, new Map([['a', 120n]]));
    expect(all).toEqual({ people: 2, lastMinor: 130n, minor: 150n, changed: 3 });
    expect(byDepartment.get('hr')).toEqual(all);
  });
});

it.each([
  [290_000, undefined, false],
  [290_000, 291_000n, true],
  [291_000, undefined, true],
  [291_000, 290_000n, false],
  [null, undefined, false],
  [290_000, null, false],
])(
  'a breakdown of 2,900.00 with %s saved and %s typed is missing: %s',
  (saved, typed, isMissing) => {
    const one = { ...person('1', saved), breakdownNet: money(290_000n, 'USD') };
    const edits = new Map(typed === undefined ? [] : [['1', typed]]);
    expect(lacksBreakdown(one, edits)).toBe(isMissing);
    expect(lacksBreakdown({ ...one, breakdownNet: null }, edits)).toBe(false);
  },
);
