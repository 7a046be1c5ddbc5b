import { Fragment, memo, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ScrollBox } from './scroll-box.tsx';
import { SkeletonBar } from './skeleton.tsx';
import { HeadCell, cellClass, type Sort } from './table-head.tsx';

export interface Column<Row> {
  /** Unique in the table. {@link Sort} refers to it. */
  id: string;
  header: string;
  /** Replaces the head's text: a checkbox that selects all rows. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are on the right. */
  align?: 'right' | 'center' | undefined;
  isSortable?: boolean | undefined;
  /** True for the cell that names its row. */
  isRowHeader?: boolean | undefined;
  /** For actions: only assistive technology sees the head. */
  isHeaderHidden?: boolean | undefined;
  /** Stays in view while the table scrolls sideways: the actions. Only for the last column. */
  isPinned?: boolean | undefined;
  /** Left out if the table is narrower than a full screen. The row's details must show it too. */
  isWideOnly?: boolean | undefined;
  /** Left out even earlier: the first column to go if names would be cut. */
  isWidestOnly?: boolean | undefined;
  /**
   * Cell in the last line, which has a double rule. Without a total, leave it out of every column.
   */
  total?: ReactNode;
  /** Cell in the line over a group of rows, by the key of the group. */
  group?: (key: string) => ReactNode;
  /**
   * Position of the cell below 640 px. If any column has one, the table shows two lines per row
   * there instead of scrolling, and every column should have a position. `labelled` is a separate
   * line with the label before the cell. An empty one takes no line.
   */
  narrow?: 'start' | 'end' | 'start-second' | 'end-second' | 'labelled' | 'hidden' | undefined;
}

/** Rows that follow each other in groups, each under a line of its own. */
export interface Groups<Row> {
  /** Key of the group that a row belongs to. */
  of: (row: Row) => string;
  /** True of a group whose rows are left out. */
  isFolded: (key: string) => boolean;
}

interface TableProps<Row> {
  /** Accessible name: "Recent withdrawals". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Unique key of a row, where its `id` is not. */
  rowKey?: ((row: Row) => string) | undefined;
  isSelected?: ((row: Row) => boolean) | undefined;
  groups?: Groups<Row> | undefined;
  /** Rows under a row that belong to it; null for none. */
  below?: ((row: Row) => ReactNode) | undefined;
  /** True for a row that no longer counts: a cancelled file. */
  isFaded?: ((row: Row) => boolean) | undefined;
  /** True if rows can have the focus, so that keys can move it. */
  hasRowKeys?: boolean | undefined;
  /** Rows of 36 px, for admin tables. */
  isDense?: boolean | undefined;
  sort?: Sort | undefined;
  /** The caller sorts, usually in the URL and the query. The table never reorders rows itself. */
  onSort?: ((sort: Sort) => void) | undefined;
  /** Keeps the head and shows placeholder rows. */
  isLoading?: boolean | undefined;
  /** Replaces the rows: an {@link ErrorState} if loading failed. */
  placeholder?: ReactNode;
  /** Replaces the rows where there are none: an {@link EmptyState}. */
  empty?: ReactNode;
}

/**
 * Rows under a head. It is a plain table: screen readers know it, the browser finds its text, and
 * 50 rows stay fast.
 */
export function Table<Row extends { id: string }>(props: TableProps<Row>): ReactNode;
export function Table<Row>(props: TableProps<Row> & { rowKey: (row: Row) => string }): ReactNode;
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey = idOf,
  isSelected,
  groups,
  below,
  isFaded,
  hasRowKeys = false,
  isDense = false,
  sort,
  onSort,
  isLoading = false,
  empty,
  placeholder = rows.length === 0 ? empty : undefined,
}: TableProps<Row>) {
  const isTwoLine = columns.some((column) => column.narrow !== undefined);
  const isHeadless = columns.every((column) => column.isHeaderHidden === true);
  const hasTotal = columns.some((column) => column.total !== undefined);
  return (
    <ScrollBox label={label}>
      {/* Roles are explicit because the two-line layout changes `display`, which removes them in
          some browsers. */}
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
              rows.map((row, index) => {
                const group = groups?.of(row);
                const before = rows[index - 1];
                const isFirst = before === undefined || groups?.of(before) !== group;
                return (
                  <Fragment key={rowKey(row)}>
                    {group !== undefined && isFirst && <GroupRow group={group} columns={columns} />}
                    {(group === undefined || groups?.isFolded(group) !== true) && (
                      <BodyRow
                        row={row}
                        columns={columns}
                        isSelected={isSelected?.(row)}
                        isFaded={isFaded?.(row) === true}
                        hasKeys={hasRowKeys}
                      />
                    )}
                    {below !== undefined && <BelowRow content={below(row)} columns={columns} />}
                  </Fragment>
                );
              })
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

function idOf(row: unknown): string {
  return (row as { id: string }).id;
}

interface BodyRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isSelected: boolean | undefined;
  isFaded: boolean;
  hasKeys: boolean;
}

function BodyRow<Row>({ row, columns, isSelected, isFaded, hasKeys }: BodyRowProps<Row>) {
  return (
    <tr
      role="row"
      aria-selected={isSelected}
      {...(isFaded && { 'data-faded': '' })}
      {...(hasKeys && { tabIndex: -1, 'data-row': '' })}
    >
      <Cells row={row} columns={columns} />
    </tr>
  );
}

/** Renders again only for another row or other columns, not when the row is selected. */
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

function BelowRow<Row>({
  content,
  columns,
}: {
  content: ReactNode;
  columns: readonly Column<Row>[];
}) {
  if (content === null) return null;
  return (
    <tr role="row" className="table__below">
      <td role="cell" colSpan={columns.length}>
        {content}
      </td>
    </tr>
  );
}

function GroupRow<Row>({ group, columns }: { group: string; columns: readonly Column<Row>[] }) {
  return (
    <tr role="row" className="table__group">
      {columns.map((column) => (
        <td key={column.id} role="cell" className={cellClass(column)} data-narrow={column.narrow}>
          {column.group?.(group)}
        </td>
      ))}
    </tr>
  );
}

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
