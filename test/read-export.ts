import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { BYTE_ORDER_MARK } from '#server/lib/csv.ts';
import { csvRecords } from '#server/lib/csv-records.ts';

/** Signs that begin a formula, in front of which `textCell` puts an apostrophe. */
const GUARD = /(^|[;\t\r\n])([^\S\t\r\n]*)'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** A cell that a spreadsheet reads as a formula. */
const FORMULA = /^[^\S\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;
/** Digits that are written as a formula, and amounts below zero. */
const OURS = /^(?:="(?:0\d+|\d{16,}|\d+[Ee]\d+)"|-\d+\.\d{2})$/;

/** The text that a person typed into a cell. */
function typed(cell: string): string {
  const digits = /^="(.*)"$/.exec(cell)?.[1];
  return digits ?? cell.replaceAll(GUARD, '$1$2').replace(/^'(?=[\t\r])/, '');
}

/** Rows of an export, each by the names of its columns. No cell of it runs in a spreadsheet. */
export async function readExport(csv: string): Promise<Readonly<Record<string, string>>[]> {
  const text = csv.startsWith(BYTE_ORDER_MARK) ? csv.slice(1) : csv;
  const records: string[][] = [];
  for await (const record of csvRecords(Readable.from([text]), ',')) records.push(record);
  const [header = [], ...rows] = records;
  return rows.map((cells) => {
    expect(cells.filter((cell) => FORMULA.test(cell) && !OURS.test(cell))).toEqual([]);
    expect(cells).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, index) => [name, typed(cells[index] ?? '')]));
  });
}
