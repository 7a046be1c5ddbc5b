import { pendingBank } from '#test/factories/money.ts';
import { apiAs, signIn } from './support/people.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

async function createOwner(company: Company, lastName: string): Promise<Person> {
  const owner = await company.createEmployee({ firstName: 'Owner', lastName });
  await pendingBank(company.db, company.services, owner.by, { accountNumber: '000123456789' });
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
  await expect(page.getByText('Bank Account Verified')).toBeVisible();
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
  await expect(page.getByText('Bank Account Rejected')).toBeVisible();
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
  await ask(admin, 'adminVerifyBankAccount', { params: { id: items[0]?.id ?? '' } });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'This bank account has already been decided.',
  );
  await expect(page.getByText('No bank accounts found')).toBeVisible();
});
