import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords } from './csv-records.ts';
import { readCsv } from './read-csv.ts';

async function read(slices: readonly string[], delimiter = ','): Promise<string[][]> {
  const text = (async function* text() {
    yield* slices;
  })();
  const records: string[][] = [];
  for await (const record of csvRecords(text, delimiter)) records.push(record);
  return records;
}

describe('records of CSV', () => {
  it.each([
    ['nothing', '', []],
    ['a line without an end', 'a,b', [['a', 'b']]],
    ['each end of a line', 'a\nb\r\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    ['blank lines', '\n\r\n\ra', [[''], [''], [''], ['a']]],
    [
      'empty cells',
      ',a,\n,',
      [
        ['', 'a', ''],
        ['', ''],
      ],
    ],
    ['quotes', '"a,""b""\r\nc",""\n', [['a,"b"\r\nc', '']]],
    ['spaces as they are', ' a , b \n', [[' a ', ' b ']]],
  ])('have %s', async (_what, text, records) => {
    expect(await read([text])).toEqual(records);
    expect(await read(Array.from(text))).toEqual(records);
  });

  it.each([
    ['a quote in the middle of a cell', 'a\nb"c"\n', 2],
    ['text behind a closing quote', '"a"b\n', 1],
    ['a quote that is not closed', 'a\n"b\nc\n', 2],
    ['a doubled quote at the end', '"a""', 1],
    ['a record without an end', `a\n"b\nc"\n${'x'.repeat(20_001)}`, 4],
    ['a record of cells without an end', `a\n${','.repeat(20_001)}\n`, 2],
  ])('are refused for %s, with the line', async (_what, text, line) => {
    const refusal = { code: 'import_unreadable', details: { line } };
    await expect(read([text])).rejects.toMatchObject(refusal);
    await expect(read(text.match(/[^]{1,5000}/g) ?? [])).rejects.toMatchObject(refusal);
  });

  it('are the ones that were written, wherever their text is cut', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', ' '),
      maxLength: 6,
    });
    const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    const written = fc.record({
      records,
      end: fc.constantFrom('\n', '\r\n', '\r'),
      delimiter: fc.constantFrom(',', ';', '\t'),
      cuts: fc.array(fc.nat(60), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(written, async ({ records: made, end, delimiter, cuts }) => {
        const quoted = (text: string) =>
          /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const text = made.map((cells) => cells.map(quoted).join(delimiter) + end).join('');
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const slices = places.map((place, n) => text.slice(place, places[n + 1] ?? text.length));
        expect(await read(slices, delimiter)).toEqual(made);
      }),
    );
  });
});

describe('the delimiter of a file', () => {
  it.each([
    ['semicolons between two columns with a decimal comma', 'Wer;Netto\na;320,50\nb;1.000,00', ';'],
    ['the same below a title with a comma', 'Pay, December\nWer;Netto\na;320,50', ';'],
    ['tabs, as cells are pasted', 'Wer\tNetto\na\t320,50\nb\t1,000.00', '\t'],
    ['bars', 'Name|Pay\nAdler, Ben|320,50', '|'],
    ['commas with a bar in each text', 'Name,Pay\na | b,320.50\nc | d,1.00', ','],
    ['commas with a semicolon in a cell', 'Name,Pay\nAdler; Ben,320.50', ','],
    ['commas and quotes', 'Name,Pay\n"a;b;c","1,000.00"', ','],
    ['commas that come later', 'Name\nBen', ','],
  ])('is found: %s', async (_what, text, delimiter) => {
    const bytes = (async function* bytes() {
      yield Buffer.from(text);
    })();
    const records: string[][] = [];
    for await (const record of readCsv(bytes)) records.push(record);
    expect(records).toEqual(await read([text], delimiter));
  });
});
