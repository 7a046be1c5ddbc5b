import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { describeLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

// Others of the company submit applications meanwhile: the rules are changed a little, and back.
test('an admin changes the rules, and another who saw the old ones is notified', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/api/admin/kyc/rules');
  const api = await apiAs(await company.createAdmin());
  const before = await ask(api, 'adminGetIdentityRules', {});
  const longer = before.retentionDays + 1;
  await signIn(context, 'admin');
  await page.goto('/admin/kyc-review');
  await page.getByRole('button', { name: 'Identity rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Identity rules' });
  const days = dialog.getByLabel('Days that material is kept');
  await expect(days).toHaveValue(String(before.retentionDays));
  await days.fill('29');
  await dialog.getByRole('button', { name: 'Save Rules' }).click();
  const problem = 'Enter a number of days from 30 to 3650';
  await expect(dialog.getByRole('alert')).toContainText(problem);
  await expect(days).toHaveAccessibleDescription(new RegExp(problem));

  await test.step('while another admin changes them', async () => {
    await ask(api, 'adminUpdateIdentityRules', {
      body: { ...before, retentionDays: longer, seen: before },
    });
    await days.fill('400');
    await dialog.getByRole('button', { name: 'Save Rules' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/changed by someone else/);
    await expect(days).toHaveValue('400');
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Identity rules' }).click();
  await expect(days).toHaveValue(String(longer));
  await days.fill(String(before.retentionDays));
  await dialog.getByRole('button', { name: 'Save Rules' }).click();
  await expect(page.getByText('Identity rules saved')).toBeVisible();
  expect(await ask(api, 'adminGetIdentityRules', {})).toEqual(before);
});

describeLooks('the identity rules', () => {
  test('are accessible and fit', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/kyc-review');
    await page.getByRole('button', { name: 'Identity rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'Identity rules' });
    const age = dialog.getByLabel('Legal age in years');
    await age.fill('eighteen');
    await dialog.getByRole('button', { name: 'Save Rules' }).click();
    await expect(age).toHaveAccessibleDescription(/Enter an age from 14 to 25 years/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

test('on a phone the queue comes before the rules', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(context, 'admin');
  await page.goto('/admin/kyc-review');
  const table = page.getByRole('table');
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  const queue = await table.boundingBox();
  const rules = await page.getByRole('button', { name: 'Identity rules' }).boundingBox();
  expect(rules?.y).toBeGreaterThan((queue?.y ?? 0) + (queue?.height ?? 0));
});
