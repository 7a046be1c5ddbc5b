import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

describeVisits('the API reference with an operation open', (looks) => {
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
    await expectFineInLooks(page, looks);
  });
});

describeVisits('the dialogs of a calendar address', (looks) => {
  test('are accessible and fit', async ({ page, context, company }) => {
    await signIn(context, await company.createEmployee());
    await page.goto('/employee/notifications');
    await page.getByRole('button', { name: 'Create Address', exact: true }).click();
    const form = page.getByRole('dialog');
    await expect(form).toBeVisible();
    await expectFineInLooks(page, looks);
    await form.getByRole('button', { name: 'Create Address' }).click();
    const made = page.getByRole('dialog', { name: 'Calendar address created' });
    await expect(made).toBeVisible();
    await expectFineInLooks(page, looks);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
