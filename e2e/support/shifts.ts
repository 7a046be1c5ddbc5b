import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Above this a screen jumps visibly while it loads. */
const MAX_SHIFT = 0.02;

interface Shift {
  value: number;
  moved: string[];
}

/** Pages whose live events wait, each with what lets them go on. */
const held = new WeakMap<Page, () => void>();

/**
 * Makes replies so slow that the bars of every part show before its rows, and watches what moves. The page learns no live
 * events until `expectInPlace`: rows of other tests would move those below them.
 */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    const describe = (node: Element | null) =>
      node instanceof Element ? node.outerHTML.slice(0, 90) : 'text';
    const place = ({ x, y, width, height }: DOMRect) =>
      `${[x, y].map(Math.round).join()} (${[width, height].map(Math.round).join(' x ')})`;
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        const moved = entry.sources.map(
          ({ node, previousRect, currentRect }) =>
            `${describe(node)} from ${place(previousRect)} to ${place(currentRect)}`,
        );
        shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const { promise: isLoaded, resolve: goOn } = Promise.withResolvers<void>();
  held.set(page, goOn);
  await page.route('**/api/events?*', async (route) => {
    await isLoaded;
    await route.fallback();
  });
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await route.fallback();
  });
}

/** Expects that a screen which `watchShifts` watched stayed in place while it loaded. */
export async function expectInPlace(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await untilIdle(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  held.get(page)?.();
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MAX_SHIFT);
}

/** Waits until a page has drawn what there is to draw, and has nothing else to do. */
export async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve)));
      }),
  );
}
