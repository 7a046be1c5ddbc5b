import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { hashOf, openReturns, returnOf, uploadOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { bookReturns } from './book-returns.ts';
import { getReturns } from './queries.ts';

const services = createTestServices();
let { db, other, steps } = {} as ReturnDesk;
/** A payment on its way that no test gives back. */
let still: Sent;
openReturns(services, async (desk) => {
  ({ db, other, steps } = desk);
  still = await steps.sentOne();
});

const countOf = async (table: 'return_file' | 'return_entry' | 'ledger_transaction') => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.count;
};
let uploads = 0;

describe('a file that is wrong', () => {
  const broken = (edit: (records: string[]) => string) =>
    edit(returnsFile([returnOf(still), returnOf(still, { trace: '084207319999996' })]));
  const put = (at: number, column: number, characters: string) => (records: string[]) =>
    records
      .map((line, index) =>
        index === at
          ? line.slice(0, column - 1) + characters + line.slice(column - 1 + characters.length)
          : line,
      )
      .join('\n');

  it.each<[string, (records: string[]) => string, string]>([
    ['truncated', (records) => records.slice(0, 4).join('\n'), 'Record 4'],
    ['without a batch header', (records) => records.toSpliced(1, 1).join('\n'), 'Record 2'],
    ['without addenda', (records) => records.toSpliced(3, 1).join('\n'), 'Record 3'],
    ['with a wrong count', put(6, 5, '000005'), 'Record 7, columns 5 to 10'],
    ['with a wrong sum', put(6, 33, '000000080001'), 'Record 7, columns 33 to 44'],
    ['with R97', put(3, 4, 'R97'), 'Record 4, columns 4 to 6'],
    ['without returns', put(2, 79, '0'), 'Record 4'],
    ['of nothing', () => '', 'Record 1'],
  ])('%s books nothing and is refused by its place', async (_what, edit, place) => {
    const text = broken(edit);
    const before = [await countOf('return_file'), await countOf('ledger_transaction')];
    const refused = steps.bookText(text);
    await expect(refused).rejects.toMatchObject({ code: 'return_file_unreadable' });
    await expect(refused).rejects.toMatchObject({
      details: { place: expect.stringContaining(place) as string },
    });
    await expect(refused).rejects.not.toThrow(/4400917|GRACE/);
    const check = await steps.check(text);
    expect(JSON.stringify(check.refused)).not.toMatch(/4400917|GRACE/);
    expect([await countOf('return_file'), await countOf('ledger_transaction')]).toEqual(before);
  });

  it('has its control record quoted with all figures', async () => {
    const text = broken(put(6, 33, '000000080001'));
    const { refused } = await steps.check(text);
    expect(refused?.control).toMatchObject({
      kind: 'batch',
      record: text.split('\n')[6],
      figures: [
        { name: 'entryCount', found: '4', expected: '4' },
        { name: 'entryHash', from: 11, to: 20 },
        { name: 'debitMinor', found: '0', expected: '0' },
        { name: 'creditMinor', from: 33, to: 44, found: '80001', expected: '80000' },
      ],
    });
  });

  it.each<[string, (records: string[]) => string]>([
    ['CRLF', (records) => records.join('\r\n')],
    ['blanks behind each record', (records) => records.map((line) => `${line}   \n`).join('')],
    ['no line ends at all', (records) => records.join('')],
  ])('is not one with %s', async (_what, edit) => {
    const one = await steps.sentOne();
    uploads += 1;
    const file = await steps.bookText(edit(returnsFile([returnOf(one, { number: uploads })])));
    expect((await getReturns(db, file.id)).entries).toMatchObject([{ status: 'booked' }]);
  });

  it('is hashed to its end where its fault stands first', async () => {
    const text = broken((records) => ['nonsense', ...records, '9'.repeat(2_000)].join('\n'));
    expect(await steps.check(text)).toMatchObject({ hash: hashOf(text), refused: { record: 1 } });
  });

  it('is refused if it is not the one that was checked', async () => {
    const text = returnsFile([returnOf(still)]).join('\n');
    const query = { fileName: '', hash: hashOf(`${text} `) };
    await expect(
      bookReturns(db, services, other, { query, body: uploadOf(text) }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});
