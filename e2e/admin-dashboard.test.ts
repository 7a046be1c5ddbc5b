import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { escape } from './support/dialogs.ts';
import { apiAs, signIn } from './support/people.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** A person whose deposit of $77.00 waits; the newest, so it is listed first. */
async function createDepositor(company: Company, lastName: string): Promise<Person> {
  const person = await company.createEmployee({ firstName: 'Sender', lastName });
  const { accounts } = await ask(await apiAs(person), 'listWallets', {});
  await withTx(company.db, (tx) =>
    requestDeposit(tx, company.services, person.by, {
      walletId: accounts[0]?.id ?? '',
      method: 'ach',
      amount: money(7_700n, 'USD'),
      description: 'Birthday money',
    }),
  );
  return person;
}

test('shows the four figures, and what is checked for its health', async ({ page }) => {
  await page.goto('/admin/dashboard');
  for (const label of ['Total Employees', 'Monthly Payroll', 'System Health']) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Upcoming Payroll' })).toBeVisible();
  await expect(
    page.getByRole('img', { name: /^Completed withdrawals and paid bills by week/ }),
  ).toBeVisible();
  // Another test may have made deliveries fail meanwhile: then it says that instead of "Uptime".
  await page.getByRole('button', { name: /^Uptime, show checks$|failed deliver(y|ies)$/ }).click();
  const checks = page.getByRole('dialog', { name: 'System Health' });
  for (const part of ['Database', 'Queue', 'Mail', 'Storage', 'Ledger']) {
    await expect(checks.getByText(part, { exact: true })).toBeVisible();
  }
  await escape(checks);
  await page.getByRole('link', { name: 'Send Payroll' }).first().click();
  await expect(page).toHaveURL('/admin/payroll');
});

test('the books are verified when an admin asks for it', async ({ page }) => {
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: /^Uptime, show checks$|failed deliver(y|ies)$/ }).click();
  const checks = page.getByRole('dialog', { name: 'System Health' });
  const verify = checks.getByRole('button', { name: /^Verify (now|again)$/ });
  // The server itself may be verifying all of them: at seven minutes past the hour it does so for the first time.
  await expect(verify).not.toHaveAttribute('aria-disabled', 'true');
  await verify.click();
  await expect(page.getByText('Verification Started', { exact: true })).toBeVisible();
  // All of them are compared, while other tests run.
  await expect(checks.getByText('Sound', { exact: true })).toBeVisible();
  await expect(checks.getByText('All of them')).toBeVisible();
  await expect(checks.getByText('Payouts stop', { exact: true })).toBeVisible();
});

test('a deposit is approved and reaches the wallet', async ({ page, company }) => {
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('table', { name: 'Pending Deposits' })).toBeVisible();
  const sender = await createDepositor(company, 'Harwood');
  const approve = page.getByRole('button', { name: 'Approve deposit of Sender Harwood' });
  await expect(approve, 'it arrives while the admin looks').toBeVisible();
  await approve.click();
  const question = page.getByRole('alertdialog', { name: 'Approve this deposit?' });
  await expect(question).toContainText('$77.00 by ACH transfer to Salary Wallet of Sender Harwood');
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Deposit Approved', { exact: true })).toBeVisible();
  await expect(approve).toHaveCount(0);
  const { accounts } = await ask(await apiAs(sender), 'listWallets', {});
  expect(accounts[0]?.available.minor).toBe('7700');
});

test('a deposit is rejected with a reason and reaches nobody', async ({ page, company }) => {
  const sender = await createDepositor(company, 'Ivers');
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: 'Reject deposit of Sender Ivers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject deposit' });
  await dialog.getByLabel('Reason').fill('It never arrived.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Deposit Rejected', { exact: true })).toBeVisible();
  const { accounts } = await ask(await apiAs(sender), 'listWallets', {});
  expect(accounts[0]?.available.minor).toBe('0');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a deposit says how and where to it was sent', async ({ page }) => {
    await page.goto('/admin/dashboard');
    const deposits = page.getByRole('table', { name: 'Pending Deposits' });
    const cells = deposits.getByRole('cell').filter({ hasText: / to \w+/ });
    await expect(cells.first()).toBeVisible();
    // Widths of the cell, and of the words in it.
    const widths = await cells.evaluateAll((all) =>
      all.flatMap((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        return [cell.getBoundingClientRect().width, words.getBoundingClientRect().width];
      }),
    );
    expect(Math.min(...widths)).toBeGreaterThan(100);
  });
});
