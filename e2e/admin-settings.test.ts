import type { Page } from '@playwright/test';
import { withTx } from '#server/db/tx.ts';
import { deactivatePerson } from '#server/modules/identity/people/change-standing.ts';
import { record } from '#server/modules/journal/index.ts';
import { createEmployeeAdmin } from '#test/factories/people.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { acceptProposed, loosenSettings, whileNobodyProposes } from './support/settings.ts';
import { expect, test } from './support/test.ts';

// Others of the company work meanwhile: what is changed here is changed a little, and back.
test('a setting is checked, clashes with another admin’s, and is saved', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/api/admin/settings');
  const api = await apiAs(await company.createAdmin());
  const before = (await ask(api, 'adminGetSettings', {})).values.kycRetentionDays;
  await signIn(context, await company.createAdmin());
  await page.goto('/admin/settings?tab=security');
  const days = page.getByLabel('Retention');
  const save = page.getByRole('button', { name: 'Save Changes' });
  await expect(days).toHaveValue(String(before));
  await days.fill('29');
  await expect(page.getByText('1 unsaved change')).toBeVisible();
  await save.click();
  await expect(days).toHaveAccessibleDescription(/Enter a number of days from 30 to 3650/);

  await test.step('another tab keeps what is typed, another screen asks', async () => {
    await days.fill('400');
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByRole('tab', { name: 'Security' }).click();
    await expect(days).toHaveValue('400');
    await page.getByRole('link', { name: 'Withdrawals' }).click();
    await page.getByRole('button', { name: 'Keep Editing' }).click();
    await expect(days).toHaveValue('400');
  });

  await test.step('while another admin changes it', async () => {
    const { version } = await ask(api, 'adminGetSettings', {});
    await ask(api, 'adminUpdateSettings', {
      body: { version, settings: { kycRetentionDays: before + 1 } },
    });
    const clash = page.getByRole('alert').filter({ hasText: 'while you were editing' });
    await expect(clash).toContainText(`set this to ${before + 1} days`);
    await clash.getByRole('button', { name: 'Keep 400 days' }).click();
    await days.fill(String(before));
    await save.click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await expect(days).toHaveValue(String(before));
  });
  expect((await ask(api, 'adminGetSettings', {})).values.kycRetentionDays).toBe(before);

  await test.step('what is typed while it is saved is the next change', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/admin/settings', async (route) => {
      if (route.request().method() === 'PUT') await isReleased;
      await route.continue();
    });
    await days.fill(String(before + 1));
    await save.click();
    await days.fill(String(before));
    release();
    await expect(save).toBeEnabled();
    await expect(page.getByText('1 unsaved change')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'were editing' })).toHaveCount(0);
    await expect(days).toHaveValue(String(before));
    await save.click();
    const retention = async () => (await ask(api, 'adminGetSettings', {})).values.kycRetentionDays;
    await expect.poll(retention).toBe(before);
  });
});

test('a deposit method is switched off, and a note goes with the instructions', async ({
  page,
  context,
  openAs,
  company,
}) => {
  const second = await company.createAdmin();
  await signIn(context, await company.createAdmin());
  await page.goto('/admin/settings');
  const check = page.getByRole('checkbox', { name: 'Physical check' });
  await check.uncheck();
  await page.getByLabel('Note with the instructions').fill('Questions? Ask Renee, room 4.');
  await whileNobodyProposes(company, async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    // While another test separates duties, the note waits for a second administrator.
    const saved = page.getByText(/^(Settings saved|Another administrator must accept it)$/);
    await expect(saved).toBeVisible();
    await acceptProposed(second);
  });
  try {
    const theirs = await openAs(
      await company.createEmployee({ fundedMinor: 1n, isApproved: true }),
    );
    await theirs.goto('/employee/dashboard');
    await theirs.getByRole('button', { name: 'Deposit to Salary Wallet' }).click();
    const dialog = theirs.getByRole('dialog');
    const next = dialog.getByRole('button', { name: 'Next' });
    await expect(dialog.getByRole('radio', { name: 'Mobile check' })).toBeVisible();
    await expect(dialog.getByRole('radio', { name: 'Physical check' })).toHaveCount(0);
    await dialog.getByRole('radio', { name: 'ACH transfer' }).check();
    await next.click();
    await dialog.getByLabel('Amount').fill('20');
    await next.click();
    await dialog.getByRole('button', { name: 'Deposit $20.00' }).click();
    await expect(dialog.getByText('Questions? Ask Renee, room 4.')).toBeVisible();
    await expectAccessible(theirs);
  } finally {
    await loosenSettings(company, { offersPhysicalCheck: true, depositNote: '' }, { second });
  }
});

test('an admin invites another, reads its link once, and revokes it', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createAdmin());
  await page.goto('/admin/settings?tab=security');
  await page.getByRole('button', { name: 'Create Invite' }).click();
  const dialog = page.getByRole('dialog');
  const address = `${crypto.randomUUID()}@purser.test`;
  await dialog.getByLabel('Email').fill(address);
  await dialog.getByRole('button', { name: 'Create Invite' }).click();
  await expect(dialog).toContainText(`Link for ${address}`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: address });
  await expect(row).toContainText('Waiting');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
});

test('removing an administrator is proposed, and another one accepts it', async ({
  page,
  context,
  company,
  openAs,
}) => {
  const first = await company.createAdmin({ firstName: 'Ada', lastName: 'Proposer' });
  const second = await company.createAdmin({ firstName: 'Bo', lastName: 'Accepter' });
  const third = await company.createAdmin({ firstName: 'Cy', lastName: 'Removed' });
  const noticeOn = (of: Page) =>
    of.locator('.proposals .notice').filter({ hasText: 'remove the admin rights of Cy Removed' });
  const rowOn = (of: Page) =>
    of.getByRole('table', { name: 'Administrators' }).getByRole('row', { name: /Cy Removed/ });
  await signIn(context, first);
  await page.goto('/admin/settings?tab=security');
  await rowOn(page).getByRole('button', { name: 'Remove Rights' }).click();
  const question = page.getByRole('dialog', { name: 'Remove admin rights' });
  await expect(question).toContainText('Another administrator has to accept it');
  await question.getByLabel('Reason').fill('Moves to sales');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Remove Rights' }).click();

  await test.step('it waits, and the first one cannot accept it', async () => {
    await expect(
      page.getByText('Cy Removed. Another administrator has to accept it.'),
    ).toBeVisible();
    await expect(page.getByText('Admin Rights Removed')).toHaveCount(0);
    await expect(rowOn(page)).toContainText('Removal of admin rights proposed by you');
    await expect(noticeOn(page)).toContainText('You propose');
    await expect(noticeOn(page)).toContainText('Moves to sales');
    await expect(noticeOn(page)).toContainText('can do it now');
    await expect(noticeOn(page).getByRole('button', { name: 'Accept' })).toBeDisabled();
    await expectAccessible(page);
  });

  await test.step('nor the one whom it is about', async () => {
    const theirs = await openAs(third);
    await theirs.goto('/admin/settings?tab=security');
    await expect(noticeOn(theirs)).toContainText('Ada Proposer proposes');
    const accept = noticeOn(theirs).getByRole('button', { name: 'Accept' });
    await expect(accept).toBeDisabled();
    await expect(accept).toHaveAccessibleDescription(/for your own account/);
    await theirs.goto('about:blank');
  });

  await test.step('another one does', async () => {
    const theirs = await openAs(second);
    await theirs.goto(`/admin/employees/${third.id}`);
    await theirs
      .getByRole('link', { name: 'Removal of admin rights proposed by Ada Proposer' })
      .click();
    await expectAccessible(theirs);
    await noticeOn(theirs).getByRole('button', { name: 'Accept' }).click();
    await expect(theirs.getByText('Change accepted')).toBeVisible();
    await expect(noticeOn(theirs)).toHaveCount(0);
    await expect(rowOn(theirs)).toHaveCount(0);
    await expect(noticeOn(page)).toHaveCount(0);
    await expect(rowOn(page)).toHaveCount(0);
  });
});

test('resetting the two-factor of an administrator and letting one in again say that it takes two', async ({
  page,
  context,
  company,
}) => {
  const { db, services, admin } = company;
  const first = await company.createAdmin({ firstName: 'Di', lastName: 'Helper' });
  await company.createAdmin({ firstName: 'Ed', lastName: 'Other' });
  const locked = await company.createAdmin({ firstName: 'Fay', lastName: 'Lockedout' });
  const left = await createEmployeeAdmin(db, services, {
    firstName: 'Gil',
    lastName: 'Leftbefore',
  });
  await withTx(db, async (tx) => {
    const { id } = locked;
    await tx.updateTable('appUser').set({ twoFactorEnabled: true }).where('id', '=', id).execute();
    record(tx, locked.by, 'two_factor.turned_on', { id, at: services.clock.now() });
    await deactivatePerson(tx, services, admin, { id: left.id, reason: 'Left' });
  });
  await signIn(context, first);
  await page.goto('/admin/settings?tab=security');
  const row = page.getByRole('table', { name: 'Administrators' }).getByRole('row', { name: /Fay/ });
  await row.getByRole('button', { name: 'Reset Two-factor' }).click();
  const reset = page.getByRole('dialog', { name: 'Reset two-factor' });
  await expect(reset).toContainText('Another administrator has to accept it');
  await reset.getByLabel('Reason').fill('Lost the phone');
  await reset.getByRole('button', { name: 'Reset Two-factor' }).click();
  await expect(row).toContainText('Two-factor reset proposed by you');
  await expect(row).toContainText('On');

  await page.goto('/admin/employees?standing=deactivated&search=Leftbefore');
  await page
    .getByRole('row', { name: /Leftbefore/ })
    .getByRole('button', { name: 'Reactivate' })
    .click();
  const again = page.getByRole('dialog', { name: 'Reactivate employee' });
  await expect(again).toContainText('Another administrator has to accept it');
  await again.getByLabel('Reason').fill('Came back');
  await again.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText('Another administrator has to accept it.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Leftbefore/ })).toContainText('Deactivated');
});

test('an admin makes an API key, reads it once, and revokes it', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createAdmin());
  await page.goto('/admin/settings?tab=integrations');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  const dialog = page.getByRole('dialog');
  const name = `Time tracking ${crypto.randomUUID()}`;
  await dialog.getByRole('button', { name: 'Create API Key' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Choose at least one scope');
  await expectAccessible(page);
  await dialog.getByLabel('What it is for').fill(name);
  await dialog.getByLabel('Read payrolls and funding').check();
  await expect(dialog.getByLabel('Daily limit')).toHaveCount(0);
  await dialog.getByLabel('Send payrolls and fund employees').check();
  await dialog.getByRole('button', { name: 'Create API Key' }).click();
  await expect(dialog.getByRole('alert')).toContainText('the most that the key sends in a day');
  await dialog.getByLabel('Daily limit').fill('2,500');
  await dialog.getByRole('button', { name: 'Create API Key' }).click();
  await expect(dialog).toContainText(`Key for ${name}`);
  await expect(dialog).toContainText('purser_key_');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('payroll:read');
  await expect(row).toContainText('$2,500.00');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
});

test('an admin has events sent to an address, where a private one is refused as it is typed', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(422, '/api/admin/webhooks');
  await signIn(context, await company.createAdmin());
  await page.goto('/admin/settings?tab=integrations');
  await page.getByRole('button', { name: 'Create Webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('https://127.0.0.1/in');
  await dialog.getByLabel('People').check();
  await dialog.getByRole('button', { name: 'Create Webhook' }).click();
  await expect(dialog).toContainText('This one is in a private network');
  // A name that nobody has is taken: its network may be away for a moment.
  const host = `purser-${Date.now()}.invalid`;
  await dialog.getByLabel('Address').fill(`https://${host}/in`);
  await dialog.getByRole('button', { name: 'Create Webhook' }).click();
  await expect(dialog).toContainText('whsec_');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: host });
  await row.getByRole('button', { name: 'Deliveries' }).click();
  await dialog.getByRole('button', { name: 'Send Test' }).click();
  await expect(dialog).toContainText(/getaddrinfo|within 10 seconds|No answer/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

describeVisits('the settings', (looks) => {
  test('are accessible and fit while they are changed', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/settings?tab=security');
    await page.getByLabel('Legal age').fill('7');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('alert')).toContainText('Enter an age from 14 to 25 years');
    await expectFineInLooks(page, looks);
  });
});
