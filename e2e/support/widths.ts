import type { Page } from '@playwright/test';

const NARROWEST = 320;
const WIDEST = 1600;
/** Between layouts, for rows whose number of columns follows the width without a rule. */
const COARSE_STEP = 160;

/** Every width in small steps; 200 % zoom of 1440 px is the same as 720 px. */
export const ALL_WIDTHS: readonly number[] = steps(32);

/**
 * Widths at which a screen is likeliest not to fit: the narrowest of each layout, as the style sheets of
 * the page have them (the build writes `width <= 640px`), and some between.
 */
export async function narrowestWidths(page: Page): Promise<number[]> {
  const conditions = await page.evaluate(() => {
    const conditionsIn = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSMediaRule ? [rule.conditionText] : []),
        ...(rule instanceof CSSGroupingRule ? conditionsIn(rule.cssRules) : []),
      ]);
    return [...document.styleSheets].flatMap(({ cssRules }) => conditionsIn(cssRules));
  });
  const edges = conditions
    .flatMap((condition) => [...condition.matchAll(/width (<=|>=) (\d+)px/g)])
    .map(([, side, px]) => Number(px) + (side === '<=' ? 1 : 0));
  if (edges.length === 0) throw new Error('no style sheet asks for a width');
  const widths = new Set([...edges, ...steps(COARSE_STEP)]);
  return [...widths].filter((width) => width >= NARROWEST && width <= WIDEST);
}

function steps(by: number): number[] {
  const widths: number[] = [];
  for (let width = NARROWEST; width <= WIDEST; width += by) widths.push(width);
  return widths;
}

/**
 * At which of these widths the page is wider than the window, or something in a sheet reaches out of
 * it. One page is resized, which is quick.
 */
export async function faultyWidths(page: Page, widths: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  const show = (visibility: string) =>
    page.evaluate((value) => (document.documentElement.style.visibility = value), visibility);
  // It takes its place all the same, and is not drawn at each width.
  await show('hidden');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const fault = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) return `page by ${scrollWidth - clientWidth} px`;
      for (const box of document.querySelectorAll<HTMLElement>(
        '.account, .notice, .figure, .filter',
      )) {
        if (box.scrollWidth > box.clientWidth + 1) {
          return `${box.className} by ${box.scrollWidth - box.clientWidth} px`;
        }
      }
      return null;
    });
    if (fault !== null) faults.push(`${width} px: ${fault}`);
  }
  await show('');
  return faults;
}
