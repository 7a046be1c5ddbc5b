import { formatCount } from '#web/lib/format.ts';
import { pagesList } from './pages-list.ts';

interface PaginationProps {
  /** From 1. */
  page: number;
  pageSize: number;
  /** Of the whole filtered list. */
  total: number;
  /** "transactions" */
  things: string;
  onPageChange: (page: number) => void;
}

/** "Showing 1 to 10 of 87 transactions" and the pages. The caller keeps the page, usually in the URL. */
export function Pagination({ page, pageSize, total, things, onPageChange }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  return (
    <nav className="pager" aria-label="Pages">
      <p className="muted num" role="status">
        {`Showing ${formatCount(from)} to ${formatCount(to)} of ${formatCount(total)} ${things}`}
      </p>
      <ol>
        <li>
          <button
            type="button"
            className="pg"
            disabled={page <= 1}
            onClick={() => onPageChange(page - 1)}
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
