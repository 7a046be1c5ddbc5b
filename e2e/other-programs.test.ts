import type { Page, Request } from '@playwright/test';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { picture } from '#test/factories/images.ts';
import { fillSilently, wrapFields } from './support/other-programs.ts';
import { openedReview } from './support/payroll.ts';
import { signIn, signInAlone } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { ANSWERS } from './support/wizard.ts';

// Password managers, form fillers and extensions change pages that people are using.

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const dialog = (page: Page) => page.getByRole('dialog');

function requestTo(page: Page, path: RegExp): Promise<Request> {
  return page.waitForRequest((request) => request.method() !== 'GET' && path.test(request.url()));
}

test('values that a password manager fills in without an event sign up, sign in and change a password', async ({
  page,
}) => {
  const email = `ines-${Date.now()}@purser.test`;
  const password = 'Lantern-harbor-2026';
  await test.step('sign up', async () => {
    await page.goto('/onboarding');
    await page.getByLabel('First Name').fill('Ines');
    await page.getByLabel('Email').fill('an-older-address@purser.test');
    await fillSilently(page.getByLabel('Last Name'), 'Alvarado');
    await fillSilently(page.getByLabel('Email'), email);
    await fillSilently(page.getByLabel('Password', { exact: true }), password);
    await fillSilently(page.getByLabel('Confirm Password'), password, 'page');
    const request = requestTo(page, /sign-up/);
    await press(page, 'Create Account');
    expect((await request).postDataJSON()).toEqual({
      firstName: 'Ines',
      lastName: 'Alvarado',
      email,
      password,
    });
  });

  await test.step('sign in', async () => {
    await expect(heading(page)).toHaveText('Sign in');
    await fillSilently(page.getByLabel('Password'), password, 'page');
    const request = requestTo(page, /sign-in/);
    await press(page, 'Sign In');
    expect((await request).postDataJSON()).toEqual({ email, password });
  });

  await test.step('a step of the identity application, its choices too', async () => {
    await expect(heading(page)).toHaveText('Personal Information');
    const answers = ANSWERS['Personal Information'] ?? {};
    await fillSilently(page.getByLabel('Full Name'), answers['Full Name'] ?? '');
    await fillSilently(page.getByLabel('Date of Birth'), answers['Date of Birth'] ?? '');
    await fillSilently(page.getByLabel('Nationality'), 'CA');
    await press(page, 'Next');
    await expect(heading(page)).toHaveText('Contact Details');
    await press(page, 'Back');
    await expect(page.getByLabel('Full Name')).toHaveValue('Ines Alvarado');
    await expect(page.getByLabel('Nationality')).toHaveValue('CA');
  });
});

test('values that are filled in just before the page draws its fields again are kept', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createEmployee());
  await page.clock.install();
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  await page.goto('/onboarding');
  await expect(page.getByText(/^Saved/)).toBeVisible();
  await page.route('**/api/kyc/application', async (route) => {
    if (route.request().method() !== 'GET') await held;
    await route.continue();
  });
  const saving = requestTo(page, /kyc\/application/);
  await page.getByLabel('Full Name').fill('Ines Alvarado');
  await saving;
  await test.step('no timer runs between the other program and the answer', () =>
    page.clock.pauseAt(Date.now() + 5_000));
  await fillSilently(page.getByLabel('Nationality'), 'CA');
  await fillSilently(page.getByLabel('Date of Birth'), '03/14/1991');
  const line = page.getByRole('status').filter({ hasText: /^Saving/ });
  await expect(line).toBeVisible();
  answer();
  await expect(line).toBeHidden();
  const next = requestTo(page, /kyc\/application/);
  await page.clock.resume();
  expect((await next).postDataJSON()).toMatchObject({
    answers: { nationality: 'CA', dateOfBirth: '1991-03-14' },
  });
  await expect(page.getByLabel('Nationality')).toHaveValue('CA');
  await expect(page.getByLabel('Date of Birth')).toHaveValue('03/14/1991');
});

test('values filled in before the app has started are kept', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const field = document.querySelector<HTMLInputElement>('.first-view input[name="email"]');
      if (field !== null) field.value = 'early@purser.test';
    });
  });
  // A busy server draws no page, and there is no field yet.
  await expect
    .poll(async () => (await page.goto('/onboarding'))?.text())
    .toContain('class="first-view"');
  await expect(page.getByLabel('Email')).toHaveValue('early@purser.test');
  await page.getByLabel('First Name').fill('Ines');
  await expect(page.getByLabel('Email')).toHaveValue('early@purser.test');
});

test('a changed password is the one that the fields show', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  await signInAlone(context, person);
  await page.goto('/employee/profile?tab=security');
  await fillSilently(page.getByLabel('Current Password'), person.password);
  await fillSilently(page.getByLabel('New Password', { exact: true }), 'Lantern-harbor-2027');
  await fillSilently(page.getByLabel('Confirm New Password'), 'Lantern-harbor-2027', 'page');
  const request = requestTo(page, /password/);
  await page.getByLabel('Confirm New Password').press('Enter');
  expect((await request).postDataJSON()).toMatchObject({
    currentPassword: person.password,
    newPassword: 'Lantern-harbor-2027',
  });
  await expect(page.getByText('Password Changed', { exact: true })).toBeVisible();
});

test('an amount that was filled in without an event is reviewed before it is sent', async ({
  page,
  context,
  company,
}) => {
  await signIn(
    context,
    await company.createEmployee({
      fundedMinor: 200_000n,
      isApproved: true,
      hasVerifiedBank: true,
    }),
  );
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('900');
  await expect(page.getByRole('main')).toContainText('You withdraw\u2212$900.00');
  await fillSilently(page.getByLabel('Withdrawal Amount'), '350', 'page');
  await test.step('the summary follows the field by itself', () =>
    expect(page.getByRole('main')).toContainText('You withdraw\u2212$350.00'));
  await fillSilently(page.getByLabel('Withdrawal Amount'), '120.50');
  await press(page, 'Review Withdrawal');
  const request = requestTo(page, /withdrawals/);
  await press(page, 'Withdraw $120.50');
  expect((await request).postDataJSON()).toMatchObject({
    amount: { minor: '12050', currency: 'USD' },
  });
});

test('a payroll whose amount was filled in without an event is not kept with the older one', async ({
  page,
  context,
}) => {
  await signIn(context, 'admin');
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await fillSilently(page.getByLabel('Department'), 'all');
  await page.getByRole('textbox', { name: 'Amount' }).fill('10');
  await page.getByLabel('Description').fill('Filled in by another program');
  const review = page.getByRole('button', { name: /^Review Payroll \$/ });
  await expect(review).toBeEnabled();
  const kept = requestTo(page, /payroll\/drafts$/);
  await fillSilently(page.getByRole('textbox', { name: 'Amount' }), '20');
  // The first press may find the preview of the amount on its way.
  await expect(async () => {
    if (await review.isVisible()) await review.click({ timeout: 2_000 });
    await expect(heading(page)).toHaveText('Review Payroll', { timeout: 3_000 });
  }).toPass();
  expect((await kept).postDataJSON()).toMatchObject({ amount: money(2_000n, 'USD') });
  await openedReview(page);
});

test.describe('an extension that puts every field into elements of its own', () => {
  test.beforeEach(({ page }) => wrapFields(page));

  test('people sign up and begin the identity application', async ({ page }) => {
    await page.goto('/onboarding');
    await page.getByLabel('First Name').fill('Ines');
    await page.getByLabel('Email').fill(`wrapped-${Date.now()}@purser.test`);
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Show characters' }).first().click();
    await page.getByLabel('Password', { exact: true }).fill('Lantern-harbor-2026');
    await page.getByLabel('Confirm Password').fill('Lantern-harbor-2026');
    await press(page, 'Create Account');
    await expect(heading(page)).toHaveText('Sign in');
    await page.getByLabel('Password').fill('Lantern-harbor-2026');
    await press(page, 'Sign In');
    await expect(heading(page)).toHaveText('Personal Information');
    await page.getByLabel('Full Name').fill('Ines Alvarado');
    await page.getByLabel('Date of Birth').fill('03/14/1991');
    await page.getByLabel('Nationality').selectOption({ label: 'Canada' });
    await press(page, 'Next');
    await expect(heading(page)).toHaveText('Contact Details');
    await page.getByLabel('Country').selectOption({ label: 'Canada' });
    await page.getByLabel('Country').selectOption({ label: 'United States' });
    await page.goto('/onboarding?step=4');
    await page
      .getByLabel('Front of ID', { exact: true })
      .setInputFiles({ name: 'front.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await expect(page.getByText('front.jpg', { exact: true })).toBeVisible();
  });

  test('people withdraw, pay a bill and search', async ({ page, context, company }) => {
    const person = await company.createEmployee({
      fundedMinor: 200_000n,
      isApproved: true,
      hasVerifiedBank: true,
    });
    await signIn(context, person);
    await page.goto('/employee/withdraw');
    await press(page, 'Use full balance');
    await page.getByLabel('Withdrawal Amount').fill('900');
    await press(page, 'Review Withdrawal');
    await press(page, 'Withdraw $900.00');
    await press(page, 'Done');
    await page.goto('/employee/dashboard');
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay a Bill');
    await press(page, 'Review Bill');
    await dialog(page).getByLabel('Payee Name').fill('Harbor Fiber');
    await dialog(page).getByLabel('Repeat').selectOption({ label: 'Every month' });
    await dialog(page).getByLabel('Repeat').selectOption({ label: 'Once' });
    await dialog(page).getByLabel('Routing Number').fill('021000021');
    await dialog(page).getByLabel('Account Number').fill('40227755502');
    await dialog(page).getByLabel('Amount').fill('70');
    await dialog(page)
      .getByLabel('Pay on')
      .fill(addDays(dayIn('America/New_York', new Date()), 3));
    await press(page, 'Review Bill');
    await press(page, /^Pay \$70\.00 on /);
    await press(page, 'Done');
    await expect(page.getByRole('main')).toContainText('Harbor Fiber');
    await page.goto('/employee/history');
    await page.getByRole('searchbox').fill('zzz');
    await page.getByRole('searchbox').fill('');
    await expect(page.getByRole('main')).toContainText('$900.00');
  });
});
