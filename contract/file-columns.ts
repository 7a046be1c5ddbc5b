/** Columns of a file, found by their names. */

/** A field that a file may have. `names`: names its column may have, in small letters. */
export interface FileColumn {
  readonly label: string;
  readonly names: readonly string[];
}

/** Columns of the file whose name is one of a field's, counted from 0. */
function columnsOf(header: readonly string[], { names }: FileColumn): number[] {
  return header.flatMap((name, index) => {
    const plain = name
      .trim()
      .replaceAll(/[\s_]+/g, ' ')
      .toLowerCase();
    return names.includes(plain) ? [index] : [];
  });
}

/** Column of the file for each field, counted from 0: the first of its names; null where the file has none. */
export function findColumns<Field extends string>(
  header: readonly string[],
  fields: Readonly<Record<Field, FileColumn>>,
): Record<Field, number | null> {
  return Object.fromEntries(
    Object.entries<FileColumn>(fields).map(([field, column]) => [
      field,
      columnsOf(header, column)[0] ?? null,
    ]),
  ) as Record<Field, number | null>;
}

/**
 * Fields that several columns of a file name, in words: "Email (columns “Email” and “Work Email”)". Empty if each field
 * has at most one. A file that nobody matches by hand is refused for it, because one of the columns would not be read.
 */
export function columnsNamedTwice(
  header: readonly string[],
  fields: Readonly<Record<string, FileColumn>>,
): string[] {
  return Object.values(fields).flatMap((field) => {
    const names = columnsOf(header, field).map((index) => `“${header[index]}”`);
    return names.length < 2
      ? []
      : [`${field.label} (columns ${names.slice(0, -1).join(', ')} and ${names.at(-1)})`];
  });
}
