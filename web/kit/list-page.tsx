import type { ReactNode } from 'react';
import type { ListDeclaration, ListFilter } from '#contract/list.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import type { Sort } from '#web/ui/table-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { ExportLink } from './export-link.tsx';
import { FilterControls, type FilterWords } from './list-filters.tsx';
import { SavedViews } from './saved-views.tsx';
import type { ListState, RowOf } from './use-list.ts';

interface ListWords {
  /** The accessible name of the table: "Withdrawal requests". */
  label: string;
  /** What the rows are, after a count: "requests". */
  itemNoun: string;
  /** "Error Loading Withdrawals" */
  error: string;
  /** Nothing is here yet. */
  none: { title: string; hint?: string };
  /** Nothing matches: "No withdrawals found". */
  noMatch: string;
}

type SearchWords<List extends ListDeclaration> =
  List['filters'] extends Record<'search', ListFilter>
    ? {
        /** The search field: its accessible name, and what it looks in. */
        search: { label: string; placeholder: string };
      }
    : object;

type ListPageProps<List extends ListDeclaration> = {
  state: ListState<List>;
  words: ListWords & SearchWords<List>;
  /** What each filter is called, and its values. */
  filters: FilterWords<List>;
  /** Those that the declaration sorts by can be pressed. */
  columns: readonly Column<RowOf<List>>[];
  rowKey: (row: RowOf<List>) => string;
  /** Leaves the pager out where there is one page only: for a list inside a sheet. */
  hidesSinglePage?: boolean;
  /** The screen has the export in its head. */
  isExportInHead?: boolean;
  /** Between the toolbar and the table. */
  summary?: ReactNode;
  isSelected?: (row: RowOf<List>) => boolean;
  /** Under the table: what can be done with the selected rows. */
  below?: ReactNode;
  /** At the end of the toolbar, before the export. */
  end?: ReactNode;
};

/**
 * A declared list: its search and filters, the table, its pages and its export, and what stands in
 * place of rows. All of the view is in the address.
 */
export function ListPage<List extends ListDeclaration>({
  state,
  words,
  filters,
  columns,
  rowKey,
  hidesSinglePage,
  isExportInHead = false,
  summary,
  isSelected,
  below,
  end,
}: ListPageProps<List>) {
  const { list, paged, address, change, isFiltered } = state;
  const exportHref = isExportInHead ? undefined : state.exportHref;
  const view = address as Record<string, string | number>;
  const { search: searchWords } = words as { search?: { label: string; placeholder: string } };
  const sortable = list.sort?.columns ?? [];
  return (
    <ListFrame
      list={paged}
      search={
        searchWords && {
          ...searchWords,
          text: String(view['search'] ?? ''),
          onSearch: (text) =>
            change({ search: text } as unknown as typeof address, { isTyping: true }),
        }
      }
      filters={
        <>
          <FilterControls state={state} words={filters} />
          <SavedViews state={state} />
        </>
      }
      end={
        exportHref === undefined && end === undefined ? undefined : (
          <>
            {end}
            {exportHref !== undefined && <ExportLink href={exportHref} label="Export CSV" />}
          </>
        )
      }
      errorTitle={words.error}
      empty={
        isFiltered ? (
          <EmptyState title={words.noMatch} hint="Try adjusting your search or filter criteria." />
        ) : (
          <EmptyState {...words.none} />
        )
      }
      itemNoun={words.itemNoun}
      onGoTo={state.goTo}
      size={state.size}
      hidesSinglePage={hidesSinglePage}
    >
      {(table) => (
        <>
          {summary}
          <Table
            {...table}
            label={words.label}
            isDense
            hasRowKeys
            rowKey={rowKey}
            isSelected={isSelected}
            columns={columns.map((column) => ({
              ...column,
              isSortable: sortable.includes(column.id),
            }))}
            sort={sortOf(view, sortable)}
            onSort={({ column, direction }) =>
              change({
                sort: column,
                direction: direction === 'ascending' ? 'asc' : 'desc',
              } as unknown as typeof address)
            }
          />
          {below}
        </>
      )}
    </ListFrame>
  );
}

/** The sorted column, if any, as the table draws it. */
function sortOf(
  view: Record<string, string | number>,
  sortable: readonly string[],
): Sort | undefined {
  const column = sortable.find((name) => name === view['sort']);
  if (column === undefined) return undefined;
  return { column, direction: view['direction'] === 'asc' ? 'ascending' : 'descending' };
}
