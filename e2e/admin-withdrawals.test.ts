import type { Page } from '@playwright/test';
import type { Withdrawal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { apiAs, signIn } from './support/people.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** A person with $1,000.00, an approved identity and a bank; their name is nobody else's. */
function createPayee(company: Company, lastName: string): Promise<Person> {
  return company.createEmployee({
    firstName: 'Payee',
    lastName,
    fundedMinor: 100_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
}

async function request(person: Person, amountMinor: bigint): Promise<Withdrawal> {
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  const { items } = await ask(api, 'listBankAccounts', {});
  return ask(api, 'requestWithdrawal', {
    body: {
      walletId: accounts[0]?.id ?? '',
      bankAccountId: items[0]?.id ?? '',
      amount: money(amountMinor, 'USD'),
      reason: 'New bicycle',
    },
  });
}

/** The list, searched for one person by typing. */
async function openListOf(page: Page, { lastName }: Person): Promise<void> {
  await page.goto('/admin/withdrawals');
  await page.getByRole('searchbox', { name: 'Search withdrawals' }).fill(lastName);
  await expect(page.getByText('Showing 1 to 1 of 1 requests')).toBeVisible();
}

async function confirm(page: Page, action: string): Promise<void> {
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('$250.00 from Payee');
  await expect(question).toContainText('Cascade Federal Credit Union ••');
  await question.getByRole('button', { name: action }).click();
}

test('a withdrawal is approved, sent and completed, and the employee sees it', async ({
  page,
  company,
  openAs,
}) => {
  const payee = await createPayee(company, 'Arkwright');
  await request(payee, 25_000n);
  const payeesPage = await openAs(payee);
  await payeesPage.goto('/employee/withdraw');
  await expect(payeesPage.getByText('Pending').first()).toBeVisible();

  await openListOf(page, payee);
  const row = page.getByRole('row', { name: /Payee Arkwright/ });
  await row.getByRole('button', { name: 'Approve Payee Arkwright, $250.00' }).click();
  await confirm(page, 'Approve');
  await expect(page.getByText('Withdrawal Approved')).toBeVisible();
  await row.getByRole('button', { name: 'Start processing Payee Arkwright, $250.00' }).click();
  await confirm(page, 'Start processing');
  await expect(page.getByText('Processing Started')).toBeVisible();
  await row.getByRole('button', { name: 'Complete Payee Arkwright, $250.00' }).click();
  await confirm(page, 'Complete');
  await expect(page.getByText('Withdrawal Completed')).toBeVisible();
  await expect(row).toContainText('Completed');
  await expect(payeesPage.getByText('Completed').first()).toBeVisible();

  await row.getByRole('button', { name: 'Details Payee Arkwright, $250.00' }).click();
  await expect(page).toHaveURL(/request=/);
  const rail = page.getByRole('list', { name: 'Withdrawal progress' });
  await expect(rail.getByRole('listitem')).toHaveCount(4);
  await expect(rail).toContainText('Arrived');
});

test('rejecting needs a reason, which the employee reads', async ({ page, company, openAs }) => {
  const payee = await createPayee(company, 'Bramble');
  await request(payee, 25_000n);
  await openListOf(page, payee);
  await page.getByRole('button', { name: 'Reject Payee Bramble, $250.00' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject withdrawal' });
  const reject = dialog.getByRole('button', { name: 'Reject' });
  await expect(reject).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Reason').fill('   ');
  await expect(dialog.getByText('Enter a reason to reject.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The bank account is closed.');
  await reject.click();
  await expect(page.getByText('Withdrawal Rejected')).toBeVisible();
  await expect(page.getByRole('row', { name: /Payee Bramble/ })).toContainText('Rejected');

  const { accounts } = await ask(await apiAs(payee), 'listWallets', {});
  expect(accounts[0]?.available.minor).toBe('100000');
  const payeesPage = await openAs(payee);
  await payeesPage.goto('/employee/withdraw');
  await expect(payeesPage.getByText('Rejected').first()).toBeVisible();
});

test('an approved payout is stopped, and a completed one is booked as returned', async ({
  page,
  company,
}) => {
  const payee = await createPayee(company, 'Calloway');
  const admin = await apiAs('admin');
  const stopped = await request(payee, 25_000n);
  await ask(admin, 'adminApproveWithdrawal', { params: { id: stopped.id } });
  await page.goto(`/admin/withdrawals?request=${stopped.id}`);
  await page.getByRole('button', { name: 'Stop' }).click();
  const stop = page.getByRole('dialog', { name: 'Stop withdrawal' });
  await stop.getByLabel('Reason').fill('Asked for by the employee.');
  await stop.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Withdrawal Stopped')).toBeVisible();

  const returned = await request(payee, 30_000n);
  const params = { id: returned.id };
  await ask(admin, 'adminApproveWithdrawal', { params });
  await ask(admin, 'adminStartWithdrawal', { params });
  await ask(admin, 'adminCompleteWithdrawal', { params });
  await page.goto(`/admin/withdrawals?request=${returned.id}`);
  await page.getByRole('button', { name: 'Returned by bank' }).click();
  const dialog = page.getByRole('dialog', { name: 'Returned by bank' });
  await dialog.getByLabel('Reason').fill('R02, account closed');
  await dialog.getByRole('button', { name: 'Book the return' }).click();
  await expect(page.getByText('Withdrawal Returned')).toBeVisible();

  const { accounts } = await ask(await apiAs(payee), 'listWallets', {});
  expect(accounts[0]?.available.minor).toBe('100000');
});

test('a request that was cancelled meanwhile is refused clearly, and the list shows it', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/approve');
  const payee = await createPayee(company, 'Dunmore');
  const { id } = await request(payee, 25_000n);
  await openListOf(page, payee);
  await page.getByRole('button', { name: 'Approve Payee Dunmore, $250.00' }).click();
  await ask(await apiAs(payee), 'cancelWithdrawal', { params: { id } });
  await confirm(page, 'Approve');
  await expect(page.getByRole('alert')).toContainText(
    'This withdrawal is cancelled and cannot be changed that way.',
  );
  await expect(page.getByRole('row', { name: /Payee Dunmore/ })).toContainText('Cancelled');
});

test('filters, sorting and pages live in the address, and the export follows them', async ({
  page,
}) => {
  await page.goto('/admin/withdrawals');
  await page.getByLabel('Status').selectOption({ label: 'Completed' });
  await expect(page).toHaveURL(/status=completed/);
  await page.getByRole('button', { name: 'Amount' }).click();
  await expect(page).toHaveURL(/sort=amount/);
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(page.getByText(/^Showing 16 to/)).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^withdrawals-[\d-]+\.csv$/);
  expect(download.url()).toContain('status=completed');

  await page.getByRole('searchbox', { name: 'Search withdrawals' }).fill('nobody is called that');
  await expect(page.getByText('No withdrawals found')).toBeVisible();
});
