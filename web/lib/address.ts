import { MAX_PAGE } from '#contract/limits.ts';

/** Words of the address to set; those that are undefined are taken out. */
export type Changes<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** The words of the address after `changes`. */
export function changed<Search extends object>(search: Search, changes: Changes<Search>): Search {
  const entries = Object.entries({ ...search, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Search;
}

/** A page number of an address; 1 for anything else. */
export function readPage(text: string | undefined): number {
  const page = text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : 1;
  return page <= MAX_PAGE ? page : 1;
}

/** How a page number is written into an address: the first needs none. */
export function writePage(page: number): string | undefined {
  return page === 1 ? undefined : String(page);
}
