import { createContext, use, useState } from 'react';

/** The rows of a list that are selected. */
export interface Selection<Row> {
  /** In the order in which they were selected, on whatever page they are. */
  rows: readonly Row[];
  /** Those of the page that can be selected. */
  selectable: readonly Row[];
  /** Those of the page that are selected. */
  onPage: readonly Row[];
  canSelect: (row: Row) => boolean;
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  /** Selects the page, or gives it up. */
  togglePage: () => void;
  /** Selects these as well; what may not be selected is left out. */
  add: (rows: readonly Row[]) => void;
  clear: () => void;
}

/**
 * Selects rows of a list. A selection stays when another page or filter is shown. A row of the page that
 * may no longer be selected is no longer selected; of another page the server refuses it.
 *
 * @param rows of the page
 * @param keyOf what names a row
 * @param canSelect whether there is anything to be done with it
 * @param isAllAtFirst true: the rows of the first page are selected until somebody gives them up
 */
export function useSelection<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  canSelect: (row: Row) => boolean,
  { isAllAtFirst = false }: { isAllAtFirst?: boolean } = {},
): Selection<Row> {
  const [kept, setKept] = useState<ReadonlyMap<string, Row>>(
    () => new Map(isAllAtFirst ? rows.map((row) => [keyOf(row), row]) : []),
  );
  const onScreen = new Map(rows.map((row) => [keyOf(row), row]));
  const selectable = rows.filter(canSelect);
  const selected = [...kept].map(([key, row]) => onScreen.get(key) ?? row).filter(canSelect);
  const onPage = selectable.filter((row) => kept.has(keyOf(row)));
  const change = (edit: (next: Map<string, Row>) => void) =>
    setKept((current) => {
      const next = new Map(current);
      edit(next);
      return next;
    });
  const add = (more: readonly Row[]) =>
    change((next) => {
      for (const row of more) if (canSelect(row)) next.set(keyOf(row), row);
    });
  return {
    rows: selected,
    selectable,
    onPage,
    canSelect,
    has: (row) => kept.has(keyOf(row)) && canSelect(row),
    toggle: (row) =>
      change((next) => {
        if (!next.delete(keyOf(row))) next.set(keyOf(row), row);
      }),
    togglePage: () => {
      if (onPage.length < selectable.length) add(selectable);
      else
        change((next) => {
          for (const row of selectable) next.delete(keyOf(row));
        });
    },
    add,
    clear: () => setKept(new Map()),
  };
}

/**
 * The selection of the list around it. The checkboxes read it from here and not from their column, so that
 * a change of the selection draws the checkboxes alone: drawing 100 whole rows takes longer than 200 ms.
 */
export const SelectionContext = createContext<Selection<never> | undefined>(undefined);

/** Selection of the list around it. Throws outside of a list with one. */
export function useListSelection<Row>(): Selection<Row> {
  const selection = use(SelectionContext);
  if (selection === undefined) throw new Error('The list has no selection');
  return selection as unknown as Selection<Row>;
}
