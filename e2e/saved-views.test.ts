import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a view is saved, opened, deleted and restored by the keyboard', async ({ page, context }) => {
  // Three pages are opened, one after the other.
  await signIn(context, 'admin');
  // A search of its own, so that no other view is of the same.
  const name = `urgent${crypto.randomUUID()}`;
  await page.goto(`/admin/withdrawals?search=${name}&urgency=high`);
  const button = page.getByRole('button', { name: 'Views', exact: true });
  await button.click();
  await page.getByRole('button', { name: 'Save this view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await dialog.getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Views: ${name}` })).toBeVisible();

  // Not the dashboard: the server draws it, and its heading is there before the app listens to keys.
  await page.goto('/admin/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  // Its code is loaded first.
  const palette = page.getByRole('dialog', { name: 'Search people, screens and actions' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(name);
  await page.getByRole('menuitem', { name }).click();
  await expect(page).toHaveURL(`/admin/withdrawals?search=${name}&urgency=high`);

  await page.getByRole('button', { name: `Views: ${name}` }).click();
  const views = page.getByRole('dialog').filter({ hasText: 'Save this view…' });
  await expect(views.getByRole('button', { name: `${name} (shown now)` })).toBeVisible();
  await expectAccessible(page);
  await views.getByRole('button', { name: `Delete: ${name}` }).click();
  await expect(views.getByRole('button', { name: `Delete: ${name}` })).toHaveCount(0);
  await expect(page.getByText('View Deleted', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+z');
  await views.getByRole('button', { name: `Delete: ${name}` }).click();
  await expect(views.getByRole('button', { name: `Delete: ${name}` })).toHaveCount(0);
});
