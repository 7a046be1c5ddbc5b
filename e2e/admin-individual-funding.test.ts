import type { Problem } from '#contract/errors.ts';
import { expectAccessible } from './support/accessible.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const UNAVAILABLE: Problem = {
  type: 'about:blank',
  status: 503,
  code: 'unavailable',
  requestId: 'test',
  title: 'The service is not available right now. Please try again.',
};

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('an employee is funded: select, confirm, back, success, again', async ({
  page,
  company,
  faults,
}) => {
  const { firstName, lastName } = { firstName: 'Grace', lastName: `Achieng${Date.now()}` };
  const name = `${firstName} ${lastName}`;
  await company.createEmployee({ firstName, lastName, fundedMinor: 279_208n });
  await page.goto(`/admin/individual-funding?search=${lastName}`);
  const row = page.getByRole('row').filter({ hasText: name });
  // Payroll is shown as well: it paid them a moment ago.
  await expect(row).toContainText(/\w+ \d+, Payroll/);
  await row.getByRole('button', { name: `Fund Employee ${name}` }).click();

  const form = page.getByRole('dialog', { name: 'Fund Employee' });
  await form.getByRole('radio', { name: 'Bonus' }).check();
  await expect(form.getByLabel('Amount')).toHaveValue('500.00');
  await form.getByLabel('Amount').fill('0');
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(form.getByText('Please select a wallet and enter a valid amount.')).toBeVisible();
  await form.getByLabel('Amount').fill('84.30');
  await form.getByLabel('Description').fill('Fourth quarter support bonus');
  await page.route('**/api/session', (route) => route.fulfill({ status: 503, json: UNAVAILABLE }));
  faults.allow(/status of 503/);
  const preview = form.getByRole('button', { name: 'Preview' });
  await preview.click();
  await expect(form.getByRole('alert')).toContainText(
    'Unable to verify authentication. Please try again.',
  );
  await expect(preview).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await page.unroute('**/api/session');
  await form.getByRole('button', { name: 'Try again' }).click();
  await expect(form.getByRole('alert')).toBeHidden();
  await preview.click();

  const confirm = page.getByRole('dialog', { name: 'Confirm funding' });
  await expect(confirm).toContainText(`Bonus to ${name}`);
  await confirm.getByRole('button', { name: 'Back' }).click();
  await expect(form.getByLabel('Amount'), 'nothing typed is lost').toHaveValue('84.30');
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(confirm).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form.getByLabel('Amount'), 'nor by Escape').toHaveValue('84.30');
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(confirm).toContainText('Already paid this period: $2,792.08, Payroll');
  const fund = confirm.getByRole('button', { name: `Fund ${name} $84.30` });
  await expect(fund).toHaveAttribute('aria-disabled', 'true');
  await confirm.getByRole('checkbox', { name: 'Pay this employee again' }).check();
  await fund.click();

  const done = page.getByRole('dialog', { name: `${name} is funded` });
  await expect(done).toContainText(/IF-\d{4}/);
  await expect(done).toContainText('Arrived');
  await expectAccessible(page);
  await done.getByRole('button', { name: 'Fund Again' }).click();
  await expect(form.getByLabel('Amount')).toHaveValue('');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Bonus');
  await expect(row).toContainText('$84.30');

  await page.goto(`/admin/payroll?tab=history&search=${lastName}`);
  const batches = page.getByRole('table', { name: 'Payroll batches' });
  const batch = batches.getByRole('row').filter({ hasText: name });
  await expect(batch).toContainText('Fourth quarter support bonus');
});

describeVisits('funding an employee', (looks) => {
  test('is accessible at every step', async ({ page, company }) => {
    const lastName = `Featherstonehaugh-Cholmondeley${Date.now()}`;
    await company.createEmployee({
      firstName: 'Maximiliana-Wilhelmina',
      lastName,
      fundedMinor: 100n,
    });
    await page.goto(`/admin/individual-funding?search=${lastName}`);
    await page.getByRole('button', { name: /^Fund Employee/ }).click();
    const form = page.getByRole('dialog', { name: 'Fund Employee' });
    await form.getByRole('radio', { name: 'Salary advance' }).check();
    await expectFineInLooks(page, looks);
    await form.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('dialog', { name: 'Confirm funding' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
