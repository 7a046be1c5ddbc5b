import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  firstPage,
  isOnlyPage,
  type PagedList,
  type PageSize,
  type PageTarget,
} from '#web/lib/paged.ts';
import { useTypedSearch } from '#web/lib/typing.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { Icon } from './icon.tsx';
import { Pagination } from './pagination.tsx';
import { SearchField } from './search-field.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** What a {@link ListFrame} gives to the table it frames. */
export interface ListTable<Row> {
  rows: readonly Row[];
  isLoading: boolean;
  placeholder: ReactNode;
}

interface ListSearchProps {
  /** Its accessible name. */
  label: string;
  placeholder: string;
  /** What the list is searched for now, usually in the URL. */
  text: string;
  /** Runs the search, once the person has paused. */
  onSearch: (text: string) => void;
}

interface ListFrameProps<Row> {
  list: PagedList<Row>;
  search?: ListSearchProps | undefined;
  /** {@link FilterSelect}s. */
  filters?: ReactNode;
  /** Shown under the filters; the field that it is about is described by it. */
  problem?: { id: string; message: string } | undefined;
  /** The filters are too many for one line with the search: they have lines of their own below it. */
  hasFilterLines?: boolean | undefined;
  /** After the filters: saved views. */
  tools?: ReactNode;
  /** At the end of the toolbar: an export. */
  end?: ReactNode;
  /** "Error Loading Withdrawals" */
  errorTitle: string;
  /** An {@link EmptyState}, for when nothing is here or nothing matches. */
  empty: ReactNode;
  /** "requests" */
  itemNoun: string;
  onGoTo: (target: PageTarget) => void;
  /** How many rows there are, where the list goes by cursors and that is known. */
  total?: number | undefined;
  /** The day that the page begins at, '' elsewhere; undefined where no day can be gone to. */
  day?: string | undefined;
  /** Where a person may choose how many rows a page has. */
  size?: PageSize | undefined;
  /** Leaves the pager out where there is one page only: for a list inside a sheet. */
  hidesSinglePage?: boolean | undefined;
  /** The table. */
  children: (table: ListTable<Row>) => ReactNode;
}

/**
 * What every list has around its table: search and filters above, pages below, and in place of the
 * rows why there are none. Filters and page are the caller's, usually in the URL.
 */
export function ListFrame<Row>({
  list,
  search,
  filters,
  problem,
  hasFilterLines = false,
  tools,
  end,
  errorTitle,
  empty,
  itemNoun,
  onGoTo,
  total,
  day,
  size,
  hidesSinglePage = false,
  children,
}: ListFrameProps<Row>) {
  const { rows, isLoading, place, failure, isPageGone } = list;
  const isOnePage = place !== undefined && isOnlyPage(place);
  const isEmpty = isOnePage && rows.length === 0;
  const isPaged = place !== undefined && !isEmpty && !(hidesSinglePage && isOnePage);

  function placeholder() {
    if (isPageGone) return <NothingHere onBack={() => onGoTo({ cursor: '' })} />;
    if (failure !== undefined) {
      return (
        <ErrorState
          title={errorTitle}
          message={failure.message}
          onRetry={failure.retry}
          isRetrying={failure.isRetrying}
        />
      );
    }
    if (rows.length > 0) return undefined;
    return place === undefined || isOnePage ? (
      empty
    ) : (
      <NothingHere onBack={() => onGoTo(firstPage(place))} />
    );
  }

  return (
    <>
      <div className={classNames('toolbar', hasFilterLines && 'toolbar--lines')}>
        {search !== undefined && <ListSearch {...search} />}
        {!hasFilterLines && filters}
        {tools}
        {end !== undefined && <div className="toolbar__end">{end}</div>}
        {hasFilterLines && <div className="toolbar__filters">{filters}</div>}
      </div>
      {problem !== undefined && (
        <p className="field__error toolbar__problem" id={problem.id} role="alert">
          <Icon of={CircleAlert} size={16} />
          {problem.message}
        </p>
      )}
      {children({ rows, isLoading, placeholder: placeholder() })}
      <VisuallyHidden>
        <span role="status">{isEmpty ? 'Nothing found' : ''}</span>
      </VisuallyHidden>
      {isPaged && (
        <Pagination
          place={place}
          itemNoun={itemNoun}
          onGoTo={onGoTo}
          size={size}
          total={total}
          day={day}
        />
      )}
    </>
  );
}

function NothingHere({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState
      title="Nothing on this page"
      hint="The list is shorter than that."
      action={<Button onPress={onBack}>Go to the first page</Button>}
    />
  );
}

function ListSearch({ label, placeholder, text, onSearch }: ListSearchProps) {
  const [typed, type] = useTypedSearch(text, onSearch);
  return <SearchField label={label} placeholder={placeholder} value={typed} onChange={type} />;
}
