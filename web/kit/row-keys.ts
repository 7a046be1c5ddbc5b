/**
 * The keyboard of lists. It works on the page as it stands, so that every `ListPage` has it: the row with
 * the focus is moved, and what a key does is a press of that row's own control. No key does what no
 * control of the row offers.
 */

export type RowAct =
  | 'next'
  | 'previous'
  | 'open'
  | 'select'
  | 'selectUpTo'
  | 'approve'
  | 'reject'
  | 'match';

/** The key of a row's button by its words, as `aria-keyshortcuts` says it. */
export const ROW_SHORTCUTS: Readonly<Record<string, string>> = {
  Approve: 'A',
  Verify: 'A',
  Reject: 'R',
};

const ROWS = '#main tr[data-row]';

/** The row that was selected by a key last: from there `selectUpTo` counts. */
let selectedLast: HTMLElement | null = null;

/** Does it, and answers whether there was a row to do it to. */
export function actOnRow(act: RowAct): boolean {
  // The keys go through the open row where one is open next to the list.
  if (act === 'next') return press(document, stepButton('J')) || moveBy(1);
  if (act === 'previous') return press(document, stepButton('K')) || moveBy(-1);
  const row = act === 'match' ? (openRow() ?? focusedRow()) : focusedRow();
  if (row === null) return false;
  switch (act) {
    case 'open':
      // On a control of the row, Enter is that control's.
      return row === document.activeElement && press(row, '.row-link, a[href]');
    case 'select':
      selectedLast = row;
      return press(row, '.pick input');
    case 'selectUpTo':
      return selectUpTo(row);
    case 'approve':
      return press(row, 'button[aria-keyshortcuts="A"]');
    case 'reject':
      return press(row, 'button[aria-keyshortcuts="R"]');
    case 'match':
      return press(row, 'button[aria-keyshortcuts="M"]');
  }
}

function rowsOfPage(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(ROWS)];
}

function stepButton(key: 'J' | 'K'): string {
  return `#main aside button[aria-keyshortcuts="${key}"]`;
}

/** The row that is open next to the list. */
function openRow(): HTMLElement | null {
  return document.querySelector(stepButton('J')) === null
    ? null
    : document.querySelector<HTMLElement>(`${ROWS}[aria-selected="true"]`);
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(ROWS) ?? null;
}

/** The first row where none has the focus; at an end it stays. */
function moveBy(step: 1 | -1): boolean {
  const rows = rowsOfPage();
  const focused = focusedRow();
  const index = focused === null ? 0 : rows.indexOf(focused) + step;
  const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  return row !== undefined;
}

function selectUpTo(row: HTMLElement): boolean {
  const rows = rowsOfPage();
  const here = rows.indexOf(row);
  const last = selectedLast === null ? -1 : rows.indexOf(selectedLast);
  const from = last === -1 ? here : last;
  for (const each of rows.slice(Math.min(from, here), Math.max(from, here) + 1)) {
    press(each, '.pick input:not(:checked)');
  }
  selectedLast = row;
  return true;
}

function press(row: ParentNode, selector: string): boolean {
  const control = row.querySelector<HTMLElement>(selector);
  control?.click();
  return control !== null;
}
