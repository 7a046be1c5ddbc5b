/** Columns of a file, found by their names. */

/** A field that a file may have. `names`: names its column may have, in small letters. */
export interface FileColumn {
  readonly label: string;
  readonly names: readonly string[];
}

/** Column of the file for each field, counted from 0: the first of its names; null where the file has none. */
export function findColumns<Field extends string>(
  header: readonly string[],
  fields: Readonly<Record<Field, FileColumn>>,
): Record<Field, number | null> {
  const names = header.map((name) =>
    name
      .trim()
      .replaceAll(/[\s_]+/g, ' ')
      .toLowerCase(),
  );
  const indexOf = ({ names: known }: FileColumn) => {
    const index = names.findIndex((name) => known.includes(name));
    return index === -1 ? null : index;
  };
  return Object.fromEntries(
    Object.entries<FileColumn>(fields).map(([field, column]) => [field, indexOf(column)]),
  ) as Record<Field, number | null>;
}
