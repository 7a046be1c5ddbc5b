import type { AccountDocument } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { COLORS, CONTENT_WIDTH, LINE, LOOKS, PAGE, RIGHT, ROW_PADDING } from './page.ts';
import type { Block } from './pages.ts';
import type { Element, TaggedDrawer } from './tagged.ts';
import type { Look, TextDrawer } from './text.ts';

type Table = AccountDocument['tables'][number];
type Cell = Table['rows'][number][number];
type Kind = Table['columns'][number]['kind'];

/** A column and its position. */
interface Column {
  label: string;
  kind: Kind;
  x: number;
  width: number;
}

interface Row {
  cells: readonly (readonly string[])[];
  height: number;
  isTotal: boolean;
}

/** A table with broken lines and column widths, ready to be drawn. */
interface LaidTable {
  title: string | null;
  columns: readonly Column[];
  rows: readonly Row[];
}

const GAP = 12;
const TABLE_HEAD = LINE + 2 * ROW_PADDING;
/** Height of the title above a table, with the space before it. */
const TABLE_TITLE = 34;

/** Text of a cell; an amount has its currency and sign. */
export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if ('reference' in cell) return cell.reference;
  return formatMoney(cell.amount, cell.isSigned ? 'always' : 'auto');
}

/**
 * Columns of amounts, dates and references get the width of their widest text; text columns share
 * the rest.
 */
function layTable(table: Table, text: TextDrawer): LaidTable {
  const rows = [...table.rows, ...(table.total === null ? [] : [table.total])].map((cells) =>
    cells.map(cellText),
  );
  const columns = placeColumns(table, rows, text);
  return {
    title: table.title,
    columns,
    rows: rows.map((cells, index) => {
      const isTotal = index >= table.rows.length;
      const lines = cells.map((words, place) => {
        const column = columns[place];
        if (column === undefined) return [words];
        return text.lines(words, lookOf(column.kind, isTotal), column.width);
      });
      const most = Math.max(...lines.map((cell) => cell.length));
      return { cells: lines, height: most * LINE + 2 * ROW_PADDING, isTotal };
    }),
  };
}

function lookOf(kind: Kind, isTotal: boolean): Look {
  if (kind === 'amount') return isTotal ? LOOKS.total : LOOKS.amount;
  if (isTotal) return LOOKS.strong;
  return kind === 'code' ? LOOKS.code : LOOKS.body;
}

/** Looks for the widest text only among the longest, so that not every cell is measured. */
function naturalWidth(texts: readonly string[], look: Look, text: TextDrawer): number {
  const longest = Math.max(0, ...new Set(texts.map((one) => one.length)));
  const long = new Set(texts.filter((one) => one.length >= longest - 2));
  return Math.max(0, ...[...long].map((one) => text.width(one, look)));
}

/** Maximum width of a code; a longer one is broken. */
const MAX_CODE_WIDTH = 130;

function placeColumns(table: Table, rows: readonly string[][], text: TextDrawer): Column[] {
  const widths = table.columns.map(({ label, kind }, place) => {
    const words = rows.map((cells) => cells[place] ?? '');
    // Some texts, for example "Jul 31", are narrower in the bold font of a total.
    const widest = Math.max(
      naturalWidth(words, lookOf(kind, true), text),
      naturalWidth(words, lookOf(kind, false), text),
      text.width(label, LOOKS.head),
    );
    return kind === 'code' ? Math.min(widest, MAX_CODE_WIDTH) : widest;
  });
  const room = CONTENT_WIDTH - GAP * (widths.length - 1);
  const over = widths.reduce((sum, width) => sum + width, 0) - room;
  // The widest text column takes the remaining width, or gives up what is missing.
  const elastic = widestText(table, widths);
  const placed = widths.map((width, place) => (place === elastic ? width - over : width));
  let x: number = PAGE.margin;
  return table.columns.map(({ label, kind }, place) => {
    const column = { label, kind, x, width: placed[place] ?? 0 };
    x += column.width + GAP;
    return column;
  });
}

function widestText({ columns }: Table, widths: readonly number[]): number {
  let widest = 0;
  for (const [place, { kind }] of columns.entries()) {
    if (kind === 'text' && (widths[place] ?? 0) > (widths[widest] ?? 0)) widest = place;
  }
  return widest;
}

/** A table as blocks: its title and head with the first row, then one block for each row. */
export function tableBlocks(drawer: TaggedDrawer, table: Table): Block[] {
  const { title, columns, rows } = layTable(table, drawer.text);
  const over = title === null ? 18 : TABLE_TITLE;
  // Opened with the first row, closed with the last.
  let element: Element | null = null;
  return rows.map((row, index) => {
    const isFirst = index === 0;
    const before = isFirst ? over + TABLE_HEAD : 0;
    return {
      height: before + row.height,
      draw(y) {
        if (isFirst && title !== null) {
          const at = { x: PAGE.margin, y: y + TABLE_TITLE - LINE - 4 };
          drawer.lines('H2', [title], { look: LOOKS.heading, at });
        }
        element ??= drawer.openPart('Table');
        if (isFirst) drawHead(drawer, columns, y + over, element);
        drawRow(drawer, columns, row, { y: y + before, table: element });
        if (index === rows.length - 1) element.end();
      },
      ...(!isFirst && {
        repeated: { height: TABLE_HEAD, draw: (y: number) => drawHead(drawer, columns, y, null) },
      }),
    };
  });
}

/**
 * Column labels above a rule. On later pages the repeated labels are only visual, not in the
 * structure.
 */
function drawHead(
  drawer: TaggedDrawer,
  columns: readonly Column[],
  y: number,
  table: Element | null,
): void {
  const row = table === null ? null : drawer.openPart('TR', table);
  for (const column of columns) {
    const place = placeIn(column, y + ROW_PADDING);
    if (row === null) {
      drawer.decoration(() => drawer.text.draw(column.label, LOOKS.head, place));
    } else {
      drawer.lines('TH', [column.label], { look: LOOKS.head, at: place, parent: row });
    }
  }
  row?.end();
  drawer.rule(y + TABLE_HEAD, { from: PAGE.margin, to: RIGHT, color: COLORS.ink });
}

/** One row and the rule below it; a total has a double rule. */
function drawRow(
  drawer: TaggedDrawer,
  columns: readonly Column[],
  row: Row,
  { y, table }: { y: number; table: Element },
): void {
  const element = drawer.openPart('TR', table);
  for (const [place, lines] of row.cells.entries()) {
    const column = columns[place];
    if (column === undefined) continue;
    drawer.lines('TD', lines, {
      look: lookOf(column.kind, row.isTotal),
      at: placeIn(column, y + ROW_PADDING),
      parent: element,
    });
  }
  element.end();
  const end = y + row.height;
  const across = { from: PAGE.margin, to: RIGHT };
  if (row.isTotal) {
    drawer.rule(y, { ...across, color: COLORS.ink });
    drawer.rule(end, { ...across, color: COLORS.ink });
    drawer.rule(end + 2.25, { ...across, color: COLORS.ink });
  } else {
    drawer.rule(end, { ...across, color: COLORS.rule });
  }
}

function placeIn({ x, width, kind }: Column, y: number) {
  return kind === 'amount' ? { x: x + width, y, align: 'right' as const } : { x, y };
}
