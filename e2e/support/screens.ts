import type { Page } from '@playwright/test';
import { ADMIN_SCREENS, EMPLOYEE_SCREENS } from '#web/screens.ts';
import { expect } from './test.ts';

/**
 * Every screen of the table, with a person of the demo company who may see it. One that is about a
 * thing that its address names has a test of its own.
 */
export const SCREENS = [
  ...Object.values(EMPLOYEE_SCREENS).map((screen) => ({ ...screen, who: 'maya' as const })),
  ...Object.values(ADMIN_SCREENS).map((screen) => ({ ...screen, who: 'admin' as const })),
].filter(({ path }) => !path.includes('$'));

/** Waits until the screen has its heading and nothing of it is loading any more. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
  await expect(page.locator('main .skel, main [aria-busy="true"]')).toHaveCount(0);
}
