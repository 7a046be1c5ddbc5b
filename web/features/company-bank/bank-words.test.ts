import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { cutToLine, leftOutWords, lineWords } from './bank-words.ts';
import type { BankItem, BankLine } from './bank-words.ts';

const item = (itemId: string, minor: bigint): BankItem => ({
  kind: 'payroll',
  itemId,
  name: itemId,
  person: null,
  day: null,
  amount: money(minor, 'USD'),
});
const cut = (line: bigint, ...amounts: bigint[]) =>
  cutToLine(
    { amount: money(line, 'USD') },
    amounts.map((minor, at) => item(String(at), minor)),
  )?.map(({ amount }) => amount.minor);

describe('items of a line', () => {
  it('are cut where the line has a part of the last one alone', () => {
    expect(cut(600n, 1_000n)).toEqual(['600']);
    expect(cut(-600n, -1_000n)).toEqual(['-600']);
    expect(cut(600n, 500n, 200n)).toEqual(['500', '100']);
  });

  it.each([
    ['the line has all of them', 700n, [500n, 200n]],
    ['the line has more', 800n, [500n, 200n]],
    ['nothing is left for the last one', 500n, [500n, 200n]],
    ['the others are more than the line', 400n, [500n, 200n]],
    ['money goes the other way', -600n, [1_000n]],
    ['nothing is chosen', 600n, []],
  ])('are not cut where %s', (_why, line, amounts) => {
    expect(cut(line, ...amounts)).toBeUndefined();
  });
});

describe('a line', () => {
  const line = {
    text: '',
    counterparty: null,
    references: ['R1'],
    amount: money(-120_000n, 'USD'),
  } as unknown as BankLine;

  it('is named by what the bank wrote of it', () => {
    expect(lineWords({ ...line, text: 'FEE', counterparty: 'Northgate' })).toBe('FEE');
    expect(lineWords({ ...line, counterparty: 'Northgate' })).toBe('Northgate');
    expect(lineWords(line)).toBe('R1');
    expect(lineWords({ ...line, references: [] })).toBe('No text');
  });
});

it('names the lines that are left out by the words of the bank', () => {
  const left = (...counts: [string, number][]) =>
    leftOutWords(counts.map(([status, count]) => ({ status, count })));
  expect(left(['pending', 1])).toBe(
    '1 line is left out, because the bank has not booked it: 1 pending.',
  );
  expect(left(['pending', 2], ['failed', 1])).toBe(
    '3 lines are left out, because the bank has not booked them: 2 pending, 1 failed.',
  );
});
