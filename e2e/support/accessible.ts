import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What React Aria says for seconds of a button that was busy: outside of everything, by its own means. */
const ANNOUNCER = '[data-live-announcer]';

/** Expects no violation of WCAG 2.2 A and AA or of best practice, contrast included, right now. */
export async function expectAccessible(page: Page): Promise<void> {
  // What moves by itself, such as the slides, waits meanwhile: half-faded text has no contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await settle(page);
  // Without frames inside, one pass over the page is enough, and only violations are described: a
  // third of the time for the same answer.
  const { violations } = await new AxeBuilder({ page })
    .exclude(ANNOUNCER)
    .options({ runOnly: TAGS, resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  await page.emulateMedia({ reducedMotion: null });
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
 * Waits until what fades in has done so. React Aria keeps an overlay
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
