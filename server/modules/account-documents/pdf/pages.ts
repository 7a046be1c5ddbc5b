import { PAGE } from './page.ts';

/** A part that fits on one page and takes its full width. */
export interface Block {
  /** Points. */
  height: number;
  draw: (y: number) => void;
  /** Drawn above the block where it is the first on a page: the head of its table. */
  repeated?: { height: number; draw: (y: number) => void };
}

interface Placed {
  y: number;
  draw: (y: number) => void;
}

/** Places blocks under each other on as many pages as needed. */
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
