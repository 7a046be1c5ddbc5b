import { readFile } from 'node:fs/promises';
import { dayIn } from '#contract/calendar.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { unstyledControls } from './support/targets.ts';
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

  await page.getByLabel('Search transactions').fill('payroll');
  const { total: payrolls } = await ask(await apiAs('maya'), 'countHistory', {
    query: { search: 'payroll' },
  });
  expect(payrolls).toBeGreaterThan(0);
  await expect(page.getByText(`of ${payrolls} transactions`)).toBeVisible();
  await page.getByLabel('Search transactions').fill('');

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
  expect(lines[0]).toBe(
    '\uFEFFDate,Type,Description,Amount,Status,Reference,Account,Pay period,Time,Time (UTC),Balance after',
  );
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
    'Description',
    'Status',
    'Type',
    'Date & Time',
    'Processed By',
    'Reference',
    'Transaction ID',
    'Account',
    'Pay period',
    'Balance after',
  ]) {
    await expect(
      dialog.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) }),
    ).toBeVisible();
  }
  await page.reload();
  await expect(dialog).toBeVisible();
  await escape(dialog);
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
  const newest = page.getByRole('table').locator('tbody').getByRole('row').first();
  // Other tests pay Maya meanwhile.
  await expect(async () => {
    const closing = await span.locator('dd').last().textContent();
    const balance = newest.getByRole('cell').last();
    await expect(balance).toHaveText(`Balance ${closing}`, { timeout: 2_000 });
  }).toPass();

  // Days in the wrong order are refused at their field, and stay as they were typed.
  const to = page.getByLabel('To', { exact: true });
  await to.fill('2019-12-31');
  const sentence = 'To is before From. Choose the same day or a later one.';
  await expect(page.getByRole('alert')).toHaveText(sentence);
  await expect(to).toHaveAccessibleDescription(sentence);
  await expect(to).toHaveValue('2019-12-31');
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2020-01-01');
  await expect(span).toBeHidden();
  await expect(page.getByText('Nothing to show', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export' })).toBeDisabled();
  await expectAccessible(page);
  await page.getByLabel('Period').selectOption('Last 30 days');
  await expect(span).toContainText('Closing');

  // The days of one month lead to its statement.
  await page.getByLabel('Period').selectOption('Last month');
  const statement = page.getByRole('link', { name: /^Open the \w+ (\d{4} )?statement$/ });
  await statement.click();
  await expect(page).toHaveURL(/\/employee\/documents\/statement\.salary\.\d{4}-\d{2}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Statement');
});

test('a transaction of nobody and an impossible filter are refused in plain words', async ({
  page,
  context,
  faults,
}) => {
  await signIn(context, 'maya');
  await page.goto('/employee/history?search=%25%27%3B--&page=999999999&from=2026-02-31');
  await expect(page.getByText('No transactions found')).toBeVisible();
  await expect(page.getByText('Try adjusting your search or filter criteria.')).toBeVisible();
  faults.allowRefusal(404, '/events/');
  const none = '0193f1d0-0000-7000-8000-000000000001.salary';
  await page.goto(`/employee/history?transaction=${none}`);
  await expect(page.getByRole('dialog')).toContainText('This transaction was not found.');
});

describeVisits('the history', (looks) => {
  test('fits, is accessible and keeps its dialog in reach', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/employee/history?account=salary&from=2020-01-01');
    await expect(page.getByLabel('Opening and closing balance')).toContainText('Closing');
    await expectFineInLooks(page, looks);
    await page.getByRole('table').locator('tbody').getByRole('button').first().click();
    await expect(page.getByRole('dialog')).toContainText('Additional Information');
    expect(await unstyledControls(page)).toEqual([]);
    await expectFineInLooks(page, looks);
  });
});

/** A zone in which it is another day now than in the company's. */
function zoneOfAnotherDay(): string {
  const now = new Date();
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  return dayIn(east, now) === dayIn('America/New_York', now) ? west : east;
}

test.describe('on a device where it is another day', () => {
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures here
  test.use({ timezoneId: ({}, use) => use(zoneOfAnotherDay()) });

  test('times are those of the device, and days of money are the company’s and say so', async ({
    page,
    context,
    company,
    timezoneId: elsewhere,
  }) => {
    const person = await company.createEmployee({ fundedMinor: 1_200n });
    const [event] = (await ask(await apiAs(person), 'listHistory', {})).items;
    const at = new Date(event?.at ?? '');
    const own = new Intl.DateTimeFormat('en-US', {
      timeZone: elsewhere,
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }).format(at);
    await signIn(context, person);
    const today = dayIn('America/New_York', at);
    await page.goto(`/employee/history?from=${today}&to=${today}`);
    await expect(page.getByRole('table')).toContainText(own.replaceAll('\u202F', ' '));
    await expect(page.getByLabel(/^To \(E[SD]T\)$/)).toHaveValue(today);
    await page.goto('/employee/dashboard');
    const companysDay = /[A-Z][a-z]{2} \d+, \d{4} E[SD]T<\/time>/;
    await expect(page.getByText(/^\w{3} \d+, \d{4} E[SD]T$/)).toBeVisible();
    // The server draws the next page as the device has it, unless it is busy.
    await expect
      .poll(async () => (await page.request.get('/employee/dashboard')).text())
      .toMatch(companysDay);
  });
});
