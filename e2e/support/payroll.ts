import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Faults } from './faults.ts';

/** The review of a payroll, once it is there. */
export async function openedReview(page: Page): Promise<Locator> {
  await expect(page.getByRole('heading', { level: 1, name: 'Review Payroll' })).toBeVisible();
  await expect(page.getByRole('button', { name: SEND })).toBeVisible();
  return page.getByRole('main');
}
const SEND = /^Send Payroll \p{Sc}/u;

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
 * Sends the payroll that is reviewed, with all differences checked, and, where it asks, that people whom this pay period
 * paid already are paid again.
 *
 * @param name of its button
 */
export async function confirmSend(page: Page, name: RegExp | string = SEND): Promise<void> {
  const review = await openedReview(page);
  const again = review.getByRole('checkbox', { name: /^Pay th.+ again$/ });
  if ((await again.count()) > 0) await again.check();
  await checkDifferences(review);
  await review.getByRole('button', { name }).click();
}

/**
 * Sends the payroll that is reviewed, as `confirmSend`, until it is taken: another test may have sent one to the same people
 * since the preview, which is then made again.
 */
export async function sendReviewed(
  page: Page,
  faults: Faults,
  name: RegExp | string = SEND,
): Promise<void> {
  faults.allowRefusal(409, '/send');
  await expect(async () => {
    if (page.url().includes(REVIEW)) await confirmSend(page, name);
    await expect(page).not.toHaveURL(new RegExp(REVIEW), { timeout: 10_000 });
  }).toPass();
}
const REVIEW = '/admin/payroll/review';
