import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('an employee is added, chooses a password by the link and signs in', async ({
  page,
  context,
  browser,
}) => {
  const email = `nadia-${Date.now()}@tallisreed.example`;
  await signIn(context, 'admin');
  await page.goto('/admin/employees');
  await page.getByRole('button', { name: 'Add Employee' }).click();
  const form = page.getByRole('dialog', { name: 'Add Employee' });
  await form.getByLabel('Full Name').fill('Nadia Osei');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Department').selectOption('data-entry');
  await form.getByRole('button', { name: 'Create Account' }).click();
  const created = page.getByRole('dialog', { name: 'Account created' });
  const link = await created.getByText('/onboarding?reset=').textContent();
  await created.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^Showing/)).toBeVisible();

  const other = await browser.newContext();
  const theirs = await other.newPage();
  const { pathname, search } = new URL(link ?? '');
  await theirs.goto(`${pathname}${search}`);
  await theirs.getByLabel('New Password').fill('Lantern-harbor-2026');
  await theirs.getByLabel('Confirm Password').fill('Lantern-harbor-2026');
  await theirs.getByRole('button', { name: 'Change Password' }).click();
  await expect(theirs.getByText('Password Changed')).toBeVisible();
  await other.close();

  await page.getByRole('searchbox').fill(email);
  await page.getByRole('button', { name: 'Open Nadia Osei' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nadia Osei');
});

test('the page of an employee is accessible, and changes what it says', async ({
  page,
  context,
}) => {
  await signIn(context, 'admin');
  await page.goto('/admin/employees?search=dmitri');
  await page.getByRole('button', { name: /^Open Dmitri/ }).click();
  await expectLoaded(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change Department' }).click();
  const form = page.getByRole('dialog', { name: 'Change department and position' });
  await form.getByLabel('Position').fill('Lead Marketer');
  await form.getByRole('button', { name: 'Save Change' }).click();
  await expect(page.getByText('Lead Marketer, Marketing')).toBeVisible();
});

test('several employees are asked for an identity check, with what became of each', async ({
  page,
  context,
  faults,
}) => {
  faults.allowRefusal(409, '/ask-for-identity');
  await signIn(context, 'admin');
  await page.goto('/admin/employees?kyc=approved');
  await expectLoaded(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('group', { name: 'Selected rows' });
  await bar.getByRole('button', { name: 'Ask for Identity Check' }).click();
  const question = page.getByRole('alertdialog');
  await expectAccessible(page);
  await question.getByRole('button', { name: /^Ask \d+ Employees$/ }).click();
  const results = page.getByRole('dialog', { name: /^0 of \d+ employees asked$/ });
  await expect(results.getByText('The table says why.')).toBeVisible();
  await expect(results.getByText('Their identity is approved').first()).toBeVisible();
});
