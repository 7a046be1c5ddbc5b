import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The dialog that asks before a payroll is sent. */
export function sendQuestion(page: Page): Locator {
  return page.getByRole('alertdialog', { name: 'Send this payroll?' });
}

/** Checks each difference to the last payroll, by its key. */
export async function checkDifferences(within: Locator): Promise<void> {
  for (const box of await within.getByRole('checkbox', { name: DIFFERENCE }).all()) {
    if (await box.isChecked()) continue;
    await box.press('Space');
    await expect(box).toBeChecked();
  }
}
const DIFFERENCE = /^(New|Gone|Changed by more than|Total)\b/;

/**
 * Confirms in the dialog that the payroll is sent, with all differences checked, and, where it asks, that people whom this pay period paid already
 * are paid again.
 *
 * @param name of its button
 */
export async function confirmSend(page: Page, name: RegExp | string = /^Send \$/): Promise<void> {
  const question = sendQuestion(page);
  await expect(question).toBeVisible();
  const again = question.getByRole('checkbox', { name: /^Pay th.+ again$/ });
  if ((await again.count()) > 0) await again.check();
  await checkDifferences(question);
  await question.getByRole('button', { name }).click();
}
