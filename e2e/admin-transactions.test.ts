import { readFile } from 'node:fs/promises';
import { fundedWallet, verifiedBank, withdrawalIn } from '#test/factories/money.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeVisits, inEachLook } from './support/looks.ts';
import type { Company } from './support/company.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** The reference under which a person of the test alone was paid. */
async function paidReference(company: Company): Promise<string> {
  const { id } = await company.createEmployee({ fundedMinor: 31_700n });
  const { reference } = await company.db
    .selectFrom('payrollLine')
    .innerJoin('ledgerTransaction', 'ledgerTransaction.id', 'payrollLine.ledgerTransactionId')
    .select('ledgerTransaction.reference')
    .where('payrollLine.userId', '=', id)
    .executeTakeFirstOrThrow();
  return reference;
}

test('an admin finds a transaction by its reference, verifies its seal and takes the log along', async ({
  page,
  company,
}) => {
  // The seal shows without a live event, which only postings cause.
  await page.route('**/api/events?*', () => undefined);
  await page.goto('/admin/dashboard');
  await page.getByRole('link', { name: 'See All Transactions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transaction Logs');
  await page.getByLabel('Type').selectOption('Payroll');
  await expect(page).toHaveURL(/type=payroll/);
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows.filter({ hasText: 'Deposit' })).toHaveCount(0);
  // No row of another test, which may be funded otherwise, or taken back in between.
  const reference = await paidReference(company);
  await page.getByRole('searchbox').fill(reference);
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 completed, 0 pending')).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^transactions-[\d-]+\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\uFEFFDate,Employee,/);
  expect(lines[1]).toContain(reference);
  // The payroll, its pay period, and when it was paid: in the company's time and in UTC.
  expect(lines[1]).toMatch(
    /,\w+ \d{4},,(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d-0[45]:00,\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ,)+/,
  );

  await rows.getByRole('link', { name: /^Open PAY-/ }).click();
  await expect(page.getByText(reference, { exact: true })).toBeVisible();
  const proof = page.getByRole('region', { name: 'Proof' });
  await proof.getByRole('button', { name: 'Verify' }).click();
  await expect(proof.getByText('Verified in this browser')).toBeVisible();
  await expect(proof.getByText('The two entries give the leaf')).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(1);
});

test('an admin finds a transaction by a part of what a row shows', async ({ page, company }) => {
  // A withdrawal of the test alone: that of another may come back from the bank in between.
  const { db, services, admin } = company;
  const { by } = await company.createEmployee({ isApproved: true });
  const wallet = await fundedWallet(db, services, by, 90_000n);
  const payee = { by, wallet, bank: await verifiedBank(db, services, { owner: by, admin }) };
  await withdrawalIn(db, services, { payee, admin, status: 'completed', amountMinor: 31_417n });
  const completed = '/admin/transactions?type=withdrawal&status=completed';
  await page.goto(`${completed}&person=${by.actor.id}`);
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(/\d{4}, \d+:\d\d [AP]M/);
  const shown = await rows.innerText();
  const reference = /TXN-\d+/.exec(shown)?.[0] ?? '';
  const amount = /\u2212\$[\d,]+\.\d\d/.exec(shown)?.[0] ?? '';
  await page.goto(completed);
  const search = page.getByRole('searchbox', { name: 'Search transactions' });
  for (const part of [reference.slice(-6), amount]) {
    await search.fill(part);
    await expect(page).toHaveURL(new RegExp(`search=`));
    await expect(rows.getByText(reference)).toBeVisible();
    await expect(search).toBeFocused();
  }
  await page.getByLabel('At least $').fill('1');
  await expect(page, 'a filter acts while it is typed').toHaveURL(/least=100/);
});

test('a link names one person, until all are requested', async ({ page }) => {
  await page.goto('/admin/employees');
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click();
  await page.getByRole('link', { name: 'All transactions' }).click();
  await expect(page).toHaveURL(/\/admin\/transactions\?person=/);
  await expect(page.getByText(/^Of .+ alone\./)).toBeVisible();
  await page.getByRole('button', { name: 'Show All' }).click();
  await expect(page).toHaveURL(/\/admin\/transactions$/);
});

test('a returned payout is neither money in nor money out', async ({ page, company }) => {
  const { db, services, admin } = company;
  const { by } = await company.createEmployee({ isApproved: true });
  const wallet = await fundedWallet(db, services, by, 90_000n);
  const payee = { by, wallet, bank: await verifiedBank(db, services, { owner: by, admin }) };
  await withdrawalIn(db, services, { payee, admin, status: 'returned', amountMinor: 12_300n });
  await withdrawalIn(db, services, { payee, admin, status: 'completed', amountMinor: 4_500n });
  await page.goto(`/admin/transactions?person=${payee.by.actor.id}`);
  const figure = (label: string) =>
    page.locator('.figure').filter({ has: page.getByText(label, { exact: true }) });
  await expect(figure('Money in')).toContainText('+$900.00');
  await expect(figure('Money out')).toContainText('−$45.00');
  const apart = page.getByLabel('Neither in nor out');
  await expect(apart).toContainText('Returned (1)$123.00');
  await expect(apart).toContainText('Between employees$0.00');
});

describeVisits('one transaction', (looks) => {
  test('is accessible and fits', async ({ page }) => {
    await page.goto('/admin/transactions?type=withdrawal&status=completed');
    await page
      .getByRole('link', { name: /^Open TXN-/ })
      .first()
      .click();
    await inEachLook(page, looks, async () => {
      await expect(page.getByRole('heading', { name: 'Both sides' })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});

test('a transaction of nobody and an impossible filter are refused in plain words', async ({
  page,
  faults,
}) => {
  await page.goto('/admin/transactions?search=%25%27%3B--&from=2026-02-31&least=-1');
  await expect(page.getByText('No transactions found')).toBeVisible();
  faults.allowRefusal(404, '/api/admin/transactions/');
  await page.goto('/admin/transactions/01a20472-7109-7478-aa9d-000000000000');
  await expect(page.getByText('This transaction was not found.')).toBeVisible();
});
