import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

describeLooks('the API reference with an operation open', () => {
  test('is accessible and fits', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/api');
    await page.getByRole('searchbox').fill('adminFundEmployee');
    const entry = page.getByRole('main').getByRole('button', { expanded: false });
    await expect(entry).toHaveCount(1);
    await entry.click();
    await expect(
      page.getByRole('button', { name: 'Copy example of adminFundEmployee' }),
    ).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

describeLooks('the dialogs of a calendar address', () => {
  test('are accessible and fit', async ({ page, context, company }) => {
    await signIn(context, await company.createEmployee());
    await page.goto('/employee/notifications');
    await page.getByRole('button', { name: 'Create Address', exact: true }).click();
    const form = page.getByRole('dialog');
    await expect(form).toBeVisible();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create Address' }).click();
    const made = page.getByRole('dialog', { name: 'Calendar address created' });
    await expect(made).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page);
  });
});
