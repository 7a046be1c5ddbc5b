import { ask, openApi } from './support/api.ts';
import { apiAs, credentialsOf, signIn } from './support/people.ts';
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
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expect(page).toHaveURL(/\/onboarding\?return=/);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/employee/dashboard?tab=payments');
  await expect(heading).toHaveText('Hi, Test!');
});

test('logging out says so and leaves nothing to go back to', async ({ page, context, company }) => {
  const person = await company.createEmployee({ firstName: 'Lena', isApproved: true });
  await signIn(context, person);
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/onboarding');
  await page.goBack();
  await expect(page).toHaveURL(/\/onboarding/);
  await expect(page.getByText('Welcome, Lena')).toBeHidden();
});

test.describe('the bell', () => {
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

    const { unread } = await ask(await apiAs(person), 'listNotifications', {
      query: { limit: 10 },
    });
    expect(unread).toBe(0);
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
    await expect(bell).toHaveAccessibleName(/^Notifications, \d+ unread$/, { timeout: 10_000 });
  });
});
