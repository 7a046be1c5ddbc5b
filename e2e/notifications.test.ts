import type { Request } from '@playwright/test';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('an employee reads, deletes and restores what they were notified of, and chooses their mail', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ isApproved: true, hasVerifiedBank: true });
  await signIn(context, person);
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('link', { name: 'See All Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notifications');

  const inbox = page.getByRole('region', { name: 'Recent Notifications' });
  const verified = inbox.getByRole('listitem').filter({ hasText: 'Bank Account Verified' });
  await verified.getByRole('button', { name: 'Mark as read: Bank Account Verified' }).click();
  await expect(verified.getByText('(unread)')).toBeHidden();
  await verified.getByRole('button', { name: 'Delete: Bank Account Verified' }).click();
  await expect(verified).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(verified).toBeVisible();
  await inbox.getByRole('button', { name: 'Mark All as Read' }).click();
  await expect(page.getByText('All read', { exact: true })).toBeVisible();

  // A change whose request is slow does not arrive after the next one.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const isFirst = (request: Request) => request.postDataJSON()?.depositAlerts === false;
  await page.route('**/api/email-preferences', async (route) => {
    if (isFirst(route.request())) await isReleased;
    await route.continue();
  });
  const first = page.waitForResponse((reply) => isFirst(reply.request()));
  await page.getByRole('switch', { name: 'Deposit alerts' }).uncheck();
  await page.getByRole('switch', { name: 'Deposit alerts' }).check();
  release();
  await first;

  await page.getByRole('switch', { name: 'Withdrawal updates' }).uncheck();
  await page.getByRole('radio', { name: 'Daily digest' }).check();
  await page.getByRole('switch', { name: 'Email me' }).uncheck();
  await expect(page.getByRole('switch', { name: 'Withdrawal updates' })).toBeDisabled();
  await expect
    .poll(async () => ask(await apiAs(person), 'getEmailPreferences', {}))
    .toMatchObject({
      emailEnabled: false,
      withdrawalUpdates: false,
      depositAlerts: true,
      emailFrequency: 'daily',
    });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Email me' })).not.toBeChecked();

  await verified.getByRole('link', { name: 'Bank Account Verified' }).click();
  await expect(page).toHaveURL('/employee/bank-details');
});
