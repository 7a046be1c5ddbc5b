import { signIn } from './support/people.ts';
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
    await page.goto('/admin/dashboard');
    await expect(page).toHaveURL('/employee/dashboard');
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
