import { MAX_PAGE } from '#contract/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import { endOf, lastPage, type PagePlace } from '#web/lib/paged.ts';
import { pagesList } from './pages-list.ts';

interface PaginationProps {
  place: PagePlace;
  /** "transactions" */
  things: string;
  onPageChange: (page: number) => void;
}

/**
 * "Showing 1 to 10 of 87 transactions" and the pages. Until the total is known the line ends before
 * it, and the pages after the next. The caller keeps the page, usually in the URL.
 */
export function Pagination({ place, things, onPageChange }: PaginationProps) {
  const { page, hasMore, total } = place;
  const last = lastPage(place, MAX_PAGE);
  return (
    <nav className="pager" aria-label="Pages">
      <p className="muted num" role="status">
        {shownWords(place, things)}
      </p>
      <ol>
        <li>
          <button
            type="button"
            className="pg"
            disabled={page <= 1}
            onClick={() => onPageChange(Math.min(page - 1, last))}
          >
            Previous
          </button>
        </li>
        {pagesList(page, last).map((entry, index) => (
          <li key={entry === 'gap' ? `gap ${index}` : entry}>
            {entry === 'gap' ? (
              <span className="pg">…</span>
            ) : (
              <button
                type="button"
                className="pg"
                aria-current={entry === page ? 'page' : undefined}
                onClick={() => onPageChange(entry)}
              >
                {entry}
              </button>
            )}
          </li>
        ))}
        {hasMore && total === undefined && <PagesToCome />}
        <li>
          <button
            type="button"
            className="pg"
            disabled={page >= last}
            onClick={() => onPageChange(page + 1)}
          >
            Next
          </button>
        </li>
      </ol>
    </nav>
  );
}

function shownWords(place: PagePlace, things: string): string {
  const to = endOf(place);
  const from = to === 0 ? 0 : to - place.shown + 1;
  const rows = `Showing ${formatCount(from)} to ${formatCount(to)}`;
  return place.total === undefined ? rows : `${rows} of ${formatCount(place.total)} ${things}`;
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
