import { memo, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ScrollBox } from './scroll-box.tsx';
import { SkeletonBar } from './skeleton.tsx';
import { HeadCell, cellClass, type Sort } from './table-head.tsx';

export interface Column<Row> {
  /** Unique in the table; what {@link Sort} names. */
  id: string;
  header: string;
  /** In place of the header's words: what selects all rows. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  align?: 'right' | 'center' | undefined;
  isSortable?: boolean | undefined;
  /** The cell that names its row. */
  isRowHeader?: boolean | undefined;
  /** For actions: the head is there for assistive technology only. */
  isHeaderHidden?: boolean | undefined;
  /** Stays in view where the table scrolls sideways: the actions. Only for the last column. */
  isPinned?: boolean | undefined;
  /** Left out where the table is narrower than a whole screen: what the row's details say too. */
  isWideOnly?: boolean | undefined;
  /** Left out earlier than that: the first to go where names would be cut. */
  isWidestOnly?: boolean | undefined;
  /** In the double-ruled last line. Leave it out of every column where there is no total. */
  total?: ReactNode;
  /**
   * Where the cell goes below 640 px. Given on any column, the table shows two lines a row there
   * instead of scrolling, and every column should say its place. `labelled` is a line of its own, in which
   * the cell says its label; an empty one takes none.
   */
  narrow?: 'start' | 'end' | 'start-second' | 'end-second' | 'labelled' | 'hidden' | undefined;
}

interface TableProps<Row> {
  /** Its accessible name: "Recent withdrawals". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  isSelected?: ((row: Row) => boolean) | undefined;
  /** A row can have the focus: the keyboard of lists moves it. */
  hasRowKeys?: boolean | undefined;
  /** 36 px rows, for admin tables. */
  isDense?: boolean | undefined;
  sort?: Sort | undefined;
  /** The caller sorts, usually in the URL and the query: the table never reorders rows itself. */
  onSort?: ((sort: Sort) => void) | undefined;
  /** Keeps the head and shows bars for rows. */
  isLoading?: boolean | undefined;
  /** In place of rows: an {@link EmptyState} where there are none, an {@link ErrorState} where they could not be loaded. */
  placeholder?: ReactNode;
}

/** Rows under a head. A plain table: screen readers know it, the browser finds text in it, 50 rows stay quick. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  isSelected,
  hasRowKeys = false,
  isDense = false,
  sort,
  onSort,
  isLoading = false,
  placeholder,
}: TableProps<Row>) {
  const isTwoLine = columns.some((column) => column.narrow !== undefined);
  const isHeadless = columns.every((column) => column.isHeaderHidden === true);
  const hasTotal = columns.some((column) => column.total !== undefined);
  return (
    <ScrollBox label={label}>
      {/* Roles are spoken out because the two-line layout changes `display`, which takes them away in some browsers. */}
      <table
        role="table"
        className={classNames(
          'table',
          isDense && 'table--dense',
          isTwoLine && 'table--two-line',
          isHeadless && 'table--headless',
        )}
        aria-label={label}
        aria-busy={isLoading || undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {isLoading ? (
          <LoadingRows columns={columns} />
        ) : (
          <tbody role="rowgroup">
            {placeholder === undefined ? (
              rows.map((row) => (
                <BodyRow
                  key={rowKey(row)}
                  row={row}
                  columns={columns}
                  isSelected={isSelected?.(row)}
                  hasKeys={hasRowKeys}
                />
              ))
            ) : (
              <tr role="row">
                <td role="cell" className="table__state" colSpan={columns.length}>
                  {placeholder}
                </td>
              </tr>
            )}
          </tbody>
        )}
        {hasTotal && !isLoading && placeholder === undefined && <TotalRow columns={columns} />}
      </table>
    </ScrollBox>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isSelected: boolean | undefined;
  hasKeys: boolean;
}

function BodyRow<Row>({ row, columns, isSelected, hasKeys }: BodyRowProps<Row>) {
  return (
    <tr role="row" aria-selected={isSelected} {...(hasKeys && { tabIndex: -1, 'data-row': '' })}>
      <Cells row={row} columns={columns} />
    </tr>
  );
}

/** Drawn again only for another row or other columns, and not when the row is selected. */
const Cells = memo(function Cells<Row>({
  row,
  columns,
}: Pick<BodyRowProps<Row>, 'row' | 'columns'>) {
  return columns.map((column) => {
    const className = cellClass(column);
    return column.isRowHeader === true ? (
      <th
        key={column.id}
        role="rowheader"
        scope="row"
        className={className}
        data-narrow={column.narrow}
      >
        {column.cell(row)}
      </th>
    ) : (
      <td key={column.id} role="cell" className={className} data-narrow={column.narrow}>
        {column.cell(row)}
      </td>
    );
  });
}) as <Row>(props: Pick<BodyRowProps<Row>, 'row' | 'columns'>) => ReactNode;

function TotalRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {columns.map((column) => (
          <td key={column.id} role="cell" className={cellClass(column)} data-narrow={column.narrow}>
            {column.total}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

const loadingRows = ['first', 'second', 'third', 'fourth', 'fifth'];

function LoadingRows<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tbody role="rowgroup" aria-hidden="true">
      {loadingRows.map((row) => (
        <tr role="row" key={row}>
          {columns.map((column) => (
            <td
              key={column.id}
              role="cell"
              className={cellClass(column)}
              data-narrow={column.narrow}
            >
              {column.isHeaderHidden !== true && (
                <SkeletonBar width={column.align === undefined ? 'medium' : 'short'} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
