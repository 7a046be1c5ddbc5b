import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalAmount } from '#contract/money.ts';
import { missingStatementColumns } from '#contract/statement-file.ts';
import { closingOf, statements } from '#test/statement-files.ts';
import type { WrittenStatement } from '#test/statement-files.ts';
import { readCsvStatement } from './read-csv-statement.ts';
import type { CsvChoice, CsvStatement } from './read-csv-statement.ts';
import { findSheetColumns, guessCsvChoice, readStatementFile } from './read-statement-file.ts';
import { checkStatements } from './statement.ts';
import type { Statement } from './statement.ts';

async function sheetOf(text: string) {
  const file = await readStatementFile(Buffer.from(text));
  if (file.format !== 'csv') throw new Error('not taken for CSV');
  return file.sheet;
}

async function read(
  text: string,
  chosen: Partial<CsvChoice> = {},
  formerMinor: bigint | null = null,
): Promise<CsvStatement> {
  const sheet = await sheetOf(text);
  const { mapping, dayOrder, notation } = await guessCsvChoice(sheet, 'USD');
  expect(missingStatementColumns(mapping)).toEqual([]);
  const choice = { mapping, dayOrder: dayOrder ?? 'mdy', notation, ...chosen };
  return readCsvStatement(sheet, 'USD', choice, formerMinor);
}

async function statementOf(
  text: string,
  chosen: Partial<CsvChoice> = {},
  formerMinor: bigint | null = null,
): Promise<Statement> {
  const result = await read(text, chosen, formerMinor);
  if (!('statement' in result)) throw new Error(JSON.stringify(result.problems));
  checkStatements([result.statement]);
  return result.statement;
}

const amounts = ({ lines }: Statement) => lines.map(({ amountMinor }) => amountMinor);

/** A file of this statement, with or without a column for each direction, in either notation and order. */
function csv(
  { openingMinor, lines }: WrittenStatement,
  {
    isSplit,
    isComma,
    isNewestFirst,
  }: { isSplit: boolean; isComma: boolean; isNewestFirst: boolean },
): string {
  const write = (minor: bigint) =>
    isComma ? decimalAmount(minor).replace('.', ',') : decimalAmount(minor);
  let balance = openingMinor;
  const rows = lines.map((line) => {
    balance += line.amountMinor;
    const sides = [
      line.amountMinor > 0n ? write(line.amountMinor) : '',
      line.amountMinor < 0n ? write(line.amountMinor) : '',
    ];
    const cells = [
      line.day,
      line.text,
      line.reference,
      line.counterparty,
      ...(isSplit ? sides : [write(line.amountMinor)]),
      write(balance),
    ];
    return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
  });
  const header = `Date;Description;Bank reference;Counterparty;${isSplit ? 'Credit;Debit' : 'Amount'};Balance`;
  return [header, ...(isNewestFirst ? rows.toReversed() : rows)].join('\n');
}

describe('a statement as CSV', () => {
  it('reads what was written', async () => {
    const shapes = fc.record({
      isSplit: fc.boolean(),
      isComma: fc.boolean(),
      isNewestFirst: fc.boolean(),
    });
    const filled = statements.filter(
      ({ lines }) => lines.length > 0 && lines.every(({ text }) => !/^total/i.test(text)),
    );
    await fc.assert(
      fc.asyncProperty(filled, shapes, async (written, shape) => {
        const notation = shape.isComma ? 'comma' : 'dot';
        // Lines of one day that cancel out follow each other in both orders.
        const choice = { dayOrder: 'ymd', notation } as const;
        const found = await statementOf(csv(written, shape), choice, written.openingMinor);
        expect(found.opening?.amountMinor).toBe(written.openingMinor);
        expect(found.closing?.amountMinor).toBe(closingOf(written));
        expect(found.lines.map(({ place: _place, ...kept }) => kept)).toEqual(
          written.lines.map((one) => ({
            bookingDay: one.day,
            valueDay: null,
            amountMinor: one.amountMinor,
            text: one.text,
            bankReference: one.reference,
            counterparty: one.counterparty,
            endToEndReference: null,
            trace: null,
            batchReference: null,
            isReversal: false,
            parts: [],
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('reads titles, balances and totals around its lines', async () => {
    const text = [
      'Description,,Summary Amt.',
      'Beginning balance as of 12/03/2026,,"373,093.50"',
      'Total debits,,"-2,310.75"',
      '',
      'Date,Description,Amount,Running Bal.',
      '12/03/2026,Beginning balance as of 12/03/2026,,"373,093.50"',
      '12/03/2026,ACH SETTLEMENT TALLIS REED 0028,"-2,310.75","370,782.75"',
      '12/07/2026,REMOTE DEPOSIT,600.00,"371,382.75"',
      'Total,,"-1,710.75"',
    ].join('\r\n');
    expect(await statementOf(text)).toMatchObject({
      opening: { day: '2026-12-03', amountMinor: 37_309_350n },
      closing: { day: '2026-12-07', amountMinor: 37_138_275n },
      lines: [
        { amountMinor: -231_075n, bookingDay: '2026-12-03', place: 'Line 7' },
        { amountMinor: 60_000n, bookingDay: '2026-12-07', place: 'Line 8' },
      ],
    });
  });

  it.each([
    ['brackets', '(1,234.56)', -123_456n],
    ['brackets with a symbol inside', '($5.00)', -500n],
    ['brackets with a symbol outside', '$(5.00)', -500n],
    ['a minus before the symbol', '-$5.00', -500n],
    ['a minus behind', '5.00-', -500n],
    ['a true minus sign', '\u22125.00', -500n],
    ['DR', '5.00 DR', -500n],
    ['CR', '5.00 CR', 500n],
    ['a plus', '+5', 500n],
    ['apostrophes between thousands', "1'234.50-", -123_450n],
    ['typographic apostrophes between thousands', '-1’234’567.50', -123_456_750n],
    ['a narrow space between thousands', '1\u202f234,50', 123_450n],
    ['a code before it', 'USD 1,234.50', 123_450n],
  ])('reads %s', async (_what, cell, minor) => {
    expect(amounts(await statementOf(`Date,Amount,Description\n12/13/2026,"${cell}",x`))).toEqual([
      minor,
    ]);
  });

  it('takes the description for the words of a line where another column could have them too', async () => {
    const text =
      'Details,Posting Date,Description,Amount,Type,Balance\nDEBIT,12/13/2026,ACH OUT,-5.00,ACH_DEBIT,10.00';
    expect((await statementOf(text)).lines).toMatchObject([
      { text: 'ACH OUT', amountMinor: -500n },
    ]);
  });

  it('reads a dash for no amount', async () => {
    const text = 'Date,Debit,Credit\n12/13/2026,5.00,-\n12/13/2026,–,7.00';
    expect(amounts(await statementOf(text))).toEqual([-500n, 700n]);
  });

  it('reads money out with and without a minus in its own column, and zeros in the other', async () => {
    const text =
      'Date,Debit,Credit\n12/13/2026,5.00,0.00\n12/13/2026,-6.00,\n12/13/2026,,7.00\n12/14/2026,0.00,0.00';
    expect(amounts(await statementOf(text))).toEqual([-500n, -600n, 700n]);
  });

  it('finds the order of a day’s lines by their balances', async () => {
    const text = 'Date,Amount,Balance\n12/13/2026,7.00,12.00\n12/13/2026,5.00,5.00';
    expect(await statementOf(text)).toMatchObject({
      opening: { amountMinor: 0n },
      closing: { amountMinor: 1200n },
    });
  });

  it.each([
    '8 Dec 2026',
    '08-Dec-26',
    '08. December 2026',
    'Dec 8, 2026',
    'Dec. 08, 2026',
    '2026-12-08 10:15:00',
    '2026-12-08T23:59:59.000Z',
    '12/08/2026 10:15 AM',
  ])('reads the day of %s', async (cell) => {
    const { lines } = await statementOf(`Date;Amount\n${cell};1.00`, {
      dayOrder: cell.startsWith('2026') ? 'ymd' : 'mdy',
    });
    expect(lines).toMatchObject([{ bookingDay: '2026-12-08' }]);
  });

  it.each(['8 Dez 2026', 'Dec 32, 2026', '31 Feb 2026', 'Mayor 8, 2026', 'De 8, 2026'])(
    'takes %s for no day',
    async (cell) => {
      expect(await read(`Date;Amount\n${cell};1.00`)).toMatchObject({ problemCount: 1 });
    },
  );

  it('takes the sign of an amount from the column that names the side', async () => {
    const rows = (...cells: string[]) =>
      `Date,Amount,Debit/Credit\n${cells.map((cell) => `12/13/2026,${cell}`).join('\n')}`;
    const signed = await statementOf(rows('5.00,DEBIT', '6.00,cr', '-7.00,D', '0.00,'));
    expect(amounts(signed)).toEqual([-500n, 600n, -700n]);
    expect(await read(rows('5.00,ACH'))).toMatchObject({
      problems: [
        { column: 'Debit/Credit', value: 'ACH', message: 'Neither a debit nor a credit.' },
      ],
    });
    expect(await read(rows('-5.00,Credit'))).toMatchObject({
      problems: [{ column: 'Amount', message: 'Negative, and the line is a credit.' }],
    });
  });

  it.each([
    ['Status', 'Pending', 'Posted'],
    ['Transaction status', 'FAILED', 'Booked'],
    ['State', 'REVERTED', 'COMPLETED'],
    ['Info', 'Umsatz vorgemerkt', 'Umsatz gebucht'],
    ['Payment Status', 'Declined', 'Cleared'],
  ])(
    'leaves out and counts lines that the column %s does not call booked',
    async (heading, not, is) => {
      const text = [
        `Date,Description,Amount,${heading},Balance`,
        `,TAXI,-20.00,${not},`,
        `12/14/2026,FEE,-1.00,${is},109.00`,
        `12/13/2026,PAPER,-5.00,${not},90.00`,
        `12/13/2026,DEPOSIT,10.00,${is},110.00`,
      ].join('\n');
      expect(await statementOf(text)).toMatchObject({
        opening: { amountMinor: 10_000n },
        closing: { amountMinor: 10_900n },
        lines: [{ amountMinor: 1_000n }, { amountMinor: -100n }],
        notBooked: [{ status: not.toLowerCase(), count: 2 }],
      });
    },
  );

  it.each([
    ['that no bank has', 'Sent'],
    ['that is empty', ''],
  ])('refuses a status %s', async (_what, status) => {
    const text = `Date,Status,Amount\n12/13/2026,Posted,1.00\n12/13/2026,${status},2.00`;
    expect(await read(text)).toMatchObject({
      problemCount: 1,
      problems: [{ row: 3, column: 'Status', value: status }],
    });
  });

  it('refuses a file of which no line is booked, or all amounts are zero', async () => {
    const refused = (why: string) => ({ code: 'statement_unreadable', details: { why } });
    await expect(read('Date,Status,Amount\n12/13/2026,Pending,1.00')).rejects.toMatchObject(
      refused('none of its lines is booked'),
    );
    await expect(read('Date,Amount\n12/13/2026,0.00')).rejects.toMatchObject(
      refused('all of its amounts are zero'),
    );
  });

  it('takes a state of the United States for no status', async () => {
    const text = 'Date,Amount,State\n12/13/2026,1.00,CA\n12/13/2026,2.00,';
    expect(amounts(await statementOf(text))).toEqual([100n, 200n]);
  });

  it('takes the side of amounts without a sign from the only column that has words for it', async () => {
    const rows = (first: string) =>
      `Date,Transaction Type,Transaction Amount\n12/13/2026,Debit,${first}\n12/13/2026,Credit,7.00`;
    expect(amounts(await statementOf(rows('5.00')))).toEqual([-500n, 700n]);
    expect(amounts(await statementOf(rows('-5.00')))).toEqual([-500n, 700n]);
  });

  it('finds the statuses again where they were left out before', async () => {
    const sheet = await sheetOf('Date,Status,Amount\n12/13/2026,Pending,1.00');
    expect(findSheetColumns(sheet, { status: null })).toMatchObject({ status: 1 });
    expect(findSheetColumns(sheet, { text: 1 })).toMatchObject({ status: null, text: 1 });
  });

  it('reads balances without a day, and leaves out totals but no payment that begins with that word', async () => {
    const text = [
      'Description,Date,Amount,Balance',
      'Opening balance,,,100.00',
      'TOTAL WINE & MORE,12/13/2026,-45.00,55.00',
      'SUBTOTAL SOFTWARE,12/14/2026,-5.00,50.00',
      'Totals,,-50.00,',
      'Total,12/14/2026,-50.00,',
      'Closing balance,,,50.00',
    ].join('\n');
    expect(await statementOf(text)).toMatchObject({
      opening: { day: '2026-12-13', amountMinor: 10_000n },
      closing: { day: '2026-12-14', amountMinor: 5_000n },
      lines: [{ text: 'TOTAL WINE & MORE' }, { text: 'SUBTOTAL SOFTWARE' }],
    });
    const wrong = await read(text.replace('Closing balance,,,50.00', 'Closing balance,,,50.01'));
    expect(wrong).toMatchObject({ problemCount: 1, problems: [{ row: 7, column: 'Balance' }] });
  });

  it.each(['Amount ($)', 'Amount (USD)', 'Montant', 'Betrag', 'Transaction Amount in USD'])(
    'finds the amounts in the column %s',
    async (heading) => {
      expect(amounts(await statementOf(`Date,${heading}\n12/13/2026,7.00`))).toEqual([700n]);
    },
  );

  it('has no balances where the file has none', async () => {
    expect(await statementOf('Date,Amount\n12/13/2026,7.00')).toMatchObject({
      opening: null,
      closing: null,
    });
  });

  it.each([
    ['mdy', '12/13/2026'],
    ['dmy', '13.12.26'],
    ['ymd', '20261213'],
    ['mdy', '12/12/2026'],
    ['mdy', '8 Dec 2026'],
    [null, '12/11/2026'],
  ])('finds the order of days: %s', async (order, cell) => {
    const sheet = await sheetOf(`Date,Amount\n${cell},1.00`);
    expect((await guessCsvChoice(sheet, 'USD')).dayOrder).toBe(order);
  });

  it.each<[string, string, string, string, string]>([
    [
      'the other notation',
      'Date,Amount\n12/13/2026,"-2.310,75"\n12/13/2026,"2,310.75"\n12/14/2026,"1,000.00"',
      'Amount',
      '-2.310,75',
      'a comma before the cents',
    ],
    [
      'three decimals',
      'Date,Amount\n12/13/2026,1.005',
      'Amount',
      '1.005',
      'More than two decimals',
    ],
    [
      'a dash for no cents',
      'Date,Amount\n12/13/2026,"12,-"',
      'Amount',
      '12,-',
      'in place of the dash',
    ],
    [
      'another currency in the name of its column',
      'Date,Betrag (EUR)\n12/13/2026,5.00',
      'Betrag (EUR)',
      '5.00',
      'not in USD',
    ],
    ['two signs', 'Date,Amount\n12/13/2026,--5', 'Amount', '--5', 'more than one sign'],
    ['a formula', 'Date,Amount\n12/13/2026,=1+1', 'Amount', '=1+1', 'A formula'],
    ['another currency', 'Date,Amount\n12/13/2026,€5', 'Amount', '€5', 'Not an amount'],
    ['no amount', 'Date,Amount\n12/13/2026,', 'Amount', '', 'Each line needs an amount'],
    ['a day that is none', 'Date,Amount\n13/13/2026,1', 'Date', '13/13/2026', 'Not a day'],
    [
      'money in both columns',
      'Date,Debit,Credit\n12/13/2026,1,1',
      'Debit',
      '1',
      'money in as well',
    ],
    [
      'a negative amount of money in',
      'Date,Debit,Credit\n12/13/2026,,-1',
      'Credit',
      '-1',
      'Negative',
    ],
    [
      'an amount with a comma and no quotes',
      'Date,Amount,Balance\n12/13/2026,1,234.50,1,234.50',
      '4',
      '1',
      'Put quotes around an amount',
    ],
    [
      'another currency in its column',
      'Date,Amount,Currency,Balance\n12/13/2026,1,EUR,1\n12/14/2026,1,usd,2',
      'Currency',
      'EUR',
      'Not in USD.',
    ],
    [
      'another currency in the second column of that name',
      'Buchungstag;Saldo;Währung;Betrag;Währung\n12/13/2026;1;$;1;€',
      'Währung',
      '€',
      'Not in USD.',
    ],
    [
      'a balance that does not follow',
      'Date,Amount,Balance\n12/13/2026,1,1\n12/13/2026,1,3\n12/14/2026,1,4',
      'Balance',
      '3',
      'With the line before it is 2.00',
    ],
  ])('refuses %s', async (_what, text, column, value, message) => {
    const result = await read(text);
    expect(result).toMatchObject({
      problemCount: 1,
      problems: [{ column, value, message: expect.stringContaining(message) }],
    });
  });

  it('refuses more than 50,000 lines', async () => {
    const text = `Date,Amount\n${'12/13/2026,1\n'.repeat(50_001)}`;
    await expect(sheetOf(text)).rejects.toMatchObject({ code: 'statement_too_large' });
  });
});
