import type { Page } from '@playwright/test';
import { addDays, dayIn } from '#contract/calendar.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { translatePages } from './support/translation.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();

test('a translated page goes on working while a person signs up', async ({ page }) => {
  await translatePages(page);
  await page.goto('/onboarding');
  await page.getByLabel('First Name').fill('Ines');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Password', { exact: true }).fill('Lantern-harbor-2026');
  await page.getByLabel('Confirm Password').fill('Lantern-harbor-2025');
  await page.getByLabel('Confirm Password').fill('Lantern-harbor-2026');
  await page.getByLabel('Last Name').fill('Alvarado');
  await page.getByLabel('Email').fill(`ines-${Date.now()}@purser.test`);
  await press(page, 'Create Account');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.getByLabel('Password').fill('Lantern-harbor-2026');
  await press(page, 'Sign In');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal Information');
  await page.getByLabel('Full Name').fill('Ines Alvarado');
  await press(page, 'Next');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Details');
});

test('a translated page goes on working while people withdraw, pay, hide amounts and read', async ({
  page,
  context,
  company,
}) => {
  await translatePages(page);
  const person = await company.createEmployee({
    fundedMinor: 200_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  await test.step('withdraw', async () => {
    await page.goto('/employee/withdraw');
    await page.getByLabel('Withdrawal Amount').fill('900');
    await expect(page.getByRole('main')).toContainText('You withdraw\u2212$900.00');
    await expect(page.getByRole('main')).toContainText('Available after$1,100.00');
    await press(page, 'Review Withdrawal');
    await press(page, 'Withdraw $900.00');
    await expect(dialog(page)).toContainText('Available$1,100.00');
    await press(page, 'Done');
  });

  await test.step('pay a bill', async () => {
    await page.goto('/employee/dashboard');
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay a Bill');
    await dialog(page).getByLabel('Payee Name').fill('Harbor Fiber');
    await dialog(page).getByLabel('Routing Number').fill('021000021');
    await dialog(page).getByLabel('Account Number').fill('40227755502');
    await dialog(page).getByLabel('Amount').fill('70');
    await dialog(page)
      .getByLabel('Pay on')
      .fill(addDays(dayIn('America/New_York', new Date()), 3));
    await press(page, 'Review Bill');
    await press(page, /^Pay \$70\.00 on /);
    await expect(dialog(page)).toContainText('Available$1,030.00');
    await press(page, 'Done');
  });

  await test.step('hide amounts, read notifications, change the password', async () => {
    await press(page, 'Hide amounts');
    await page.getByRole('main').getByRole('button', { name: 'Show amounts' }).click();
    await expect(page.getByRole('main')).toContainText('$1,030.00');
    await page.goto('/employee/notifications');
    await press(page, 'Mark All as Read');
    await expect(page.getByRole('button', { name: 'Mark All as Read' })).toBeHidden();
    await page.goto('/employee/profile?tab=security');
    await page.getByLabel('Current Password').fill(person.password);
    await page.getByLabel('New Password', { exact: true }).fill('short');
    await page.getByLabel('New Password', { exact: true }).fill('Lantern-harbor-2027');
    await page.getByLabel('Confirm New Password').fill('Lantern-harbor-2027');
    await press(page, 'Change Password');
    await expect(page.getByText('Password Changed', { exact: true })).toBeVisible();
  });
});
