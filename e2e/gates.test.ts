import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Public screens, how to get there, and the heading that says it is there. */
const SCREENS: readonly [title: string, h1: string, open: (page: Page) => Promise<unknown>][] = [
  ['signing up', 'Create your account', (page) => page.goto('/onboarding')],
  [
    'signing up with mistakes',
    'Create your account',
    async (page) => {
      await page.goto('/onboarding');
      await page.getByLabel('Password', { exact: true }).fill('Correct-horse-9');
      await page.getByLabel('Confirm Password').fill('Correct-horse-9');
      await page.getByRole('button', { name: 'Create Account' }).click();
      await expect(page.getByText('Please check your details')).toBeVisible();
    },
  ],
  [
    'signing in',
    'Sign in',
    async (page) => {
      await page.goto('/onboarding');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
  ],
  [
    'forgetting the password',
    'Forgot your password?',
    async (page) => {
      await page.goto('/onboarding');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Forgot password?' }).click();
    },
  ],
  ['a new password', 'Choose a new password', (page) => page.goto('/onboarding?reset=a-token')],
  ['a page that is not there', '404', (page) => page.goto('/404')],
  ['an invite, signed out', 'Admin Access Requires Sign In', (page) => page.goto('/admin/setup')],
];

for (const [title, h1, open] of SCREENS) {
  describeLooks(title, () => {
    test('is accessible and fits', async ({ page }) => {
      await open(page);
      await expect(heading(page)).toHaveText(h1);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
}

describeLooks('an invite', () => {
  test('is accessible and fits', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/admin/setup');
    await expect(heading(page)).toHaveText('Admin invite redemption');
    await page.getByRole('button', { name: 'Redeem Invite' }).click();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

describeLooks('the frame', () => {
  test('with its bell and menu open is accessible and fits', async ({
    page,
    context,
    isMobile,
  }) => {
    await signIn(context, 'maya');
    await page.goto('/employee/dashboard');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    if (!isMobile) return;
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Withdraw' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
