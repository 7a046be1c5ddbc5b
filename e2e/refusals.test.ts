import type { Page } from '@playwright/test';
import { credentialsOf, signIn } from './support/people.ts';
import { refuseStorage, showAsPlainHttp } from './support/refusals.ts';
import { smallFields } from './support/targets.ts';
import { expect, test } from './support/test.ts';

// Browsers that refuse a page something: storage, cookies, and what is kept for pages over TLS. Every screen
// without storage is in translation.test.ts.

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('money is withdrawn where storage is refused, and over plain HTTP', async ({
  page,
  context,
  company,
}) => {
  await refuseStorage(page);
  await showAsPlainHttp(page);
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('320');
  await press(page, 'Review Withdrawal');
  await press(page, 'Withdraw $320.00');
  await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toContainText(
    /WD-\d{8}/,
  );
  await press(page, 'Done');

  await page.goto('/employee/dashboard');
  await press(page, 'Hide amounts');
  await expect(page.getByRole('button', { name: 'Show amounts' }).first()).toBeVisible();

  await test.step('what needs TLS says so', async () => {
    await page
      .getByRole('button', { name: /^Copy / })
      .first()
      .click();
    await expect(
      page.getByText('Your browser copies only on pages that begin with https.'),
    ).toBeVisible();
  });
});

test('sign-in says that cookies are needed where the browser does not keep its cookie', async ({
  page,
  context,
}) => {
  await page.route('**/api/auth/sign-in', async (route) => {
    const reply = await route.fetch();
    await context.clearCookies();
    const headers = Object.entries(reply.headers()).filter(([name]) => name !== 'set-cookie');
    await route.fulfill({ response: reply, headers: Object.fromEntries(headers) });
  });
  await page.goto('/login');
  const { email, password } = credentialsOf('maya');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign In');
  await expect(page.getByRole('alert')).toContainText(
    'Purser needs cookies to keep you signed in. Allow cookies for this site',
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('sign-in says that cookies are blocked before anything is typed', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
  });
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('alert')).toContainText(
      'Your browser blocks cookies for this site.',
    );
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the fields of forms and dialogs are large enough not to be zoomed into', async ({
    page,
    context,
    company,
  }) => {
    for (const path of ['/login', '/signup']) {
      await page.goto(path);
      await expect(page.getByLabel('Email')).toBeVisible();
      expect(await smallFields(page)).toEqual([]);
    }
    await signIn(
      context,
      await company.createEmployee({
        fundedMinor: 50_000n,
        isApproved: true,
        hasVerifiedBank: true,
      }),
    );
    await page.goto('/employee/withdraw');
    await expect(page.getByLabel('Withdrawal Amount')).toBeVisible();
    await press(page, 'Add New Bank');
    await expect(
      page.getByRole('dialog').getByLabel('Account Number', { exact: true }),
    ).toBeVisible();
    expect(await smallFields(page)).toEqual([]);
  });
});
