import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('an employee is funded: select, confirm, back, success, again', async ({ page, company }) => {
  const { firstName, lastName } = { firstName: 'Grace', lastName: `Achieng${Date.now()}` };
  const name = `${firstName} ${lastName}`;
  await company.createEmployee({ firstName, lastName, fundedMinor: 279_208n });
  await page.goto(`/admin/individual-funding?search=${lastName}`);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Never');
  await row.getByRole('button', { name: `Fund Employee ${name}` }).click();

  const form = page.getByRole('dialog', { name: 'Fund Employee' });
  await form.getByRole('radio', { name: 'Bonus' }).check();
  await expect(form.getByLabel('Amount')).toHaveValue('500.00');
  await form.getByLabel('Amount').fill('0');
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(form.getByText('Please select a wallet and enter a valid amount.')).toBeVisible();
  await form.getByLabel('Amount').fill('84.30');
  await form.getByLabel('Description').fill('Fourth quarter support bonus');
  await form.getByRole('button', { name: 'Preview' }).click();

  const confirm = page.getByRole('dialog', { name: 'Confirm funding' });
  await expect(confirm).toContainText(`Bonus to ${name}`);
  await confirm.getByRole('button', { name: 'Back' }).click();
  await expect(form.getByLabel('Amount'), 'nothing typed is lost').toHaveValue('84.30');
  await form.getByRole('button', { name: 'Preview' }).click();
  await confirm.getByRole('button', { name: `Fund ${name} $84.30` }).click();

  const done = page.getByRole('dialog', { name: `${name} is funded` });
  await expect(done).toContainText(/IF-\d{4}/);
  await expect(done).toContainText('Arrived');
  await expectAccessible(page);
  await done.getByRole('button', { name: 'Fund Again' }).click();
  await expect(form.getByLabel('Amount')).toHaveValue('');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Bonus');
  await expect(row).toContainText('$84.30');
});

describeLooks('funding an employee', () => {
  test('is accessible at every step', async ({ page, company }) => {
    const lastName = `Featherstonehaugh-Cholmondeley${Date.now()}`;
    await company.createEmployee({
      ...{ firstName: 'Maximiliana-Wilhelmina', lastName },
      fundedMinor: 100n,
    });
    await page.goto(`/admin/individual-funding?search=${lastName}`);
    await page.getByRole('button', { name: /^Fund Employee/ }).click();
    const form = page.getByRole('dialog', { name: 'Fund Employee' });
    await form.getByRole('radio', { name: 'Salary advance' }).check();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await form.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('dialog', { name: 'Confirm funding' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
