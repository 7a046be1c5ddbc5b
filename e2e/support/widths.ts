import type { Page } from '@playwright/test';

const NARROWEST = 320;
const WIDEST = 1600;
const STEP = 32;

/**
 * At which widths the page is wider than the window, or something in a sheet reaches out of it. One
 * page is resized, which is quick; 200 % zoom of 1440 px is the same as 720 px.
 */
export async function faultyWidths(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let width = NARROWEST; width <= WIDEST; width += STEP) {
    await page.setViewportSize({ width, height: 900 });
    const fault = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) return `page by ${scrollWidth - clientWidth} px`;
      for (const box of document.querySelectorAll<HTMLElement>('.account, .notice, .figure')) {
        if (box.scrollWidth > box.clientWidth + 1) {
          return `${box.className} by ${box.scrollWidth - box.clientWidth} px`;
        }
      }
      return null;
    });
    if (fault !== null) faults.push(`${width} px: ${fault}`);
  }
  return faults;
}
