import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { receiveMail } from './support/mails.ts';
import { credentialsOf } from './support/people.ts';
import { untilIdle } from './support/shifts.ts';
import { expect, test } from './support/test.ts';

const PASSWORD = 'Correct-horse-9';
const newEmail = () => `${randomUUID()}@purser.test`;

interface Details {
  email: string;
  password?: string;
  confirmation?: string;
}

async function fillSignUp(page: Page, { email, password = PASSWORD, confirmation }: Details) {
  await page.getByLabel('First Name').fill('Nora');
  await page.getByLabel('Last Name').fill('Vance');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(confirmation ?? password);
}

async function fillSignIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('signing up', () => {
  test('leads through signing in to the application, and to an empty wallet', async ({ page }) => {
    const email = newEmail();
    await page.goto('/onboarding');
    await expect(heading(page)).toHaveText('Create your account');
    await fillSignUp(page, { email });
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Account created successfully!')).toBeVisible();
    await expect(page.getByText('Please sign in with your new account to continue.')).toBeVisible();
    await expect(heading(page)).toHaveText('Sign in');
    await expect(page.getByLabel('Email')).toHaveValue(email);

    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(heading(page)).toHaveText('Personal Information');

    await page.goto('/employee/dashboard');
    await expect(heading(page)).toHaveText('Hi, Nora!');
    await expect(page.getByText('Welcome, Nora')).toBeVisible();
    const main = page.getByRole('main');
    await expect(main.getByText('$0.00').first()).toBeVisible();
    await expect(main.getByText('No pending withdrawals')).toBeVisible();
  });

  test('names the strength of the password and says why it cannot go on', async ({ page }) => {
    await page.goto('/signup');
    await expect(heading(page)).toHaveText('Create your account');
    await expect(page.getByText('to continue.')).toHaveCount(0);
    await fillSignUp(page, { email: newEmail(), password: 'short', confirmation: '' });
    const create = page.getByRole('button', { name: 'Create Account' });
    const password = page.getByLabel('Password', { exact: true });
    const strength = (label: string) => page.getByText(`Password strength: ${label}`);
    await expect(strength('Weak')).toBeVisible();
    await expect(create).toHaveAttribute('aria-disabled', 'true');
    await expect(create).toHaveAccessibleDescription('Choose a stronger password to continue.');
    await password.fill('longer-one');
    await expect(strength('Medium')).toBeVisible();
    await expect(create).toHaveAccessibleDescription('Enter the same password twice to continue.');
    await password.fill('Longer-one-2');
    await expect(strength('Strong')).toBeVisible();
    await page.getByLabel('Confirm Password').fill('Longer-one-2');
    await expect(create).not.toHaveAttribute('aria-disabled', 'true');
  });

  test('says next to the field and in a toast that the passwords differ', async ({ page }) => {
    await page.goto('/onboarding');
    const place = () =>
      page
        .getByRole('button', { name: 'Create Account' })
        .evaluate((it) => it.getBoundingClientRect().top + scrollY);
    await page.evaluate(() => document.fonts.ready);
    await untilIdle(page);
    const before = await place();
    await fillSignUp(page, { email: newEmail(), confirmation: 'Correct-horse-8' });
    const confirmation = page.getByLabel('Confirm Password');
    // Nothing is said while a person types, and nothing moves when it is.
    await expect(confirmation).not.toHaveAttribute('aria-invalid');
    await page.getByLabel('Email').focus();
    await expect(confirmation).toHaveAttribute('aria-invalid', 'true');
    expect(await place()).toBe(before);
    await expect(confirmation).toHaveAccessibleDescription(/Passwords do not match/);
    await expect(page.getByRole('alert').getByText('Passwords do not match')).toBeVisible();
  });

  test('says that an address has an account and leads to signing in', async ({ page, faults }) => {
    faults.allowRefusal(409, '/api/auth/sign-up');
    const { email } = credentialsOf('maya');
    await page.goto('/onboarding');
    await fillSignUp(page, { email });
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Account exists')).toBeVisible();
    await expect(
      page.getByText('This email is already registered. Please sign in instead.'),
    ).toBeVisible();
    await expect(heading(page)).toHaveText('Sign in');
    await expect(page.getByLabel('Email')).toHaveValue(email);
  });

  test('works with the keyboard alone', async ({ page }) => {
    const { keyboard } = page;
    await page.goto('/onboarding');
    await expect(heading(page)).toBeVisible();
    await page.getByLabel('First Name').focus();
    for (const text of ['Nora', 'Vance', newEmail(), PASSWORD]) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    // The button that shows the password lies between it and its confirmation.
    await expect(page.getByRole('button', { name: 'Show characters' }).first()).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Sign in');
    await expect(heading(page)).toBeFocused();
    await keyboard.press('Tab');
    await expect(page.getByLabel('Email')).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Personal Information');
  });

  test('accepts a pasted password', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/onboarding');
    const password = page.getByLabel('Password', { exact: true });
    await password.focus();
    await page.evaluate((text) => navigator.clipboard.writeText(text), PASSWORD);
    await page.keyboard.press('ControlOrMeta+V');
    await expect(password).toHaveValue(PASSWORD);
    await page.getByLabel('Confirm Password').focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expect(page.getByLabel('Confirm Password')).toHaveValue(PASSWORD);
  });

  test('remembers on the next visit whether it was signing up or in', async ({ page }) => {
    await page.goto('/onboarding');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(heading(page)).toHaveText('Sign in');
    await page.reload();
    await expect(heading(page)).toHaveText('Sign in');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.reload();
    await expect(heading(page)).toHaveText('Create your account');
  });
});

test.describe('signing in', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/onboarding');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  });

  test('refuses a wrong password and keeps what was typed', async ({ page, company, faults }) => {
    faults.allowRefusal(401, '/api/auth/sign-in');
    const { email } = await company.createEmployee();
    await fillSignIn(page, email, 'Not-the-password-1');
    await expect(page.getByText('Invalid credentials')).toBeVisible();
    await expect(
      page.getByText('Please check your email and password and try again.'),
    ).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page).toHaveURL('/onboarding');
  });

  test('with a forgotten password goes by a mailed link', async ({ page, company, faults }) => {
    const { email, password } = await company.createEmployee({ isApproved: true });
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(heading(page)).toHaveText('Forgot your password?');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(page.getByText('we sent a link to choose a new password')).toBeVisible();

    const mail = await receiveMail(email, 'password');
    const link = /http:\S+\/onboarding\?reset=[\w-]+/.exec(mail)?.[0] ?? '';
    const { pathname, search } = new URL(link);
    await page.goto(pathname + search);
    await expect(heading(page)).toHaveText('Choose a new password');
    await page.getByLabel('New Password').fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Password Changed', { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/onboarding');

    faults.allowRefusal(401, '/api/auth/sign-in');
    await fillSignIn(page, email, password);
    await expect(page.getByText('Invalid credentials')).toBeVisible();
    await fillSignIn(page, email, PASSWORD);
    await expect(page).toHaveURL('/employee/dashboard');
  });

  test('with a link that was used says that it no longer works', async ({ page, faults }) => {
    faults.allow(/api\/auth\/password-link/);
    await page.goto('/onboarding?reset=used-long-ago');
    await expect(heading(page)).toHaveText('This link does not work');
    await expect(page.getByRole('alert')).toContainText('This link is no longer valid');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(heading(page)).toHaveText('Sign in');
  });
});
