import type { Page } from '@playwright/test';
import type { Withdrawal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { expectAccessible } from './support/accessible.ts';
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
  await expect(page.getByText('Showing 1 request')).toBeVisible();
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
  faults,
}) => {
  faults.allowRefusal(422, '/complete');
  const payee = await createPayee(company, 'Arkwright');
  await request(payee, 25_000n);
  const payeesPage = await openAs(payee);
  await payeesPage.goto('/employee/withdraw');
  await expect(payeesPage.getByText('Pending').first()).toBeVisible();

  await openListOf(page, payee);
  const row = page.getByRole('row', { name: /Payee Arkwright/ });
  await row.getByRole('button', { name: 'Approve Payee Arkwright, $250.00' }).click();
  await confirm(page, 'Approve');
  await expect(page.getByText('Withdrawal Approved', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Start processing Payee Arkwright, $250.00' }).click();
  await confirm(page, 'Start processing');
  await expect(page.getByText('Processing Started', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Complete Payee Arkwright, $250.00' }).click();
  const completion = page.getByRole('alertdialog');
  const day = completion.getByLabel('Left the bank on');
  const today = await day.inputValue();
  await day.fill('01/01/2020');
  await completion.getByLabel('Bank reference').fill('ACH 2311');
  await confirm(page, 'Complete');
  await expect(completion.getByRole('alert')).toContainText('Choose a day from');
  await expectAccessible(page);
  await expect(completion.getByLabel('Bank reference')).toHaveValue('ACH 2311');
  await day.fill(today);
  await confirm(page, 'Complete');
  await expect(page.getByText('Withdrawal Completed', { exact: true })).toBeVisible();
  await expect(row).toContainText('Completed');
  await expect(payeesPage.getByText('Completed').first()).toBeVisible();

  await row.getByRole('button', { name: 'Details Payee Arkwright, $250.00' }).click();
  await expect(page).toHaveURL(/request=/);
  const rail = page.getByRole('list', { name: 'Withdrawal progress' });
  await expect(rail.getByRole('listitem')).toHaveCount(4);
  await expect(rail).toContainText('Arrived');
  const details = page.getByRole('dialog', { name: 'Withdrawal details' });
  await expect(details).toContainText(/Left the bank on\w+ \d+, \d{4}/);
  await expect(details).toContainText('Bank referenceACH 2311');
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
  await expect(page.getByText('Withdrawal Rejected', { exact: true })).toBeVisible();
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
  openAs,
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
  await expect(page.getByText('Withdrawal Stopped', { exact: true })).toBeVisible();

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
  await expect(page.getByText('Withdrawal Returned', { exact: true })).toBeVisible();

  const { accounts } = await ask(await apiAs(payee), 'listWallets', {});
  expect(accounts[0]?.available.minor).toBe('100000');

  // The account is marked, and offered again once its owner confirmed it and an admin verified it.
  const theirs = await openAs(payee);
  await theirs.goto('/employee/bank-details');
  const marked = theirs.getByRole('listitem').filter({ hasText: 'sent back $300.00' });
  await expect(marked).toContainText(/\$300\.00 \(WD-\d{8}\) on .*Reason: R02, account closed/);
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: 'Confirm Details' }).click();
  await expect(theirs.getByText('Bank Account Confirmed', { exact: true })).toBeVisible();
  await page.goto('/admin/bank-accounts?search=Calloway');
  await page.getByRole('button', { name: /^Open Payee Calloway/ }).click();
  const account = page.getByRole('dialog', { name: 'Bank account details' });
  await expect(account).toContainText('sent back $300.00');
  await expect(account.getByRole('button', { name: 'Verify' })).toBeVisible();
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
    'This withdrawal is cancelled, so this is not possible.',
  );
  // For a moment the table has the former row, too: its column of checkboxes goes, with nothing to select.
  const rows = page.getByRole('row', { name: /Payee Dunmore/ });
  await expect(rows.filter({ hasText: 'Cancelled' })).toBeVisible();
  await expect(rows).toHaveCount(1);
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

test('several are approved, started and completed together', async ({ page, company }) => {
  const names = ['Quenby One', 'Quenby Two'] as const;
  const payees = await Promise.all(names.map((lastName) => createPayee(company, lastName)));
  for (const payee of payees) await request(payee, 25_000n);
  await page.goto('/admin/withdrawals?search=Quenby');
  const rows = page.locator('tr[data-row]');
  await expect(rows).toHaveCount(2);
  const bar = page.getByRole('group', { name: 'Selected rows' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar.getByRole('button', { name: 'Bank Details 2' }).click();
  const numbers = page.getByRole('dialog', { name: 'Bank details of 2 withdrawals' });
  await expect(numbers).toContainText('Each person can see in their access log');
  await numbers.getByRole('button', { name: 'Show Account Numbers' }).click();
  for (const { name } of payees) {
    await expect(numbers.getByRole('region', { name })).toContainText(/Account number\d{12}/);
  }
  await expect(numbers.getByRole('button', { name: 'Copy all as a table' })).toBeVisible();
  await expectAccessible(page);
  await numbers.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck();
  for (const [act, answer, done] of [
    ['Approve 2', 'Approve $500.00', 'approved'],
    ['Start processing 2', 'Start processing $500.00', 'started'],
    ['Complete 2', 'Complete $500.00', 'completed'],
  ] as const) {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(bar).toContainText('2 selected, $500.00');
    await bar.getByRole('button', { name: act }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('Cascade Federal Credit Union••');
    await expectAccessible(page);
    if (done === 'completed') await question.getByLabel('Bank reference').fill('File 77');
    await question.getByRole('button', { name: answer }).click();
    const result = page.getByRole('dialog', { name: `2 of 2 withdrawals ${done}` });
    await expect(result).toContainText('$500.00');
    await result.getByRole('button', { name: 'Done' }).click();
  }
  await expect(rows.getByText('Completed')).toHaveCount(2);
  const { items } = await ask(await apiAs('admin'), 'adminListWithdrawals', {
    query: { search: 'Quenby' },
  });
  expect(items.map(({ bankReference }) => bankReference)).toEqual(['File 77', 'File 77']);
  await expect(page.getByRole('checkbox', { name: /^Select Payee/ })).toHaveCount(0);
});

test('several are rejected together, and one that was cancelled meanwhile is named', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/reject');
  const names = ['Ravensworth One', 'Ravensworth Two'] as const;
  const payees = await Promise.all(names.map((lastName) => createPayee(company, lastName)));
  const requests = [];
  for (const payee of payees) requests.push(await request(payee, 25_000n));
  await page.goto('/admin/withdrawals?search=Ravensworth');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page
    .getByRole('group', { name: 'Selected rows' })
    .getByRole('button', { name: 'Reject 2' })
    .click();
  const [first] = payees;
  if (first === undefined) throw new Error('nobody');
  await ask(await apiAs(first), 'cancelWithdrawal', { params: { id: requests[0]?.id ?? '' } });
  const dialog = page.getByRole('dialog', { name: 'Reject 2 withdrawals' });
  await expect(dialog).toContainText('$500.00');
  await dialog.getByLabel('Reason').fill('Bank details changed');
  await dialog.getByRole('button', { name: 'Reject 2 Withdrawals' }).click();
  const result = page.getByRole('dialog', { name: '1 of 2 withdrawals rejected' });
  await expect(result).toContainText('One was not rejected.');
  await expectAccessible(page);
});

test('the details say what the employee has, what changed and what was paid', async ({
  page,
  company,
}) => {
  const payee = await createPayee(company, 'Stavanger');
  const { id } = await request(payee, 25_000n);
  await page.goto(`/admin/withdrawals?request=${id}`);
  const details = page.getByRole('dialog', { name: 'Withdrawal details' });
  await expect(details).toContainText('$750.00 and $250.00 held');
  await expect(details).toContainText('No payout to this account yet');
  await expect(details).toContainText('Bank added');
  await expect(details).toContainText(/ReferenceWD-\d+/);
  await expect(details.getByRole('button', { name: 'Approve $250.00' })).toBeVisible();
  await expect(details.getByRole('link', { name: /Payee Stavanger/ })).toHaveAttribute(
    'href',
    /\/admin\/employees\//,
  );
  await expectAccessible(page);
});
