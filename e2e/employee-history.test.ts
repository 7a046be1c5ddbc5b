import { readFile } from 'node:fs/promises';
import { ask } from './support/api.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('Maya finds a transaction, and takes exactly what she sees with her', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  await page.goto('/employee/dashboard');
  await page.getByRole('link', { name: 'See All Transactions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transaction History');
  const totals = await ask(await apiAs('maya'), 'getHistoryTotals', {});
  await expect(page.getByText(`of ${totals.transactions} transactions`)).toBeVisible();

  await page.getByLabel('Type').selectOption('Deposits');
  await page.getByLabel('Status').selectOption('Completed');
  await expect(page).toHaveURL(/type=deposit/);
  await expect(page).toHaveURL(/status=completed/);
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows.first()).toContainText('Deposit');
  await expect(rows.first()).toContainText(/\+\$/);
  const { total } = await ask(await apiAs('maya'), 'countHistory', {
    query: { type: 'deposit', status: 'completed' },
  });
  await expect(page.getByText(`of ${total} transactions`)).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^transactions-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]?.replace('\uFEFF', '')).toBe('Date,Type,Description,Amount,Status,Reference');
  expect(lines).toHaveLength(total + 1);
});

test('a transaction opens with all that is known of it, and its address leads to it', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  await page.goto('/employee/history?type=payroll');
  await page.getByRole('table').locator('tbody').getByRole('button').first().click();
  const dialog = page.getByRole('dialog', { name: 'Transaction details' });
  for (const label of [
    ...['Description', 'Status', 'Type', 'Date & Time', 'Processed By', 'Reference'],
    ...['Transaction ID', 'Account', 'Pay period', 'Balance after'],
  ]) {
    await expect(
      dialog.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) }),
    ).toBeVisible();
  }
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/employee\/history\?type=payroll$/);
});

test('one account has a running balance that opens and closes the chosen days', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  await page.goto('/employee/history?account=salary&status=completed&from=2020-01-01');
  const span = page.getByLabel('Opening and closing balance');
  await expect(span).toContainText('Opening$0.00');
  const closing = await span.locator('dd').last().textContent();
  const newest = page.getByRole('table').locator('tbody').getByRole('row').first();
  await expect(newest.getByRole('cell').last()).toHaveText(`Balance ${closing}`);
});

test('what is nobody’s and what cannot be is said plainly', async ({ page, context, faults }) => {
  await signIn(context, 'maya');
  await page.goto('/employee/history?search=%25%27%3B--&page=999999999&from=2026-02-31');
  await expect(page.getByText('No transactions found')).toBeVisible();
  await expect(page.getByText('Try adjusting your search or filter criteria.')).toBeVisible();
  faults.allowRefusal(404, '/events/');
  const none = '0193f1d0-0000-7000-8000-000000000001.salary';
  await page.goto(`/employee/history?transaction=${none}`);
  await expect(page.getByRole('dialog')).toContainText('This transaction was not found.');
});

describeLooks('the history', () => {
  test('fits, is accessible and keeps its dialog in reach', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/employee/history?account=salary&from=2020-01-01');
    await expect(page.getByLabel('Opening and closing balance')).toContainText('Closing');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('table').locator('tbody').getByRole('button').first().click();
    await expect(page.getByRole('dialog')).toContainText('Additional Information');
    await expectAccessible(page);
  });
});
