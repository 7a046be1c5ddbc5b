import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('an act is found by what it is about and by its day, with before and after', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Ada', lastName: 'Quince' });
  await signIn(context, 'admin');
  await page.goto(`/admin/employees/${person.id}`);
  await page.getByRole('button', { name: 'Change Department' }).click();
  const form = page.getByRole('dialog', { name: 'Change department and position' });
  await form.getByLabel('Department').selectOption('sales');
  await form.getByRole('button', { name: 'Save Change' }).click();
  await expect(form).toBeHidden();

  await page.goto('/admin/audit');
  await page.getByRole('searchbox').fill('Quince');
  await page.getByRole('combobox', { name: 'About' }).selectOption({ label: 'People' });
  const open = page.getByRole('button', { name: /^Open Department or position changed/ });
  await expect(open).toHaveCount(1);
  const csv = page.getByRole('link', { name: 'Export CSV' });
  await expect(csv).toHaveAttribute('href', /search=Quince/);
  await open.click();
  const changes = page.getByRole('table', { name: 'What changed' });
  await expect(changes.getByRole('row', { name: /Department/ })).toContainText('general');
  await expect(changes.getByRole('row', { name: /Department/ })).toContainText('sales');
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Copy as Data' })).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();

  await page.goto('/admin/audit?search=Quince&to=2020-01-01');
  await expect(page.getByText('No records found')).toBeVisible();
  await page.goto('/admin/audit?search=Quince&from=2026-02-30');
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
});
