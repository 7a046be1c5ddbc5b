import { PAGE } from './page.ts';

/** Something that stands on one page, over all of its width. */
export interface Block {
  /** Points. */
  height: number;
  draw: (y: number) => void;
  /** What is drawn over it where it is the first on a page: the head of its table. */
  repeated?: { height: number; draw: (y: number) => void };
}

interface Placed {
  y: number;
  draw: (y: number) => void;
}

/** Puts blocks under each other on as many pages as they take. */
export function paginate(blocks: readonly Block[]): Placed[][] {
  let page: Placed[] = [];
  let y: number = PAGE.top;
  const pages = [page];
  for (const { height, draw, repeated } of blocks) {
    if (page.length > 0 && y + height > PAGE.bottom) {
      page = [];
      pages.push(page);
      y = PAGE.top;
      if (repeated !== undefined) {
        page.push({ y, draw: repeated.draw });
        y += repeated.height;
      }
    }
    page.push({ y, draw });
    y += height;
  }
  return pages;
}
