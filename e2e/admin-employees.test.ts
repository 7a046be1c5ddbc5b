import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('an employee is added, chooses a password by the link and signs in', async ({
  page,
  context,
  openAs,
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

  const theirs = await openAs();
  const { pathname, search } = new URL(link ?? '');
  await theirs.goto(`${pathname}${search}`);
  await theirs.getByLabel('Password', { exact: true }).fill('Lantern-harbor-2026');
  await theirs.getByLabel('Confirm Password').fill('Lantern-harbor-2026');
  await theirs.getByRole('button', { name: 'Set Password and Sign In' }).click();
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Personal Information');
  await theirs.close();

  await page.getByRole('searchbox').fill(email);
  await page.getByRole('link', { name: 'Open Nadia Osei' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nadia Osei');
});

test('Balance is what an employee has, Available what is left of it, and the sum of all is owed', async ({
  page,
  context,
  company,
}) => {
  const lastName = `Holding${Date.now()}`;
  const person = await company.createEmployee({
    firstName: 'Petra',
    lastName,
    isApproved: true,
    hasVerifiedBank: true,
    fundedMinor: 500_000n,
  });
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  const { items } = await ask(api, 'listBankAccounts', {});
  await withTx(company.db, (tx) =>
    requestWithdrawal(tx, company.services, person.by, {
      walletId: accounts[0]?.id ?? '',
      bankAccountId: items[0]?.id ?? '',
      amount: money(120_055n, 'USD'),
      reason: '',
      urgency: 'medium',
    }),
  );
  await signIn(context, 'admin');
  await page.goto(`/admin/employees?search=${lastName}`);
  const row = page.getByRole('row', { name: lastName });
  await expect(row.getByRole('cell', { name: '$5,000.00' })).toBeVisible();
  const heads = await page.getByRole('columnheader').allTextContents();
  const cells = await row.locator('[role=cell], [role=rowheader]').allTextContents();
  expect(cells[heads.indexOf('Balance')]).toBe('$5,000.00');
  expect(cells[heads.indexOf('Available')]).toBe('$3,799.45');

  await page.goto('/admin/employees');
  const owed = page.getByLabel('Owed to employees');
  await expect(owed).toContainText(/Held\$[\d,.]+Total\$[\d,.]+$/);
  const [available = 0, held = 0, total = 0] = (
    await owed.getByRole('definition').allTextContents()
  )
    .slice(1)
    .map((amount) => Math.round(Number(amount.replaceAll(/[$,]/g, '')) * 100));
  expect(held).toBeGreaterThanOrEqual(120_055);
  expect(available + held).toBe(total);
});

test('the page of an employee is accessible, and changes what it says', async ({
  page,
  context,
}) => {
  await signIn(context, 'admin');
  await page.goto('/admin/employees?search=dmitri');
  await page.getByRole('link', { name: /^Open Dmitri/ }).click();
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
