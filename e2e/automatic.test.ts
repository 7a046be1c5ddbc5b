import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('an employee sets up transfers after each payroll, orders, pauses and ends them', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({
    ...{ fundedMinor: 50_000n, isApproved: true, hasVerifiedBank: true },
  });
  await signIn(context, person);
  await page.goto('/employee/withdraw');
  await page.getByRole('link', { name: 'Automatic Transfers' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Automatic Transfers');
  await expect(page.getByText('No automatic transfers')).toBeVisible();

  await page.getByRole('button', { name: 'Add Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Transfer' });
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(dialog.getByText('Choose an account').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('50');
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(page.getByText('Transfer Added')).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 transfer' })).toBeVisible();

  await page.getByRole('button', { name: 'Add Transfer' }).click();
  await dialog.getByRole('radio', { name: 'A percent of the payroll' }).check();
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('100.5');
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(dialog.getByText('Enter a percent from 0.01 to 100').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('12.5');
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(page.getByRole('heading', { name: '2 transfers' })).toBeVisible();

  const rules = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^More:/ }) });
  await expect(rules.first()).toContainText('$50.00 to');
  const up = page.getByRole('button', { name: /^Move up: 12\.5%/ });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(rules.first()).toContainText('12.5% to');

  await page.getByRole('button', { name: 'Skip Next' }).click();
  await expect(page.getByText('which is skipped')).toBeVisible();
  await page.getByRole('button', { name: 'Run It' }).click();
  await page.getByRole('button', { name: 'Pause All' }).click();
  await expect(page.getByText(/^Paused since/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start Again' }).click();
  await expect(page.getByRole('button', { name: 'Pause All' })).toBeVisible();

  await page.getByRole('button', { name: /^More: 12\.5%/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove Transfer' }).click();
  await expect(page.getByRole('heading', { name: '1 transfer' })).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Automatic Transfers' })).toContainText('$50.00');
});
