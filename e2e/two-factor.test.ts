import type { Page } from '@playwright/test';
import { appCode } from '#scripts/app-code.ts';
import { expectAccessible } from './support/accessible.ts';
import { logOut, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const HALF_A_MINUTE_MS = 30_000;
/** Longer than the code takes from here to the server, on a machine that does much besides. */
const ON_ITS_WAY_MS = 10_000;

/** The code before the present one, which the server takes too, once it is taken for long enough yet. */
async function formerCode(page: Page, key: string): Promise<string> {
  const leftMs = HALF_A_MINUTE_MS - (Date.now() % HALF_A_MINUTE_MS);
  if (leftMs < ON_ITS_WAY_MS) await page.waitForTimeout(leftMs);
  return appCode(key, new Date(Date.now() - HALF_A_MINUTE_MS));
}

test('two-factor is set up, and asked for at sign-in and before a bank account is added', async ({
  company,
  context,
  page,
  faults,
}) => {
  const person = await company.createEmployee({ isApproved: true });
  await signIn(context, person);
  await page.goto('/employee/profile?tab=security');
  await page.getByRole('button', { name: 'Set Up Two-Factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor' });
  await dialog.getByLabel('Current Password').fill(person.password);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible();
  const typed = (await dialog.locator('.scan__key').textContent()) ?? '';
  const key = typed.replaceAll(/[^A-Z2-7]/g, '');
  await expectAccessible(page);
  // It leaves that of now for the sign-in.
  await dialog.getByLabel('Six-digit code').fill(await formerCode(page, key));
  await dialog.getByRole('button', { name: 'Turn On' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: /^\w{4}-\w{4}$/ })).toHaveCount(10);
  const recovery =
    (await dialog
      .getByText(/^\w{4}-\w{4}$/)
      .first()
      .textContent()) ?? '';
  await test.step('the codes stay until they are kept', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('alert')).toContainText('Please keep the codes first.');
    await expect(dialog.getByText(recovery)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog.getByText(recovery)).toBeVisible();
  });
  await expectAccessible(page);
  await dialog.getByLabel('I have kept these codes in a safe place').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  await logOut(page, faults);
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Six-digit code').fill(appCode(key));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/employee/);

  // Long after the sign-in.
  await company.db
    .updateTable('authSession')
    .set({ confirmedAt: null })
    .where('userId', '=', person.id)
    .execute();
  faults.allowRefusal(403, '/api/bank-accounts');
  faults.allowRefusal(422, '/api/auth/confirm');
  await page.goto('/employee/bank-details');
  await page.getByRole('button', { name: 'Add Bank Account' }).click();
  const adding = page.getByRole('dialog', { name: 'Add Bank Account' });
  await adding.getByLabel('Bank Name').fill('Cascade Federal');
  await adding.getByLabel('Account Type').selectOption('Savings');
  await adding.getByLabel('Account Number', { exact: true }).fill('001234567890');
  await adding.getByLabel('Repeat Account Number').fill('001234567890');
  await adding.getByPlaceholder('9-digit routing number').fill('021000021');
  await adding.getByLabel('Account Holder Name').fill('Test Person');
  await adding.getByRole('button', { name: 'Add Bank Account' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(confirming).toBeVisible();
  await expectAccessible(page);
  await confirming.getByLabel('Code from the app').fill('000000');
  await confirming.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirming.getByText('That code is not right.')).toBeVisible();
  await confirming.getByRole('button', { name: 'Use a recovery code' }).click();
  await confirming.getByLabel('Recovery code').fill(recovery);
  await confirming.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Bank Account Added', { exact: true })).toBeVisible();
});

test('a user without two-factor confirms with the password, and may rather not', async ({
  company,
  context,
  page,
  faults,
}) => {
  const person = await company.createEmployee({ isApproved: true, hasVerifiedBank: true });
  await signIn(context, person);
  await company.db
    .updateTable('authSession')
    .set({ confirmedAt: null })
    .where('userId', '=', person.id)
    .execute();
  faults.allowRefusal(403, '/reveal');
  await page.goto('/employee/bank-details');
  const show = page.getByRole('button', { name: /^Show account number/ });
  await show.click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirming.getByRole('button', { name: 'Cancel' }).click();
  await expect(show).toBeVisible();
  await show.click();
  await confirming.getByLabel('Current Password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Hide account number/ })).toBeVisible();
});
