/** Columns of a file, found by their names, and errors in its cells. */

/** A field that a file may have. `names`: names its column may have, in small letters. */
export interface FileColumn {
  readonly label: string;
  readonly names: readonly string[];
}

/** Column of the file for each field, counted from 0; null where the file has none. */
export type FileMapping<Field extends string> = Record<Field, number | null>;

/** Error in a cell of a file. */
export interface FileProblem {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  /** The name of its column in the file. */
  column: string;
  /** The cell as it stands there. */
  value: string;
  message: string;
}

/** Name of a column as names are compared: small letters, with one space for spaces and underscores. */
export function plainHeading(name: string): string {
  return name
    .trim()
    .replaceAll(/[\s_]+/g, ' ')
    .toLowerCase();
}

const CODES = 'usd|eur|gbp|chf|cad|aud|nzd|jpy|cny|inr|mxn|sek|nok|dkk|pln|czk|huf|ron';
/** Currency at the end of a column's name: "Amount (USD)", "Net Pay ($)", "Amount in EUR". */
const HEADING_CURRENCY = new RegExp(String.raw` ?(?:\((\p{Sc}|${CODES})\)|\bin (${CODES}))$`, 'u');

/** Code or symbol of the currency that a column's name ends with, in capital letters; null if there is none. */
export function currencyOfHeading(name: string): string | null {
  const [, inBrackets, behindWord] = HEADING_CURRENCY.exec(plainHeading(name)) ?? [];
  return (inBrackets ?? behindWord)?.toUpperCase() ?? null;
}

/** Columns of the file whose name, with or without a currency at its end, is one of a field's, counted from 0. */
function columnsOf(header: readonly string[], { names }: FileColumn): number[] {
  return header.flatMap((name, index) => {
    const plain = plainHeading(name);
    const isNamed = names.includes(plain) || names.includes(plain.replace(HEADING_CURRENCY, ''));
    return isNamed ? [index] : [];
  });
}

/** Column of the file for each field, counted from 0: the first of its names; null where the file has none. */
export function findColumns<Field extends string>(
  header: readonly string[],
  fields: Readonly<Record<Field, FileColumn>>,
): FileMapping<Field> {
  return Object.fromEntries(
    Object.entries<FileColumn>(fields).map(([field, column]) => [
      field,
      columnsOf(header, column)[0] ?? null,
    ]),
  ) as FileMapping<Field>;
}

/** As `findColumns`, but null for a field that several columns name: somebody has to say which one it is. */
export function findOnlyColumns<Field extends string>(
  header: readonly string[],
  fields: Readonly<Record<Field, FileColumn>>,
): FileMapping<Field> {
  const found = Object.entries(findColumns(header, fields)) as [Field, number | null][];
  return Object.fromEntries(
    found.map(([field, index]) => [
      field,
      columnsOf(header, fields[field]).length > 1 ? null : index,
    ]),
  ) as FileMapping<Field>;
}

/** Names of two or more columns in words: "“Email” and “Work Email”". */
export function columnNames(header: readonly string[], columns: readonly number[]): string {
  const names = columns.map((index) => `“${header[index] ?? ''}”`);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Columns that name the same field, in words; undefined if at most one does. */
export function rivalColumns(header: readonly string[], field: FileColumn): string | undefined {
  const columns = columnsOf(header, field);
  return columns.length < 2 ? undefined : columnNames(header, columns);
}

/** Fields that several columns of a file name, each with these columns in words. */
export function rivalsOf<Field extends string>(
  header: readonly string[],
  fields: Readonly<Record<Field, FileColumn>>,
): Partial<Record<Field, string>> {
  const found = Object.entries<FileColumn>(fields).flatMap(([id, field]) => {
    const names = rivalColumns(header, field);
    return names === undefined ? [] : [[id, names]];
  });
  return Object.fromEntries(found) as Partial<Record<Field, string>>;
}

/**
 * Fields that several columns of a file name, in words: "Email (columns “Email” and “Work Email”)". Empty if each field
 * has at most one. Somebody has to say which column it is, because one of them would not be read.
 */
export function columnsNamedTwice(
  header: readonly string[],
  fields: Readonly<Record<string, FileColumn>>,
): string[] {
  return Object.values(fields).flatMap((field) => {
    const names = rivalColumns(header, field);
    return names === undefined ? [] : [`${field.label} (columns ${names})`];
  });
}
