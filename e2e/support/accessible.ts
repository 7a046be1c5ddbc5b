import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Expects no violation of WCAG 2.2 A and AA or of best practice, contrast included, right now.
 *
 * @param within a selector: a dialog whose step was just changed by a pending button, for one, since
 *   React Aria says for seconds, outside of it, what that button waited for
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  await settle(page);
  // Without frames inside, one pass over the page is enough, and only violations are described: a
  // third of the time for the same answer.
  const { violations } = await new AxeBuilder({ page })
    .include(within)
    .options({ runOnly: TAGS, resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`,
  );
  expect(found).toEqual([]);
}

/** Expects that nothing sticks out sideways (WCAG 1.4.10). */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}

/**
 * Waits until what fades in has done so: half-faded text has no contrast. React Aria keeps an overlay
 * clipped away until its animation begins, frames later on a busy machine.
 */
async function settle(page: Page): Promise<void> {
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

/** Waits until the button that was busy is no longer announced: it is gone, and its name with it. */
export async function waitForSilence(page: Page): Promise<void> {
  await expect(page.locator('[data-live-announcer] [role="img"]')).toHaveCount(0);
}
