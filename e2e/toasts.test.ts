import type { Page } from '@playwright/test';
import { settle } from './support/accessible.ts';
import { logOut, signIn } from './support/people.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

const FAILED = 'Failed to submit withdrawal request. Please try again.';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });

async function reviewWithdrawal(page: Page): Promise<void> {
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('20.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
}

test('an error leaves with the next attempt, with the screen, and with the person', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  faults.allow(/ERR_FAILED/);
  await page.route('**/api/withdrawals', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await reviewWithdrawal(page);
  const send = page.getByRole('button', { name: 'Withdraw $20.00' });
  await send.click();
  await expect(toasts(page).getByText(FAILED)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Profile' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile Settings');
  await expect(toasts(page).getByText(FAILED)).toHaveCount(0);

  await reviewWithdrawal(page);
  await send.click();
  await expect(toasts(page).getByText(FAILED)).toBeVisible();
  await page.unroute('**/api/withdrawals');
  await send.click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
  await expect(toasts(page).getByText(FAILED)).toHaveCount(0);
  await page.getByRole('button', { name: 'Done' }).click();

  await page.route('**/api/withdrawals', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await reviewWithdrawal(page);
  await send.click();
  await expect(toasts(page).getByText(FAILED)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await logOut(page, faults);
  await expect(toasts(page).getByText('Logged out successfully')).toBeVisible();
  await expect(toasts(page).getByText(FAILED)).toHaveCount(0);
});

/** The actions that lie under a toast. */
function coveredActions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names: string[] = [];
    const cards = [...document.querySelectorAll('.toast')].map((card) =>
      card.getBoundingClientRect(),
    );
    for (const control of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select',
    )) {
      if (control.closest('.toasts') !== null || !control.checkVisibility()) continue;
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const isUnder = cards.some(
        (card) => left < card.right && right > card.left && top < card.bottom && bottom > card.top,
      );
      if (!isUnder) continue;
      // An element under the bar or behind a dialog cannot be pressed anyway.
      const x = (left + right) / 2;
      const y = (top + bottom) / 2;
      const under = document
        .elementsFromPoint(x, y)
        .find((element) => element.closest('.toasts') === null);
      if (under !== undefined && control.contains(under)) {
        names.push(control.ariaLabel ?? control.textContent);
      }
    }
    return names;
  });
}

/** The toasts are in their one place: the lower right corner, and under the bar on a phone. */
async function expectInCorner(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const box = await toasts(page).boundingBox();
  if (box === null) throw new Error('no toast is shown');
  const isPhone = width <= 640;
  expect(Math.round(width - box.x - box.width)).toBe(isPhone ? 12 : 24);
  const fromEdge = isPhone ? box.y - 56 : height - box.y - box.height;
  expect(fromEdge).toBeGreaterThanOrEqual(8);
  expect(fromEdge).toBeLessThanOrEqual(24 + 192);
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 844 },
]) {
  test(`a toast lies over no action at ${width} px`, async ({ page, context, company }) => {
    await page.setViewportSize({ width, height });
    const person = await company.createEmployee();
    await page.goto('/onboarding');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    // The greeting lasts while the wizard is filled in.
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await settle(page);
    expect(await coveredActions(page)).toEqual([]);

    // A page that is open asks by itself, and with another person's cookie it is refused.
    await page.goto('about:blank');
    await signIn(context, 'maya');
    await context.grantPermissions(['clipboard-write', 'clipboard-read']);
    await page.goto('/employee/dashboard');
    await page
      .getByRole('button', { name: /^Copy routing/ })
      .first()
      .click();
    // It stays while the pointer is on it, however long the rest takes.
    await page.locator('.toast').hover();
    await settle(page);
    expect(await coveredActions(page)).toEqual([]);
    await expectInCorner(page);
  });
}
