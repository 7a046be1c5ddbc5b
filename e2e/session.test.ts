import type { RouteReply } from '#contract/api.ts';
import { ask, openApi } from './support/api.ts';
import { apiAs, credentialsOf, logOut, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a session that was ended elsewhere leads to signing in and back to the same place', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({ isApproved: true });
  await signIn(context, person);
  await page.goto('/employee/dashboard?tab=payments');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Hi, Test!');

  const elsewhere = await openApi();
  await ask(elsewhere, 'signIn', { body: credentialsOf(person) });
  await ask(elsewhere, 'revokeOtherSessions', {});

  faults.allow(/status of 401/);
  await expect(page).toHaveURL(/\/onboarding\?return=/);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/employee/dashboard?tab=payments');
  await expect(heading).toHaveText('Hi, Test!');
});

test('logging out says so and leaves nothing to go back to', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({ firstName: 'Lena', isApproved: true });
  await signIn(context, person);
  await page.goto('/employee/dashboard');
  await logOut(page, faults);
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/onboarding');
  await page.goBack();
  await expect(page).toHaveURL(/\/onboarding/);
  await expect(page.getByText('Welcome, Lena')).toBeHidden();
});

test('logging out in one tab empties the others at once', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({ firstName: 'Lena', isApproved: true });
  await signIn(context, person);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/employee/dashboard');
    await expect(tab.getByText('Welcome, Lena')).toBeVisible();
  }
  await logOut(page, faults);
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(other.getByText('Welcome, Lena')).toHaveCount(0, { timeout: 3_000 });
});

test.describe('the bell', () => {
  test('stays to be seen beside a count of two digits', async ({ page, context, company }) => {
    await signIn(context, await company.createEmployee({ isApproved: true }));
    await page.route('**/api/shell', async (route) => {
      const response = await route.fetch();
      const shell = (await response.json()) as RouteReply<'getShell'>;
      await route.fulfill({ response, json: { ...shell, unreadNotifications: 12 } });
    });
    await page.goto('/employee/dashboard');
    const bell = page.getByRole('button', { name: 'Notifications, 12 unread' });
    const hidden = await bell.evaluate((button) => {
      const [icon, count] = [...button.children].map((part) => part.getBoundingClientRect());
      if (icon === undefined || count === undefined) return 1;
      const width = Math.min(icon.right, count.right) - Math.max(icon.left, count.left);
      const height = Math.min(icon.bottom, count.bottom) - Math.max(icon.top, count.top);
      return (Math.max(width, 0) * Math.max(height, 0)) / (icon.width * icon.height);
    });
    expect(hidden).toBeLessThan(0.25);
  });

  test('shows what is new, and marks one and all of it as read', async ({
    page,
    context,
    company,
  }) => {
    const person = await company.createEmployee({ isApproved: true, hasVerifiedBank: true });
    await company.verifyBankFor(person);
    await signIn(context, person);
    await page.goto('/employee/dashboard');
    const bell = page.getByRole('button', { name: /^Notifications/ });
    await expect(bell).toHaveAccessibleName(/, [2-9] unread$/);
    await bell.click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await expect(list.getByRole('listitem').first()).toBeVisible();
    const before = await list.getByText('(unread)').count();
    await list
      .getByRole('button', { name: /^Mark as read/ })
      .first()
      .click();
    await expect(list.getByText('(unread)')).toHaveCount(before - 1);
    await list.getByRole('button', { name: 'Mark All as Read' }).click();
    await expect(list.getByText('(unread)')).toHaveCount(0);
    await expect(list.getByRole('button', { name: 'Mark All as Read' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(bell).toBeFocused();
    await expect(bell).toHaveAccessibleName('Notifications');

    const { unreadNotifications } = await ask(await apiAs(person), 'getShell', {});
    expect(unreadNotifications).toBe(0);
  });

  test('counts what comes while the screen is open', async ({ page, context, company }) => {
    const person = await company.createEmployee({ isApproved: true });
    await signIn(context, person);
    await page.goto('/employee/dashboard');
    const bell = page.getByRole('button', { name: /^Notifications/ });
    await bell.click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    const readAll = list.getByRole('button', { name: 'Mark All as Read' });
    await readAll.or(list.getByText('No notifications yet')).waitFor();
    if (await readAll.isVisible()) await readAll.click();
    await page.keyboard.press('Escape');
    await expect(bell).toHaveAccessibleName('Notifications');
    await company.verifyBankFor(person);
    await expect(bell).toHaveAccessibleName(/^Notifications, \d+ unread$/);
  });
});
