import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotationCount, readAmountCell } from './amount-cells.ts';
import { decimalAmount, formatMoney, MAX_AMOUNT_MINOR, money } from './money.ts';

function readAll(cells: readonly string[]) {
  const count = new NotationCount();
  for (const cell of cells) count.add(cell, 'USD');
  return cells.map((cell) => readAmountCell(cell, { notation: count.notation, currency: 'USD' }));
}

function problemOf(...cells: [string, ...string[]]): string | undefined {
  const read = readAll(cells)[0];
  return typeof read === 'object' ? read?.problem : undefined;
}

describe('amounts in a file', () => {
  it.each([
    ['whole numbers', ['320', '0320', '$1 000'], [32_000n, 32_000n, 100_000n]],
    ['a decimal point', ['1,000.00', '320.5', '.50', '12.'], [100_000n, 32_050n, 50n, 1_200n]],
    [
      'a decimal comma',
      ['1.000,00', '320,5', ',50', '1 250,25'],
      [100_000n, 32_050n, 50n, 125_025n],
    ],
    ['thousands that another cell explains', ['1.234', '12,50'], [123_400n, 1_250n]],
    ['thousands in our own notation', ['1,234', '5'], [123_400n, 500n]],
    ['thousands twice', ['1.234.567'], [123_456_700n]],
    [
      'the currency',
      ['$3,180.00', '3,180.00 USD', 'usd 5', '5 $'],
      [318_000n, 318_000n, 500n, 500n],
    ],
    ['spaces that nobody sees', ['\u00a0 12.50\u200b', '1\u202f000.00'], [1_250n, 100_000n]],
    ['empty cells', ['', '  ', '\u200b', '5'], [null, null, null, 500n]],
    ['the largest amount', ['999,999,999,999.99'], [MAX_AMOUNT_MINOR]],
  ])('may have %s', (_what, cells, expected) => {
    expect(readAll(cells)).toEqual(expected);
  });

  it.each([
    ['0', 'Zero. Leave the cell empty instead.'],
    ['0.00', 'Zero. Leave the cell empty instead.'],
    ['-5.00', 'Negative. Enter an amount above zero.'],
    ['\u22125', 'Negative. Enter an amount above zero.'],
    ['5.00-', 'Negative. Enter an amount above zero.'],
    ['(5.00)', 'Negative. Enter an amount above zero.'],
    ['-$5.00', 'Negative. Enter an amount above zero.'],
    ['=A1+B1', 'A formula. Enter the amount itself.'],
    ['="5.00"', 'A formula. Enter the amount itself.'],
    ['@SUM(A1)', 'A formula. Enter the amount itself.'],
    ['5.001', 'More than two decimals.'],
    ['1.234', 'More than two decimals.'],
    ['1,000.000', 'More than two decimals.'],
    ['1.2E+05', 'Shortened by a spreadsheet. Format the column as numbers and save it again.'],
    ['2,342.6O', 'Not an amount: it has “O” in it.'],
    ['€5.00', 'Not an amount: it has “€” in it.'],
    ['+5.00', 'Not an amount: it has “+” in it.'],
    ['٣', 'Not an amount in USD.'],
    ['n/a', 'Not an amount in USD.'],
    ['-', 'Not an amount in USD.'],
    ['#REF!', 'Not an amount in USD.'],
    ['1,23,4', 'Not an amount in USD.'],
    ['1.2.3', 'Not an amount in USD.'],
    ['0,500', 'Not an amount in USD.'],
    ['1 00', 'Not an amount in USD.'],
    ['1,000 000', 'Not an amount in USD.'],
    ['1,000,000,000,000.00', 'Above $999,999,999,999.99.'],
  ])('may not be %j', (cell, problem) => {
    expect(problemOf(cell)).toBe(problem);
  });

  it('are written one way, the one of the greater part', () => {
    const isComma =
      'Written with a comma before the cents, other amounts of the file with a point.';
    const isPoint =
      'Written with a point before the cents, other amounts of the file with a comma.';
    expect(problemOf('1.000,00', '1,000.00')).toBe(isComma);
    expect(problemOf('12,50', '12.50', '13.50')).toBe(isComma);
    expect(problemOf('12.50', '12,50', '13,50')).toBe(isPoint);
    expect(problemOf('1,234', '12,50')).toBe('More than two decimals.');
    expect(problemOf('1,234.50', '12,50', '13,50')).toBe(isPoint);
  });

  it('are read as they were written, in both notations', () => {
    const minors = fc.array(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), { minLength: 1 });
    fc.assert(
      fc.property(minors, fc.boolean(), fc.boolean(), (amounts, isComma, isGrouped) => {
        const cells = amounts.map((minor) => {
          const text = isGrouped ? formatMoney(money(minor, 'USD')).slice(1) : decimalAmount(minor);
          return isComma ? text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;
        });
        expect(readAll(cells)).toEqual(amounts);
      }),
    );
  });

  it('are an amount, nothing or a reason, whatever a cell holds', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom('0', '1', '9', '.', ',', ' ', '-', '$', 'e'),
        maxLength: 9,
      }),
    );
    fc.assert(
      fc.property(cell, fc.constantFrom('dot' as const, 'comma' as const), (text, notation) => {
        const read = readAmountCell(text, { notation, currency: 'USD' });
        if (typeof read !== 'bigint') return;
        expect(read).toBeGreaterThan(0n);
        expect(text).toMatch(/^[\d.,$ ]*$/);
      }),
    );
  });
});
