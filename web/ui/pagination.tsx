import { MAX_PAGE } from '#contract/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import {
  lastPage,
  lastRowNumber,
  type CursorPlace,
  type NumberedPlace,
  type PageSize,
  type PagePlace,
  type PageTarget,
} from '#web/lib/paged.ts';
import { pagesList } from './pages-list.ts';
import { FilterSelect } from './select.tsx';

interface PaginationProps {
  place: PagePlace;
  /** "transactions" */
  itemNoun: string;
  onGoTo: (target: PageTarget) => void;
  /** Where a person may choose how many rows a page has. */
  size?: PageSize | undefined;
}

/**
 * What is shown, and the ways to other pages. The caller keeps the page, usually in the URL.
 */
export function Pagination({ place, itemNoun, onGoTo, size }: PaginationProps) {
  return (
    <nav className="pager" aria-label="Pages">
      {place.kind === 'numbered' ? (
        <NumberedPages place={place} itemNoun={itemNoun} onGoTo={onGoTo} size={size} />
      ) : (
        <NeighbouringPages place={place} itemNoun={itemNoun} onGoTo={onGoTo} />
      )}
    </nav>
  );
}

type PagesProps<Place> = Omit<PaginationProps, 'place'> & { place: Place };

/**
 * "Showing 1 to 10 of 87 transactions" and the pages. Until the total is known the line ends before
 * it, and the pages after the next.
 */
function NumberedPages({ place, itemNoun, onGoTo, size }: PagesProps<NumberedPlace>) {
  const { page, hasMore, total } = place;
  const last = lastPage(place, MAX_PAGE);
  return (
    <>
      <p className="muted num" role="status">
        {shownWords(place, itemNoun)}
      </p>
      {size !== undefined && isWorthChoosing(place, size) && (
        <FilterSelect
          label="Rows"
          value={String(size.chosen)}
          options={size.choices.map((rows) => ({ value: String(rows), label: String(rows) }))}
          onChange={(rows) => size.choose(Number(rows))}
        />
      )}
      <ol>
        <li>
          <PageButton
            isDisabled={page <= 1}
            onPress={() => onGoTo({ page: Math.min(page - 1, last) })}
          >
            Previous
          </PageButton>
        </li>
        {pagesList(page, last).map((entry, index) => (
          <li key={entry === 'gap' ? `gap ${index}` : entry}>
            {entry === 'gap' ? (
              <span className="pg">…</span>
            ) : (
              <PageButton isCurrent={entry === page} onPress={() => onGoTo({ page: entry })}>
                {entry}
              </PageButton>
            )}
          </li>
        ))}
        {hasMore && total === undefined && <PagesToCome />}
        <li>
          <PageButton isDisabled={page >= last} onPress={() => onGoTo({ page: page + 1 })}>
            Next
          </PageButton>
        </li>
      </ol>
    </>
  );
}

/** "Showing 50 transactions", and the way back and on. */
function NeighbouringPages({ place, itemNoun, onGoTo }: PagesProps<CursorPlace>) {
  const { shown, previous, next } = place;
  const goTo = (cursor: string | null) => onGoTo({ cursor: cursor ?? '' });
  return (
    <>
      <p className="muted num" role="status">
        {`Showing ${formatCount(shown)} ${itemNoun}`}
      </p>
      <ol>
        <li>
          <PageButton isDisabled={previous === null} onPress={() => goTo(null)}>
            First
          </PageButton>
        </li>
        <li>
          <PageButton isDisabled={previous === null} onPress={() => goTo(previous)}>
            Previous
          </PageButton>
        </li>
        <li>
          <PageButton isDisabled={next === null} onPress={() => goTo(next)}>
            Next
          </PageButton>
        </li>
      </ol>
    </>
  );
}

interface PageButtonProps {
  children: string | number;
  isDisabled?: boolean;
  isCurrent?: boolean;
  onPress: () => void;
}

function PageButton({ children, isDisabled = false, isCurrent = false, onPress }: PageButtonProps) {
  return (
    <button
      type="button"
      className="pg"
      disabled={isDisabled}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** Where all fits on the shortest page there is nothing to choose. */
function isWorthChoosing({ page, shown, hasMore }: NumberedPlace, { choices }: PageSize): boolean {
  return hasMore || page > 1 || shown > Math.min(...choices);
}

function shownWords(place: NumberedPlace, itemNoun: string): string {
  const to = lastRowNumber(place);
  const from = to === 0 ? 0 : to - place.shown + 1;
  const rows = `Showing ${formatCount(from)} to ${formatCount(to)}`;
  return place.total === undefined ? rows : `${rows} of ${formatCount(place.total)} ${itemNoun}`;
}

/** Keeps the room of the gap and the last page until the total is known, so that nothing moves then. */
function PagesToCome() {
  return (
    <li className="pager__room" aria-hidden="true">
      <span className="pg">…</span>
      <span className="pg" />
    </li>
  );
}
