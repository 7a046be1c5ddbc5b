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

/** Presses a button of a row until its question is open: a row that moves while it is pressed is not pressed. */
export async function openFromRow(button: Locator, question: Locator): Promise<void> {
  await expect(async () => {
    if (!(await question.isVisible())) await button.click({ timeout: 5_000 });
    await expect(question).toBeVisible({ timeout: 5_000 });
  }).toPass();
}
