import type { Page } from '@playwright/test';
import { signIn } from './support/people.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

test.describe('the features of Purser, next to the sign-up form', () => {
  const HOLD_MS = 4_000;
  const SLIDES = ['Instant Payments', 'Smart Analytics', 'Global Access', 'Bank-Grade Security'];
  const slide = (page: Page, name: string) => page.getByRole('tab', { name });
  const expectShown = (page: Page, name: string) =>
    expect(slide(page, name)).toHaveAttribute('aria-selected', 'true');

  /** Stops the clock, which ran while the page loaded, and names the slides from the shown one on. */
  async function stopClock(page: Page): Promise<[string, string, string, string]> {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    const shown = await page.getByRole('tab', { selected: true }).textContent();
    const at = SLIDES.indexOf(shown ?? '');
    const [first, second, third, fourth] = [...SLIDES.slice(at), ...SLIDES.slice(0, at)];
    if (at < 0 || !first || !second || !third || !fourth) throw new Error(`a slide: ${shown}`);
    return [first, second, third, fourth];
  }

  test.beforeEach(async ({ page }) => {
    await page.clock.install();
    await page.goto('/onboarding');
    for (const name of SLIDES) await expect(slide(page, name)).toBeVisible();
  });

  test('turns every 4 seconds and begins again', async ({ page }) => {
    const [first, ...others] = await stopClock(page);
    for (const name of [...others, first]) {
      await page.clock.runFor(HOLD_MS - 100);
      await page.clock.runFor(100);
      await expectShown(page, name);
    }
  });

  test('waits while the pointer or the focus is on it', async ({ page }) => {
    const [first, second, third] = await stopClock(page);
    await page.getByRole('heading', { name: first }).hover();
    await page.clock.runFor(3 * HOLD_MS);
    await expectShown(page, first);
    await page.mouse.move(5, 5);
    await page.clock.runFor(HOLD_MS);
    await expectShown(page, second);
    await slide(page, second).focus();
    await page.clock.runFor(3 * HOLD_MS);
    await expectShown(page, second);
    await page.keyboard.press('ArrowRight');
    await expectShown(page, third);
  });

  test('stays where it is when paused, and goes on when asked', async ({ page }) => {
    const [first, second] = await stopClock(page);
    await page.getByRole('button', { name: 'Pause rotation' }).click();
    await page.mouse.move(5, 5);
    await page.getByLabel('First Name').focus();
    await page.clock.runFor(3 * HOLD_MS);
    await expectShown(page, first);
    await page.getByRole('button', { name: 'Play rotation' }).click();
    await page.mouse.move(5, 5);
    await page.getByLabel('First Name').focus();
    await page.clock.runFor(HOLD_MS);
    await expectShown(page, second);
  });
});

test('the features of Purser do not move for people who want less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/onboarding');
  await expect(page.getByRole('button', { name: 'Play rotation' })).toBeVisible();
  await page.clock.runFor(12_000);
  await expect(page.getByRole('tab', { name: 'Instant Payments' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test.describe('an admin invite', () => {
  test('asks a visitor to sign in first and comes back', async ({ page, company }) => {
    const { email, password } = await company.createEmployee();
    await page.goto('/admin/setup');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Admin Access Requires Sign In',
    );
    await expect(page.getByRole('main')).toContainText(
      'Please sign in before redeeming an admin invite.',
    );
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL('/admin/setup');
    await expect(page.getByLabel('Invite Token')).toBeVisible();
  });

  test('needs its token, and the right one', async ({ page, context, company, faults }) => {
    await signIn(context, await company.createEmployee());
    await page.goto('/admin/setup');
    const redeem = page.getByRole('button', { name: 'Redeem Invite' });
    await redeem.click();
    await expect(page.getByText('Token required')).toBeVisible();
    await expect(page.getByLabel('Invite Token')).toHaveAccessibleDescription(
      'Enter your admin invite token.',
    );
    faults.allow(/api\/auth\/redeem-invite/);
    await page.getByLabel('Invite Token').fill('not-a-token');
    await redeem.click();
    await expect(page.getByText('Redemption failed')).toBeVisible();
    await page.route('**/api/auth/redeem-invite', (route) => route.fulfill({ json: {} }));
    await redeem.click();
    await expect(page.getByText('Unable to redeem token')).toBeVisible();
    await expect(page).toHaveURL('/admin/setup');
  });

  test('makes an admin', async ({ page, context, company }) => {
    await signIn(context, await company.createEmployee({ firstName: 'Ada' }));
    await page.goto('/admin/setup');
    await page.getByLabel('Invite Token').fill(await company.createInvite());
    await page.getByRole('button', { name: 'Redeem Invite' }).click();
    await expect(page.getByText("You're now an admin")).toBeVisible();
    await expect(page.getByText('Admin privileges granted successfully.')).toBeVisible();
    await expect(page).toHaveURL('/admin/dashboard');
    await expect(page.getByText('Welcome, Ada')).toBeVisible();
  });
});
