import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { devtoolsOf } from './devtools.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Selector of React Aria's announcements about a button that was busy. They are outside of all landmarks. */
const ANNOUNCER = '[data-live-announcer]';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that are broken, each as one text with the elements that break it. */
async function violationsOf(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  // Once for each page: a test looks at several states of one, and this is half a megabyte. As a script of its own
  // (`page.evaluate` calls `eval`), V8 finds it compiled from the page before.
  if (!isThere) {
    const devtools = await devtoolsOf(page);
    await devtools.send('Runtime.evaluate', { expression: AXE });
  }
  return page.evaluate(
    async ([tags, announcer]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(
        { exclude: [[announcer]] },
        // Only violations are described, and by their markup: the same answer in less time.
        { runOnly: tags, resultTypes: ['violations'], selectors: false },
      );
      return violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`,
      );
    },
    [TAGS, ANNOUNCER] as const,
  );
}

/** Expects no violation of WCAG 2.2 A and AA or of best practice, contrast included, right now. */
export async function expectAccessible(page: Page): Promise<void> {
  // The frame of a page that was only opened comes before the page itself, which has the heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // Stops slides and other motion, because half-faded text has no contrast.
  const hasMotion = await page.evaluate(
    () => matchMedia('(prefers-reduced-motion: no-preference)').matches,
  );
  if (hasMotion) await page.emulateMedia({ reducedMotion: 'reduce' });
  await settle(page);
  const found = await violationsOf(page);
  if (hasMotion) await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(found).toEqual([]);
}

/** Expects that nothing sticks out sideways (WCAG 1.4.10), once a page whose width has changed is drawn again. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const sticksOutBy = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  await expect.poll(sticksOutBy).toBeLessThanOrEqual(0);
}

/**
 * Waits until what fades in has done so. React Aria keeps an overlay
 * clipped away until its animation begins, frames later on a busy machine.
 */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isFading = document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState !== 'finished' && effect?.getComputedTiming().iterations !== Infinity,
      );
    return !isFading && document.querySelector('[data-rac][style*="clip-path"]') === null;
  });
}
