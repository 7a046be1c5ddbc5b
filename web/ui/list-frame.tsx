import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  firstPage,
  isOnlyPage,
  type PagedList,
  type PageSize,
  type PageTarget,
} from '#web/lib/paged.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { Icon } from './icon.tsx';
import { Pagination } from './pagination.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { TypedSearch, type TypedSearchProps } from './typed-search.tsx';

/** Values that a {@link ListFrame} passes to its table. */
export interface ListTable<Row> {
  rows: readonly Row[];
  isLoading: boolean;
  placeholder: ReactNode;
}

interface ListFrameProps<Row> {
  list: PagedList<Row>;
  search?: TypedSearchProps | undefined;
  /** {@link FilterSelect}s. */
  filters?: ReactNode;
  /** Error under the filters, linked to the field that it concerns. */
  problem?: { id: string; message: string } | undefined;
  /**
   * True if the filters do not fit on one line with the search. They then have their own lines
   * below it.
   */
  hasFilterLines?: boolean | undefined;
  /** Content after the filters: saved views. */
  tools?: ReactNode;
  /** Content at the end of the toolbar: an export. */
  end?: ReactNode;
  /** "Error Loading Withdrawals" */
  errorTitle: string;
  /** An {@link EmptyState} for an empty list, or if nothing matches. */
  empty: ReactNode;
  /** "requests" */
  itemNoun: string;
  onGoTo: (target: PageTarget) => void;
  /** Number of rows in a list with cursors, if known. */
  total?: number | undefined;
  /** First day of the page, or '' if none is set. Undefined if the list cannot jump to a day. */
  day?: string | undefined;
  /** Choice of the page size, if there is one. */
  size?: PageSize | undefined;
  /** Hides the pager if there is only one page. For lists inside a sheet. */
  hidesSinglePage?: boolean | undefined;
  /** Renders the table. */
  children: (table: ListTable<Row>) => ReactNode;
}

/**
 * Frame around the table of every list: search and filters above, pages below, and an explanation
 * in place of missing rows. The caller keeps filters and page, usually in the URL.
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
    if (isPageGone) {
      const hint = 'Its address is of another list, or of another order.';
      return <NothingHere hint={hint} onBack={() => onGoTo({ cursor: '' })} />;
    }
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
      <NothingHere hint="The list is shorter than that." onBack={() => onGoTo(firstPage(place))} />
    );
  }

  return (
    <>
      <div className={classNames('toolbar', hasFilterLines && 'toolbar--lines')}>
        {search !== undefined && <TypedSearch {...search} />}
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

function NothingHere({ hint, onBack }: { hint: string; onBack: () => void }) {
  return (
    <EmptyState
      title="Nothing on this page"
      hint={hint}
      action={<Button onPress={onBack}>Go to the first page</Button>}
    />
  );
}
