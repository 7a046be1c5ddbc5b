import { useState } from 'react';

/** The rows of a page that are selected. */
export interface Selection<Row> {
  /** In the order of the page. */
  rows: readonly Row[];
  /** Those of the page that can be selected. */
  selectable: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  selectAll: () => void;
  clear: () => void;
}

/**
 * Selects rows of the page that is shown. What is no longer there, or may no longer be selected, is no
 * longer selected.
 *
 * @param rows of the page
 * @param keyOf what names a row
 * @param canSelect whether there is anything to be done with it
 */
export function useSelection<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  canSelect: (row: Row) => boolean,
): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selectable = rows.filter(canSelect);
  return {
    rows: selectable.filter((row) => keys.has(keyOf(row))),
    selectable,
    has: (row) => keys.has(keyOf(row)) && canSelect(row),
    toggle: (row) =>
      setKeys((current) => {
        const key = keyOf(row);
        return current.has(key)
          ? new Set([...current].filter((other) => other !== key))
          : new Set([...current, key]);
      }),
    selectAll: () => setKeys(new Set(selectable.map(keyOf))),
    clear: () => setKeys(new Set()),
  };
}
