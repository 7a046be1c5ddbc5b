import type { Page } from '@playwright/test';
import { ask } from './support/api.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

async function openBankDetails(page: Page): Promise<void> {
  await page.goto('/employee/bank-details');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bank Details & KYC');
}

test('a bank account is added, shown, changed and deleted', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  await signIn(context, person);
  await openBankDetails(page);
  await expect(page.getByText('No bank accounts yet')).toBeVisible();

  await page.getByRole('button', { name: 'Add Bank Account' }).click();
  const adding = page.getByRole('dialog', { name: 'Add Bank Account' });
  await adding.getByLabel('Bank Name').fill('Cascade Federal');
  await adding.getByLabel('Account Type').selectOption('Savings');
  await adding.getByLabel('Account Number', { exact: true }).fill('0012 3456-7890');
  await adding.getByLabel('Repeat Account Number').fill('0012 3456-7809');
  await adding.getByPlaceholder('9-digit routing number').fill('021000021');
  await expect(adding.getByLabel('Account Holder Name')).not.toHaveValue('');
  await adding.getByLabel('Account Holder Name').fill('Test Person');
  await adding.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(adding.getByLabel('Repeat Account Number')).toHaveAccessibleDescription(
    'The account numbers are not the same. Please check both.',
  );
  await adding.getByLabel('Repeat Account Number').fill('001234567890');
  await adding.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(page.getByText('Bank Account Added', { exact: true })).toBeVisible();
  await expect(page.getByText('pending verification')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bank Accounts (1)' })).toBeVisible();
  await expect(page.getByRole('list', { name: /^Verification of/ })).toContainText(
    'Waiting for approval',
  );

  await page.getByRole('button', { name: /^Show account number/ }).click();
  await expect(page.getByText('001234567890')).toBeVisible();
  await page.getByRole('button', { name: /^Hide account number/ }).click();
  await expect(page.getByText('•••• 7890')).toBeVisible();

  await page.getByRole('button', { name: /^Edit Cascade Federal/ }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Bank Account' });
  await expect(editing.getByText('Changes will require re-verification.')).toBeVisible();
  await expect(editing.getByLabel('Account Number', { exact: true })).toHaveValue('');
  await editing.getByLabel('Bank Name').fill('Meridian Trust');
  await editing.getByRole('button', { name: 'Update Bank Account' }).click();
  await expect(page.getByText('Bank Account Updated', { exact: true })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listBankAccounts', {});
  expect(items).toMatchObject([{ bankName: 'Meridian Trust', accountNumberLast4: '7890' }]);

  await page.getByRole('button', { name: /^Delete Meridian Trust/ }).click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByText('Bank Account Removed', { exact: true })).toBeVisible();
  await expect(page.getByText('The bank account has been removed from your profile')).toBeVisible();
  await expect(page.getByText('No bank accounts yet')).toBeVisible();
});

test('the same account twice is refused next to its number', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee();
  await ask(await apiAs(person), 'addBankAccount', {
    body: {
      bankName: 'Cascade Federal',
      accountType: 'checking',
      accountNumber: '001234567890',
      routingNumber: '021000021',
      accountHolderName: 'Test Person',
    },
  });
  await signIn(context, person);
  await openBankDetails(page);
  await page.getByRole('button', { name: 'Add Bank Account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Bank Name').fill('Cascade Federal');
  await dialog.getByLabel('Account Type').selectOption('Checking');
  await dialog.getByLabel('Account Number', { exact: true }).fill('001234567890');
  await dialog.getByLabel('Repeat Account Number').fill('001234567890');
  await dialog.getByLabel('Routing Number').fill('021000021');
  await dialog.getByLabel('Account Holder Name').fill('Test Person');
  faults.allowRefusal(409, '/bank-accounts');
  await dialog.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(dialog.getByLabel('Account Number', { exact: true })).toHaveAccessibleDescription(
    'You have already added this bank account.',
  );
});

test('an account that a withdrawal pays to cannot be changed', async ({ page, context }) => {
  await signIn(context, 'maya');
  await openBankDetails(page);
  const row = page.getByRole('listitem').filter({ hasText: 'Cascade Federal Credit Union' });
  await expect(row).toContainText('A withdrawal to this account is in progress.');
  await expect(row.getByRole('button', { name: /^Edit/ })).toBeDisabled();
  await expect(row.getByRole('button', { name: /^Delete/ })).toBeDisabled();
});

describeVisits('bank details', (looks) => {
  test('the accounts and the form are accessible', async ({ page, context }) => {
    await signIn(context, 'maya');
    await openBankDetails(page);
    await expect(page.getByRole('heading', { name: /^Bank Accounts \(\d+\)$/ })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Add Bank Account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add Bank Account' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
