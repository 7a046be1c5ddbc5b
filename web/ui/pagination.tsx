import { MAX_PAGE } from '#contract/limits.ts';
import { DAY_CURSOR } from '#contract/list.ts';
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
import { FilterDay } from './filter-fields.tsx';
import { FilterSelect } from './select.tsx';

interface PaginationProps {
  place: PagePlace;
  /** "transactions" */
  itemNoun: string;
  onGoTo: (target: PageTarget) => void;
  /** Choice of the page size, if there is one. */
  size?: PageSize | undefined;
  /** Number of rows in a list with cursors, if known. */
  total?: number | undefined;
  /** First day of the page, or '' if none is set. Undefined if the list cannot jump to a day. */
  day?: string | undefined;
}

/**
 * Range of the rows shown, and links to other pages. The caller keeps the page, usually in the URL.
 */
export function Pagination({ place, itemNoun, onGoTo, size, total, day }: PaginationProps) {
  return (
    <nav className="pager" aria-label="Pages">
      {place.kind === 'numbered' ? (
        <NumberedPages place={place} itemNoun={itemNoun} onGoTo={onGoTo} size={size} />
      ) : (
        <NeighbouringPages
          place={place}
          itemNoun={itemNoun}
          onGoTo={onGoTo}
          total={total}
          day={day}
        />
      )}
    </nav>
  );
}

type PagesProps<Place> = Omit<PaginationProps, 'place'> & { place: Place };

/**
 * "Showing 1 to 10 of 87 transactions", and page numbers. Until the total is known, the text ends
 * before it, and the numbers end after the next page.
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

/**
 * "Showing 50 of 3,412 transactions", and links to newer rows, older rows and the rows of a day.
 */
function NeighbouringPages({ place, itemNoun, onGoTo, total, day }: PagesProps<CursorPlace>) {
  const { shown, previous, next } = place;
  const goTo = (cursor: string | null) => onGoTo({ cursor: cursor ?? '' });
  return (
    <>
      <p className="muted num" role="status">
        {shownOf(shown, total, itemNoun)}
      </p>
      {day !== undefined && (
        <FilterDay
          label="Go to date"
          value={day}
          onChange={(chosen) => onGoTo({ cursor: chosen === '' ? '' : `${DAY_CURSOR}${chosen}` })}
        />
      )}
      <ol>
        <li>
          <PageButton isDisabled={previous === null} onPress={() => goTo(null)}>
            Newest
          </PageButton>
        </li>
        <li>
          <PageButton isDisabled={previous === null} onPress={() => goTo(previous)}>
            Newer
          </PageButton>
        </li>
        <li>
          <PageButton isDisabled={next === null} onPress={() => goTo(next)}>
            Older
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

/** False if all rows fit on the shortest page: then there is no size to choose. */
function isWorthChoosing({ page, shown, hasMore }: NumberedPlace, { choices }: PageSize): boolean {
  return hasMore || page > 1 || shown > Math.min(...choices);
}

function shownOf(shown: number, total: number | undefined, itemNoun: string): string {
  if (total !== undefined && total > shown) {
    return `Showing ${formatCount(shown)} of ${formatCount(total)} ${itemNoun}`;
  }
  return `Showing ${formatCount(shown)} ${shown === 1 ? singularOf(itemNoun) : itemNoun}`;
}

function shownWords(place: NumberedPlace, itemNoun: string): string {
  const to = lastRowNumber(place);
  const from = to === 0 ? 0 : to - place.shown + 1;
  if (place.total === 1) return `Showing 1 ${singularOf(itemNoun)}`;
  if (to > 0 && from === to && place.total !== undefined) {
    return `Showing ${formatCount(to)} of ${formatCount(place.total)} ${itemNoun}`;
  }
  const rows = `Showing ${formatCount(from)} to ${formatCount(to)}`;
  return place.total === undefined ? rows : `${rows} of ${formatCount(place.total)} ${itemNoun}`;
}

/**
 * Singular of a noun: "batches" is "batch", "deliveries" "delivery", "rows" "row". Words without a
 * plural stay unchanged.
 */
function singularOf(noun: string): string {
  return noun
    .replace(/ies$/, 'y')
    .replace(/(?<=ch|sh|x)es$/, '')
    .replace(/(?<=[^s])s$/, '');
}

/**
 * Reserves the room of the gap and the last page until the total is known, so that nothing moves
 * then.
 */
function PagesToCome() {
  return (
    <li className="pager__room" aria-hidden="true">
      <span className="pg">…</span>
      <span className="pg" />
    </li>
  );
}
