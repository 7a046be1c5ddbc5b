import { describe, expect, it } from 'vitest';
import { readStatementFile, sheetColumns } from './read-statement-file.ts';

async function columnsOf(lines: readonly string[]) {
  const file = await readStatementFile(Buffer.from(lines.join('\n')));
  if (file.format !== 'csv') throw new Error('not taken for CSV');
  const { mapping: found, rivals } = sheetColumns(file.sheet);
  return { found, rivals };
}

describe('two columns of a statement that could both be one thing', () => {
  it.each([
    ['amounts', 'Date,Amount,Amount', ['12/13/2026,1.00,2.00'], 'amount'],
    ['days', 'Date,Posting date,Amount', ['12/13/2026,12/14/2026,2.00'], 'bookingDay'],
    ['balances', 'Date,Amount,Balance,Saldo', ['12/13/2026,1.00,2.00,3.00'], 'balance'],
    ['money out', 'Date,Credit,Debit,Debits', ['12/13/2026,1.00,,'], 'moneyOut'],
  ] as const)('are not read where they have %s', async (_what, header, rows, field) => {
    const { found } = await columnsOf([header, ...rows]);
    expect(found[field]).toBeNull();
  });

  it.each([
    ['Date,Amount,Status,Status', 'Posted,Pending', 'Status (columns “Status” and “Status”)'],
    [
      'Date,Amount,Transaction status,Payment status',
      'Posted,Declined',
      'Status (columns “Transaction status” and “Payment status”)',
    ],
    ['Date,Amount,Side,Kind', 'Debit,Credit', 'Debit or credit (columns “Side” and “Kind”)'],
  ])('are asked for where “%s” say different things', async (header, cells, rival) => {
    const { found, rivals } = await columnsOf([header, `12/13/2026,1.00,${cells}`]);
    expect(rivals).toEqual([rival]);
    expect([found.status, found.direction]).toEqual([null, null]);
  });

  it('are read where both say the same', async () => {
    const { found, rivals } = await columnsOf([
      'Date,Amount,Status,Payment status,Side,Type',
      '12/13/2026,1.00,Posted,Cleared,Debit,D',
      '12/14/2026,2.00,Pending,Declined,Credit,C',
    ]);
    expect(rivals).toEqual([]);
    expect(found).toMatchObject({ status: 2, direction: 4 });
  });
});
