import type { Page } from '@playwright/test';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.describe('the index', () => {
  test('sends a visitor to sign up', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/onboarding');
  });

  test('sends an admin to the dashboard of the back office', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/');
    await expect(page).toHaveURL('/admin/dashboard');
    await expect(page.getByText('Welcome, Renee')).toBeVisible();
  });

  test('sends an employee to their dashboard', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/');
    await expect(page).toHaveURL('/employee/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Maya!');
  });
});

test('/auth/onboarding leads to signing up or in', async ({ page }) => {
  await page.goto('/auth/onboarding');
  await expect(page).toHaveURL('/onboarding');
});

test('/signup leads to signing up, whatever was chosen before', async ({ page }) => {
  await page.goto('/onboarding');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.goto('/signup');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
});

test('/login leads to signing in', async ({ page }) => {
  await page.goto('/login');
  await expect(page).toHaveURL('/onboarding?mode=signin');
});

test('an unknown address leads to the page that says so, and from there home', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL('/404');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404');
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/onboarding');
});

test.describe('a guarded screen', () => {
  test('asks a visitor to sign in and comes back', async ({ page, company }) => {
    const { email, password } = await company.createEmployee({ isApproved: true });
    await page.goto('/employee/bank-details');
    await expect(page).toHaveURL(/^[^?]*\/onboarding\?return=/);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL('/employee/bank-details');
  });

  test('sends an employee away from the back office', async ({ page, context }) => {
    await signIn(context, 'maya');
    for (const screen of ['dashboard', 'payroll', 'withdrawals', 'bank-accounts', 'kyc-review']) {
      await page.goto(`/admin/${screen}`);
      await expect(page).toHaveURL('/employee/dashboard');
    }
  });

  test('sends an admin away from the employee area', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/employee/withdraw');
    await expect(page).toHaveURL('/admin/dashboard');
  });

  test('gives up after sending away more than twice', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/employee/dashboard');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Hi, Maya!');
    // Without loading the page again, as a link or the browser's history would.
    const visit = () => page.evaluate(() => window.history.pushState({}, '', '/admin/dashboard'));
    for (let count = 0; count < 2; count += 1) {
      await visit();
      await expect(page).toHaveURL('/employee/dashboard');
      await expect(heading).toHaveText('Hi, Maya!');
    }
    await visit();
    await expect(
      page.getByText('Access Error: Unable to verify permissions. Please refresh the page.'),
    ).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL('/employee/dashboard');
  });
});

test.describe('a half-filled form', () => {
  const question = (page: Page) =>
    page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  const keep = async (page: Page) => {
    await question(page).getByRole('button', { name: 'Keep Editing' }).click();
    await expect(question(page)).toBeHidden();
  };

  test('in a dialog asks before Escape, the way back and a reload drop it', async ({
    page,
    context,
  }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/employees');
    await page.getByRole('button', { name: 'Add Employee' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add Employee' });
    const name = dialog.getByLabel('Full Name');
    await name.fill('Ida Pollard');
    await page.keyboard.press('Escape');
    await keep(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await keep(page);
    await page.goBack();
    await keep(page);
    const asked = page.waitForEvent('dialog');
    const reloading = page.evaluate(() => location.reload());
    const leaving = await asked;
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    await reloading;
    await expect(name).toHaveValue('Ida Pollard');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/admin/employees');
  });

  test('on a screen asks before a link leaves it', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/payroll');
    const description = page.getByLabel('Description');
    await description.fill('Bonus of the year');
    const link = page.getByRole('link', { name: 'Deposits' });
    await link.click();
    await keep(page);
    await expect(description).toHaveValue('Bonus of the year');
    await page.getByRole('button', { name: 'Log out' }).click();
    await keep(page);
    await expect(description).toHaveValue('Bonus of the year');
    await link.click();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL('/admin/deposits');
  });
});

test('an employee who becomes an administrator keeps their money, behind My money', async ({
  page,
  context,
  company,
}) => {
  const ines = await company.createEmployee({
    firstName: 'Ines',
    lastName: 'Bothsides',
    fundedMinor: 12_345n,
  });
  const token = await company.createInvite(ines.email);
  await ask(await apiAs(ines), 'redeemInvite', { body: { token } });
  await signIn(context, ines);
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: 'Account of Ines Bothsides' }).click();
  await page.getByRole('menuitem', { name: 'My money' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Ines!');
  await expect(page.getByText('$123.45').first()).toBeVisible();
  await page.getByRole('button', { name: 'Account of Ines Bothsides' }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.goto(`/admin/employees?search=${encodeURIComponent(ines.email)}`);
  await expect(page.getByRole('row', { name: /Ines Bothsides/ })).toBeVisible();
  // Nobody funds themselves.
  await page.goto(`/admin/individual-funding?search=${encodeURIComponent(ines.email)}`);
  const row = page.getByRole('row', { name: /Ines Bothsides/ });
  await expect(row).toContainText('$123.45');
  await expect(row.getByRole('button', { name: /^Fund Employee/ })).toHaveCount(0);
});
