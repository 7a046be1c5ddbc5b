import { pendingBank } from '#test/factories/money.ts';
import { expectAccessible } from './support/accessible.ts';
import { apiAs, signIn } from './support/people.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

async function createOwner(company: Company, lastName: string): Promise<Person> {
  const owner = await company.createEmployee({ firstName: 'Owner', lastName });
  await pendingBank(company.db, company.services, owner.by, {
    accountHolderName: `Owner ${lastName}`,
    accountNumber: '000123456789',
  });
  return owner;
}

test('an account is compared with its number and verified', async ({ page, company }) => {
  const owner = await createOwner(company, 'Eastlake');
  await page.goto('/admin/bank-accounts?search=Eastlake');
  const row = page.getByRole('row', { name: /Owner Eastlake/ });
  await expect(row).toContainText('•••• 6789');
  await row.getByRole('button', { name: 'Show account number of Owner Eastlake' }).click();
  await expect(row).toContainText('000123456789');
  await row.getByRole('button', { name: 'Hide account number of Owner Eastlake' }).click();
  await expect(row).not.toContainText('000123456789');

  await row.getByRole('button', { name: /^Verify Owner Eastlake/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Verify this bank account?' });
  await question.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Bank Account Verified', { exact: true })).toBeVisible();
  await expect(page.getByText('No bank accounts found')).toBeVisible();
  const { items } = await ask(await apiAs(owner), 'listBankAccounts', {});
  expect(items[0]?.status).toBe('verified');
});

test('an account is rejected with a reason, which its owner reads', async ({
  page,
  company,
  openAs,
}) => {
  const owner = await createOwner(company, 'Fairbank');
  await page.goto('/admin/bank-accounts?search=Fairbank');
  await page.getByRole('button', { name: /^Reject Owner Fairbank/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject bank account' });
  const reject = dialog.getByRole('button', { name: 'Reject' });
  await expect(reject).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Reason').fill('The holder has another name.');
  await reject.click();
  await expect(page.getByText('Bank Account Rejected', { exact: true })).toBeVisible();
  await page.getByLabel('Status').selectOption({ label: 'Rejected' });
  await expect(page.getByRole('row', { name: /Owner Fairbank/ })).toContainText('Rejected');

  const ownersPage = await openAs(owner);
  await ownersPage.goto('/employee/bank-details');
  await expect(ownersPage.getByText('The holder has another name.').first()).toBeVisible();
});

test('an account that was decided meanwhile is refused clearly', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/verify');
  await createOwner(company, 'Gladwin');
  await page.goto('/admin/bank-accounts?search=Gladwin');
  await page.getByRole('button', { name: /^Verify Owner Gladwin/ }).click();
  const admin = await apiAs(await company.createAdmin());
  const { items } = await ask(admin, 'adminListBankAccounts', { query: { search: 'Gladwin' } });
  await ask(admin, 'adminVerifyBankAccount', { params: { id: items[0]?.id ?? '' }, body: {} });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toContainText(
    /Test Admin verified this on .+ at .+[AP]M\./,
  );
  await expect(page.getByText('No bank accounts found')).toBeVisible();
});

test('several are verified together, but none whose holder has another name', async ({
  page,
  company,
}) => {
  for (const [lastName, accountHolderName, accountNumber] of [
    ['Thornbury One', 'Owner Thornbury One', '000123450101'],
    ['Thornbury Two', 'Owner Thornbury Two', '000123450102'],
    ['Thornbury Three', 'Somebody Else Entirely', '000123450103'],
  ] as const) {
    const owner = await company.createEmployee({ firstName: 'Owner', lastName });
    const details = { accountHolderName, accountNumber };
    await pendingBank(company.db, company.services, owner.by, details);
  }
  await page.goto('/admin/bank-accounts?search=Thornbury');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('group', { name: 'Selected rows' });
  await expect(bar).toContainText('3 selected');
  await expect(bar).toContainText('1 must be verified one by one');
  await bar.getByRole('button', { name: 'Verify 2' }).click();
  const question = page.getByRole('alertdialog', { name: 'Verify 2 bank accounts?' });
  await expect(question).not.toContainText('Somebody Else');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Verify 2 Bank Accounts' }).click();
  const result = page.getByRole('dialog', { name: '2 of 2 bank accounts verified' });
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('tr[data-row]')).toHaveCount(1);

  await page.getByRole('button', { name: /^Open Owner Thornbury Three/ }).click();
  const details = page.getByRole('dialog', { name: 'Bank account details' });
  await expect(details).toContainText('Somebody Else Entirely');
  await expect(details).toContainText('No payout to this account yet');
  await expect(details).toContainText('Waiting for verification');
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Verify' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify this bank account?' });
  const verify = dialog.getByRole('button', { name: 'Verify' });
  await expect(verify).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Reason').fill('The owner married and kept the account.');
  await expectAccessible(page);
  await verify.click();
  await expect(page.getByText('Bank Account Verified', { exact: true })).toBeVisible();
  const download = page.getByRole('link', { name: 'Export CSV' });
  await expect(download).toHaveAttribute('href', /bank-accounts\/export/);
});
