import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { escape } from './support/dialogs.ts';
import { describeLooks, describeVisits, expectFineInLooks, inEachLook } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function expectFine(page: Page, h1: string): Promise<void> {
  await expect(heading(page)).toHaveText(h1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

describeVisits('signing up and in', (looks) => {
  test('is accessible and fits, with mistakes and without a password', async ({ page }) => {
    await page.goto('/onboarding');
    await inEachLook(page, looks, () => expectFine(page, 'Create your account'));

    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-9');
    await page.getByLabel('Confirm Password').fill('Correct-horse-9');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Please check your details')).toBeVisible();
    await inEachLook(page, looks, () => expectFine(page, 'Create your account'));

    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await inEachLook(page, looks, () => expectFine(page, 'Sign in'));
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await inEachLook(page, looks, () => expectFine(page, 'Forgot your password?'));
  });
});

/** Other public screens, and the heading that says it is there. */
const SCREENS = [
  ['/onboarding?reset=a-token', 'This link does not work'],
  ['/404', '404'],
  ['/admin/setup', 'Admin Access Requires Sign In'],
] as const;

for (const [path, h1] of SCREENS) {
  describeVisits(path, (looks) => {
    test('is accessible and fits', async ({ page, faults }) => {
      // The link of the first screen has no account.
      faults.allow(/api\/auth\/password-link/);
      await page.goto(path);
      await inEachLook(page, looks, () => expectFine(page, h1));
    });
  });
}

describeVisits('an invite', (looks) => {
  test('is accessible and fits', async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.goto('/admin/setup');
    await expect(heading(page)).toHaveText('Admin invite redemption');
    await page.getByRole('button', { name: 'Redeem Invite' }).click();
    await expectFineInLooks(page, looks);
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
    const bell = page.getByRole('dialog');
    await expect(bell.getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page);
    await escape(bell);
    if (!isMobile) return;
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Withdraw' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
