import type { Page } from '@playwright/test';

/** Further apart than this, two edges or two centres are seen not to be on one line. */
const TOLERANCE_PX = 2;

/**
 * Columns whose head and cells share no edge: the left one of words, the right one of figures. Each as
 * "Account: 19 px". Measured on what is written, not on the cells.
 */
export function unalignedColumns(page: Page): Promise<string[]> {
  return page.evaluate((tolerance) => {
    const found: string[] = [];
    const edgesOf = (cell: Element) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const rects = [...range.getClientRects()].filter(
        ({ width, height }) => width > 1 && height > 1,
      );
      if (rects.length === 0) return null;
      return {
        left: Math.min(...rects.map(({ left }) => left)),
        right: Math.max(...rects.map(({ right }) => right)),
      };
    };
    for (const table of document.querySelectorAll('main .table')) {
      for (const head of table.querySelectorAll<HTMLTableCellElement>('thead th')) {
        const words = head.querySelector('.sort') ?? head;
        const inHead = edgesOf(words);
        if (inHead === null || head.querySelector('.vh') !== null || head.clientWidth <= 1)
          continue;
        const side = getComputedStyle(head).textAlign === 'right' ? 'right' : 'left';
        const offsets = [...table.querySelectorAll(`tbody tr > :nth-child(${head.cellIndex + 1})`)]
          .map((cell) => edgesOf(cell))
          .filter((edges) => edges !== null)
          .map((edges) => Math.abs(edges[side] - inHead[side]));
        const least = Math.min(...offsets);
        if (offsets.length > 0 && least > tolerance) {
          found.push(`${head.textContent}: ${Math.round(least)} px`);
        }
      }
    }
    return found;
  }, TOLERANCE_PX);
}

/**
 * Buttons that are a sign alone, such as a cross or that of copying, and are not in the middle of the line of
 * text next to them. Each as "Delete: 4 px from Hello".
 */
export function signsOffTheirLine(page: Page): Promise<string[]> {
  return page.evaluate((tolerance) => {
    const found: string[] = [];
    const middleOf = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
    for (const button of document.querySelectorAll<HTMLElement>('main button, .toast button')) {
      const sign = button.querySelector('svg');
      const isSign = sign !== null && button.textContent.trim() === '';
      if (!isSign || !button.checkVisibility({ visibilityProperty: true })) continue;
      const middle = middleOf(sign.getBoundingClientRect());
      const lines: { text: string; distance: number }[] = [];
      for (let box = button.parentElement, step = 0; box !== null && step < 3; step += 1) {
        const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
        while (lines.length === 0 && texts.nextNode() !== null) {
          const text = texts.currentNode;
          if (button.contains(text) || text.textContent?.trim() === '') continue;
          const range = document.createRange();
          range.selectNodeContents(text);
          for (const rect of range.getClientRects()) {
            const distance = Math.abs(middleOf(rect) - middle);
            if (rect.width > 1 && distance < rect.height) {
              lines.push({ text: (text.textContent ?? '').trim().slice(0, 30), distance });
            }
          }
        }
        box = box.parentElement;
      }
      const nearest = lines.toSorted((one, other) => one.distance - other.distance)[0];
      if (nearest !== undefined && nearest.distance > tolerance) {
        found.push(`${button.ariaLabel}: ${Math.round(nearest.distance)} px from ${nearest.text}`);
      }
    }
    return found;
  }, TOLERANCE_PX);
}

/** Lists that are wider than their box, so that they scroll sideways. Each as "Withdrawal requests: 12 px". */
export function listsWiderThanTheirBox(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.table-wrap')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((box) => `${box.ariaLabel ?? box.className}: ${box.scrollWidth - box.clientWidth} px`),
  );
}
