import type { RouteReply } from '#contract/api.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask, openApi } from './support/api.ts';
import type { Person } from './support/company.ts';
import {
  apiAs,
  credentialsOf,
  lockOf,
  logOut,
  signIn,
  signInAlone,
  unlock,
} from './support/people.ts';
import { escape } from './support/dialogs.ts';
import { expect, test } from './support/test.ts';

/** Ends the sessions of a person from elsewhere, as another device of theirs would. */
async function endElsewhere(person: Person): Promise<void> {
  const elsewhere = await openApi();
  await ask(elsewhere, 'signIn', { body: credentialsOf(person) });
  await ask(elsewhere, 'revokeOtherSessions', {});
}

test.describe('a session that was ended', () => {
  test('locks the page, and its person goes on where they were', async ({
    page,
    context,
    company,
    faults,
  }) => {
    faults.allow(/status of 401/);
    const person = await company.createEmployee({ isApproved: true });
    await signInAlone(context, person);
    await page.goto('/employee/history');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Hi, Test!');
    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByRole('button', { name: 'Pay a Person' }).click();
    const typed = page.getByRole('dialog', { name: 'Pay a Person' }).getByRole('textbox').first();
    await typed.fill('omar@example.com');

    await endElsewhere(person);
    await expect(lockOf(page)).toBeVisible();
    await expect(page).toHaveTitle('Signed out · Purser');
    // Nothing behind it is drawn, can be reached, or has a name for a screen reader.
    await expect(page.locator('body > :not(.lock):visible')).toHaveCount(0);
    await expect(heading).toHaveText('Your session has ended');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.goBack();
    await expect(page).toHaveURL('/employee/dashboard?tab=payments');

    await unlock(page, person);
    await expect(typed).toHaveValue('omar@example.com');
    await expect(typed).toBeFocused();
    await expect(page).toHaveURL('/employee/dashboard?tab=payments');
    await expect(lockOf(page)).toBeHidden();
  });

  test('asks to sign in after a reload, and leads back', async ({
    page,
    context,
    company,
    faults,
  }) => {
    faults.allow(/status of 401/);
    const person = await company.createEmployee({ isApproved: true });
    await signInAlone(context, person);
    await page.goto('/employee/dashboard?tab=payments');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Test!');
    await endElsewhere(person);
    await expect(lockOf(page)).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL('/employee/dashboard?tab=payments');
  });

  test('unlocks every tab, and gives another person a page of their own', async ({
    page,
    context,
    company,
    faults,
  }) => {
    faults.allow(/status of 401/);
    const person = await company.createEmployee({ firstName: 'Lena', isApproved: true });
    const other = await company.createEmployee({ firstName: 'Omar', isApproved: true });
    await signInAlone(context, person);
    const tab = await context.newPage();
    for (const each of [page, tab]) {
      await each.goto('/employee/withdraw');
      await expect(each.getByText('Welcome, Lena')).toBeVisible();
    }
    await endElsewhere(person);
    await expect(lockOf(page)).toBeVisible();
    await expect(lockOf(tab)).toBeVisible();
    await unlock(page, person);
    for (const each of [page, tab]) await expect(each.getByText('Welcome, Lena')).toBeVisible();

    await endElsewhere(person);
    await expect(lockOf(tab)).toBeVisible();
    await unlock(page, other);
    for (const each of [page, tab]) {
      await expect(each.getByText('Welcome, Omar')).toBeVisible();
      await expect(each).toHaveURL('/employee/dashboard');
      await expect(each.getByText('Lena')).toHaveCount(0);
    }
  });

  test('belongs to whoever signs in elsewhere in this browser, before it shows or sends anything', async ({
    page,
    context,
    company,
    faults,
  }) => {
    faults.allow(/status of 409/);
    const person = await company.createEmployee({ firstName: 'Lena', isApproved: true });
    const other = await company.createEmployee({ firstName: 'Omar', isApproved: true });
    await signIn(context, person);
    await page.goto('/employee/dashboard');
    await expect(page.getByText('Welcome, Lena')).toBeVisible();
    // In a window that sends this one nothing.
    await signIn(context, other);
    // The page learns it by this click, or just before by a request of its own: then the click is Omar's.
    await page.getByRole('link', { name: 'Bank Details' }).first().click();
    await expect(page.getByText('Welcome, Omar')).toBeVisible();
    await expect(page.getByText('Lena')).toHaveCount(0);
  });
});

test('a person who is away is warned a minute before the session ends, and can stay', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/status of 401/);
  const person = await company.createEmployee({ isApproved: true });
  await signInAlone(context, person);
  await page.clock.install();
  await page.goto('/employee/history');
  await expect(page.getByText('No transactions found')).toBeVisible();
  // An employee's session ends after 60 minutes without activity.
  const leaveIdle = (seconds: number) =>
    company.db
      .updateTable('authSession')
      .set({ lastSeenAt: new Date(Date.now() - seconds * 1_000) })
      .where('userId', '=', person.id)
      .execute();
  // From here on the person is away, and what the page asks for is no activity of theirs.
  await page.clock.fastForward(100_000);
  await leaveIdle(59 * 60 + 2);
  await page.clock.fastForward(51_000);
  const warning = page.getByRole('alertdialog', { name: 'Do you want to stay signed in?' });
  await expect(warning.getByRole('timer')).toHaveText(/^[1-5]\d seconds$/);
  await expectAccessible(page);
  await warning.getByRole('button', { name: 'Stay Signed In' }).click();
  await expect(warning).toBeHidden();
  await expect
    .poll(async () => (await ask(context.request, 'getSessionEnd', {})).endsInMs)
    .toBeGreaterThan(59 * 60_000);

  // The page asks once more after it has locked itself, and would unlock if the session went on.
  await leaveIdle(60 * 60 + 1);
  await page.clock.fastForward(60 * 60_000);
  await expect(lockOf(page)).toBeVisible();
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

test('logging out in one tab empties the others immediately', async ({
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
  // Sooner than a tab asks by itself.
  await expect(other.getByText('Welcome, Lena')).toHaveCount(0);
});

test.describe('the bell', () => {
  test('stays visible next to a count of two digits', async ({ page, context, company }) => {
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
    await escape(list);
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
    await escape(list);
    await expect(bell).toHaveAccessibleName('Notifications');
    await company.verifyBankFor(person);
    await expect(bell).toHaveAccessibleName(/^Notifications, \d+ unread$/);
  });
});
