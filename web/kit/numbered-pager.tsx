import { MAX_PAGE } from '#contract/limits.ts';
import { Pagination } from '#web/ui/pagination.tsx';

interface NumberedPagerProps {
  /** From 1. */
  page: number;
  pageSize: number;
  /** Number of rows of this page, and of all. */
  shown: number;
  total: number;
  /** "files" */
  itemNoun: string;
  onGoTo: (page: number) => void;
}

/** Links to the pages of a part of a screen; none where one page has all. */
export function NumberedPager({
  page,
  pageSize,
  shown,
  total,
  itemNoun,
  onGoTo,
}: NumberedPagerProps) {
  if (total <= pageSize) return null;
  return (
    <Pagination
      place={{
        kind: 'numbered',
        page,
        pageSize,
        shown,
        total,
        hasMore: page * pageSize < total,
      }}
      itemNoun={itemNoun}
      onGoTo={(target) => {
        if ('page' in target) onGoTo(target.page);
      }}
    />
  );
}

/** The page in an address, from 1. */
export function pageOf(typed: string | undefined): number {
  const page = Number(typed);
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1;
}
