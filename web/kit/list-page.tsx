import { useId, useMemo, type ReactNode } from 'react';
import { DAY_CURSOR } from '#contract/list.ts';
import type { ListDeclaration } from '#contract/api.ts';
import type { ListFilter } from '#contract/list.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import type { Sort } from '#web/ui/table-head.tsx';
import { Table, type Column, type Groups } from '#web/ui/table.tsx';
import { ExportLink } from './export-link.tsx';
import { countShown, FilterControls, type FilterWords } from './list-filters.tsx';
import { failedToLoad } from './query-error.tsx';
import { SavedViews } from './saved-views.tsx';
import type { ListState, RowOf } from './use-list.ts';
import { SelectionContext, type Selection } from './use-selection.ts';

/** Filters that have room in one line with the search. */
const MOST_IN_LINE = 3;
const MOST_WITH_EXPORT = 2;

interface ListWords {
  /** The accessible name of the table: "Withdrawal requests". */
  label: string;
  /** Noun for the rows, after a count: "requests". */
  itemNoun: string;
  /** Name of the rows in a sentence, "Failed to load withdrawal requests", if not the label. */
  what?: string;
  /** Title where they cannot be loaded, where the product's specification has its own. */
  error?: string;
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

export type ListPageWords<List extends ListDeclaration> = ListWords & SearchWords<List>;

type ListPageProps<List extends ListDeclaration> = {
  state: ListState<List>;
  words: ListPageWords<List>;
  /** Label of each filter, and of its values. */
  filters: FilterWords<List>;
  /** Those that the declaration sorts by can be pressed. The same array draws no row a second time. */
  columns: readonly Column<RowOf<List>>[];
  /** Unique key of a row, where its `id` is not. */
  rowKey?: ((row: RowOf<List>) => string) | undefined;
  /** Leaves the pager out where there is one page only: for a list inside a sheet. */
  hidesSinglePage?: boolean;
  /** The screen has the export in its head. */
  isExportInHead?: boolean;
  /** Between the toolbar and the table. */
  summary?: ReactNode;
  /** Read by the checkboxes of `selectionColumn`. Pass columns from `useMemo` with it. */
  selection?: Selection<RowOf<List>>;
  /** Rows of a page in groups. The list has them in this order. */
  groups?: Groups<RowOf<List>> | undefined;
  /** Under the table: what can be done with the selected rows. */
  below?: ReactNode;
  /** A control after the filters, such as one of groups. */
  control?: ReactNode;
  /** At the end of the toolbar, before the export. */
  end?: ReactNode;
  /** Number of rows the filter leaves, of a list that goes by cursors and is counted elsewhere. */
  total?: number | undefined;
  /** The list goes by cursors, in the order of time, and can begin at a day. */
  goesToDays?: boolean;
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
  selection,
  groups,
  control,
  below,
  end,
  total,
  goesToDays = false,
}: ListPageProps<List>) {
  const { list, paged, address, change, isFiltered, problem } = state;
  const problemId = useId();
  const hasExport = !isExportInHead && list.operations.export !== null;
  const view = address as Record<string, string | number>;
  const { search: searchWords } = words as { search?: { label: string; placeholder: string } };
  const sortable = list.sort?.columns ?? NO_COLUMNS;
  const sortableColumns = useMemo(
    () => columns.map((column) => ({ ...column, isSortable: sortable.includes(column.id) })),
    [columns, sortable],
  );
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
          <FilterControls state={state} words={filters} problemId={problemId} />
          {control}
        </>
      }
      problem={problem && { id: problemId, message: problem.message }}
      hasFilterLines={
        countShown(list, filters) + (control === undefined ? 0 : 1) >
        (hasExport ? MOST_WITH_EXPORT : MOST_IN_LINE)
      }
      tools={state.isOfScreen && <SavedViews state={state} />}
      end={
        !hasExport && end === undefined ? undefined : (
          <>
            {end}
            {hasExport && <ExportLink href={state.exportHref} label="Export CSV" />}
          </>
        )
      }
      errorTitle={words.error ?? failedToLoad(words.what ?? inSentence(words.label))}
      empty={
        problem !== undefined ? (
          <EmptyState title="Nothing to show" hint="The end of the range comes before its start." />
        ) : isFiltered ? (
          <EmptyState title={words.noMatch} hint="Try adjusting your search or filter criteria." />
        ) : (
          <EmptyState {...words.none} />
        )
      }
      itemNoun={words.itemNoun}
      total={total}
      day={goesToDays ? dayOfCursor(String(view['cursor'] ?? '')) : undefined}
      onGoTo={state.goTo}
      size={state.size}
      hidesSinglePage={hidesSinglePage}
    >
      {(table) => (
        <>
          {problem === undefined && summary}
          <SelectionContext value={selection as unknown as Selection<never>}>
            <Table
              {...table}
              label={words.label}
              isDense
              hasRowKeys
              rowKey={rowKey}
              columns={sortableColumns}
              isSelected={selection?.has}
              groups={groups}
              sort={sortOf(view, sortable)}
              onSort={({ column, direction }) =>
                change({
                  sort: column,
                  direction: direction === 'ascending' ? 'asc' : 'desc',
                } as unknown as typeof address)
              }
            />
          </SelectionContext>
          {below}
        </>
      )}
    </ListFrame>
  );
}

const NO_COLUMNS: readonly string[] = [];

/** "Withdrawal requests" within a sentence: "withdrawal requests". */
function inSentence(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** The day that a page begins at; '' where it begins elsewhere. */
function dayOfCursor(cursor: string): string {
  return cursor.startsWith(DAY_CURSOR) ? cursor.slice(DAY_CURSOR.length) : '';
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
