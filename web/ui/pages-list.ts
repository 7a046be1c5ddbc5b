/** A page number, or the gap between two numbers that are not neighbors. */
type PageEntry = number | 'gap';

/**
 * Pages to offer: the first, the last, the current one and its neighbors. A gap replaces two or
 * more pages, because a single page takes no more room.
 */
export function pagesList(current: number, last: number): PageEntry[] {
  const wanted = [...new Set([1, current - 1, current, current + 1, last])]
    .filter((page) => page >= 1 && page <= last)
    .toSorted((a, b) => a - b);
  const list: PageEntry[] = [];
  let before = 0;
  for (const page of wanted) {
    if (page - before === 2) list.push(page - 1);
    else if (page - before > 2) list.push('gap');
    list.push(page);
    before = page;
  }
  return list;
}
