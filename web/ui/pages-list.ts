/** A page number, or the gap between two that are not neighbours. */
type PageEntry = number | 'gap';

/**
 * The pages to offer: the first, the last, the current one and its neighbours. A gap stands for two
 * pages or more; a single page is not worth one.
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
