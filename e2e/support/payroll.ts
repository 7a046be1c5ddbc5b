import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import type { PayrollBatch } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { sendDraftAsSeen } from '#test/payroll-fixture.ts';
import type { Company } from './company.ts';
import type { Faults } from './faults.ts';

/** An arbitrary number: the advisory lock of a test that sends a payroll to people of all departments. */
const SENDING_LOCK = 7_265_105;

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
 * @returns the words of the button, with what is paid
 */
export async function confirmSend(page: Page, name: RegExp | string = SEND): Promise<string> {
  const review = await openedReview(page);
  const again = review.getByRole('checkbox', { name: /^Pay th.+ again$/ });
  if ((await again.count()) > 0) await again.check();
  await checkDifferences(review);
  const send = review.getByRole('button', { name });
  const words = await send.innerText();
  await send.click();
  return words.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Sends the payroll that is reviewed, as `confirmSend`, until it is taken: another test may have sent one to the same people
 * since the preview, or added one of them. The preview is then made again.
 */
export async function sendReviewed(
  page: Page,
  faults: Faults,
  name: RegExp | string = SEND,
): Promise<string> {
  faults.allowRefusal(409, '/send');
  // Before it is there the address is that of another screen, as it is once the payroll is taken.
  await openedReview(page);
  let words = '';
  await expect(async () => {
    if (page.url().includes(REVIEW)) words = await confirmSend(page, name);
    await expect(page).not.toHaveURL(new RegExp(REVIEW), { timeout: 10_000 });
  }).toPass();
  return words;
}
const REVIEW = '/admin/payroll/review';

/**
 * Sends a draft without the browser, as its preview shows it. One of people of all departments is previewed again where
 * another test has paid somebody in between.
 */
export async function sendDraft(
  company: Company,
  actor: Actor,
  id: string,
  services: Company['yesterday'] = company.services,
): Promise<PayrollBatch> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      return await whileNobodySends(company, () =>
        sendDraftAsSeen(company.db, actor, id, services),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'preview_stale') throw error;
    }
  }
}

/**
 * Runs what another payroll must not come between: a payroll of people of all departments makes the preview of each
 * department stale. Whoever sends such a one waits for its turn.
 */
export async function whileNobodySends<Result>(
  company: Company,
  run: () => Promise<Result>,
): Promise<Result> {
  return withTx(company.db, async (tx) => {
    await sql`
      SELECT set_config('idle_in_transaction_session_timeout', '0', true),
             pg_advisory_xact_lock(${SENDING_LOCK})`.execute(tx);
    return run();
  });
}
