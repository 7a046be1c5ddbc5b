import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { EventProof } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { ask } from './support/api.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, inEachLook } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'maya'));

/** Opens the proof of the newest transaction that is listed, from its details. */
async function openProof(page: Page): Promise<void> {
  await page.getByRole('table').locator('tbody').getByRole('button').first().click();
  const details = page.getByRole('dialog', { name: 'Transaction details' });
  await details.getByRole('button', { name: /^Prove this number/ }).click();
}

const PAYROLL = '/employee/history?type=payroll&status=completed';

test('Maya proves what payroll paid, and keeps roots that show it unchanged later', async ({
  page,
}) => {
  await page.goto(PAYROLL);
  await openProof(page);
  const dialog = page.getByRole('dialog', { name: 'Prove this number' });
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
  await expect(dialog.getByText('It was not changed')).toBeVisible();
  await expect(dialog.getByText('Sum$0.00')).toBeVisible();

  await dialog.getByRole('button', { name: 'Compare with roots you kept' }).click();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download the roots to keep' }).click();
  const kept = await (await downloading).path();
  await dialog.getByLabel('Choose a file of roots').setInputFiles(kept);
  await expect(dialog.getByText('It is what you kept')).toBeVisible();
  const other = (await readFile(kept, 'utf8')).replace(/"root":"\w{8}/g, '"root":"00000000');
  await dialog.getByRole('textbox', { name: 'Roots you kept' }).fill(other);
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(dialog.getByText('It is not what you kept')).toBeVisible();

  await dialog.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Prove the balance after' }).click();
  await expect(dialog.getByText('Nothing was taken out')).toBeVisible();
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
});

test('a line that was changed shows as what it is, and is reported to the admins', async ({
  page,
  company,
}) => {
  await page.route('**/api/proofs/events/**', async (route) => {
    const response = await route.fetch();
    const proof = (await response.json()) as EventProof;
    // As who can rewrite the books would: both sides, so that the sums are right.
    const more = (minor: string) =>
      (BigInt(minor) + (minor.startsWith('-') ? -100n : 100n)).toString();
    for (const { amount } of [...proof.movement.entries, proof.event])
      amount.minor = more(amount.minor);
    await route.fulfill({ response, json: proof });
  });
  await page.goto(PAYROLL);
  await openProof(page);
  const dialog = page.getByRole('dialog', { name: 'Prove this number' });
  await expect(dialog.getByText('This number does not fit its seal')).toBeVisible();
  await expect(dialog.getByText('A line was changed')).toBeVisible();
  await expect(dialog.getByText('1 of 4 checks passed')).toBeVisible();
  await expect(dialog.getByText('Not checked: a check before it failed.')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Report this' }).click();
  await expect(dialog.getByText(/^Reported\./)).toBeVisible();
  const report = await company.db
    .selectFrom('question')
    .select(['id', 'question', 'findingCheck', 'findingBlock', 'findingRoot'])
    .where('findingCheck', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(report).toMatchObject({
    question: expect.stringContaining('is not the one that was sealed in block'),
    findingCheck: 'content',
    findingRoot: expect.stringMatching(/^[\da-f]{64}$/),
  });
  // The employee's screen is left first: it asks again by itself, and another person's cookie is refused.
  await page.goto('about:blank');
  await signIn(page.context(), 'admin');
  await page.goto(`/admin/questions?question=${report.id}`);
  const answer = page.getByRole('dialog', { name: 'Answer question' });
  await expect(answer.getByText('A line was changed')).toBeVisible();
  await expect(answer.getByText(report.findingRoot ?? '')).toBeVisible();
  await expectAccessible(page);
});

test('the current balance opens the accounts that make it, and each its entries', async ({
  page,
}) => {
  await page.goto('/employee/history');
  await page.getByRole('button', { name: 'Prove this number: Total Received' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prove this number' });
  const { received } = await ask(await apiAs('maya'), 'getHistoryTotals', {});
  await expect(dialog.getByRole('row', { name: /^All accounts/ })).toContainText(
    formatMoney(received),
  );
  await expect(dialog.getByText('Completed deposits')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Prove this number: Current Balance' }).click();
  await dialog.getByRole('button', { name: /^Salary Wallet/ }).click();
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
  await dialog.getByRole('button', { name: 'Balance before' }).click();
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
  await escape(dialog);
  await expect(dialog).toBeHidden();

  // In the first days of a year the newest payslip is one of the year before.
  const { items } = await ask(await apiAs('maya'), 'listHistory', {
    query: { type: 'payroll', status: 'completed' },
  });
  await page.goto(`/employee/documents?year=${items[0]?.at.slice(0, 4)}`);
  await page
    .getByRole('link', { name: /^Open payslip/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Prove this number' }).click();
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
  await escape(dialog);
  await page.getByRole('button', { name: /^Prove PAY-/ }).click();
  await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
});

describeVisits('a proof', (looks) => {
  test('is accessible and fits', async ({ page }) => {
    await page.goto('/employee/dashboard');
    await page
      .getByRole('button', { name: /^Prove this number: / })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Prove this number' });
    await expect(dialog.getByText('4 of 4 checks passed')).toBeVisible();
    await dialog.getByRole('button', { name: 'Details for an auditor' }).click();
    await dialog.getByRole('button', { name: 'Compare with roots you kept' }).click();
    await inEachLook(page, looks, async () => {
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});
