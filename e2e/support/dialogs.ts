import type { Locator } from '@playwright/test';
import { expect } from './test.ts';

/**
 * Presses Escape in a dialog, once it has the focus: a moment after it is seen. Before that the key is one of the page below
 * it, and closes nothing.
 */
export async function escape(dialog: Locator): Promise<void> {
  await expect
    .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await dialog.page().keyboard.press('Escape');
}
