import type { Problem } from '#contract/errors.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Answer of the server when something of its own fails. */
const PROBLEM: Problem = {
  type: 'urn:purser:problem:internal',
  title: 'Something went wrong on our side. Nothing was changed.',
  status: 500,
  code: 'internal',
  requestId: 'test',
};

test('Maya sees her accounts, figures, activity and requests', async ({ page, context }) => {
  await signIn(context, 'maya');
  await page.goto('/employee/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Maya!');
  const accounts = page.getByRole('region', { name: 'Accounts' }).getByRole('listitem');
  await expect(accounts).toHaveCount(4);
  await expect(accounts.first()).toContainText('Salary Wallet');
  await expect(accounts.first()).toContainText(/Balance \$[\d,.]+, \$[\d,.]+ pending/);
  for (const figure of ['Last Deposit', 'Next Payroll', 'YTD Earnings']) {
    await expect(page.getByText(figure, { exact: true })).toBeVisible();
  }
  await expect(page.getByText(/^(In \d+ days|Tomorrow)$/)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Recent Activity' }).getByRole('row')).toHaveCount(
    6,
  );
  await expect(
    page.getByRole('region', { name: 'Pending Withdrawals' }).getByRole('listitem').first(),
  ).toContainText(/Pending|Approved|Processing/);
});

test('an account number is fetched to be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(context, 'maya');
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Copy account number of Salary Wallet' }).click();
  await expect(page.getByText('Copied!')).toBeVisible();
  const { accounts } = await ask(await apiAs('maya'), 'listWallets', {});
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\d{6,}$/);
  expect(copied.slice(-4)).toBe(accounts[0]?.accountNumberLast4);
});

test('money is withdrawn, and a bank account added, without leaving the dashboard', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  await page.goto('/employee/dashboard');
  const opener = page.getByRole('button', { name: 'Withdraw from Salary Wallet' });
  await opener.click();
  const form = page.getByRole('dialog', { name: 'Withdraw Funds' });
  await expect(form.getByRole('group', { name: 'From Account' })).toContainText('Salary Wallet ••');
  await expectAccessible(page);
  await form.getByLabel('Withdrawal Amount').fill('20');
  await form.getByRole('button', { name: 'Review Withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await review.getByRole('button', { name: 'Back' }).click();
  await expect(form.getByLabel('Withdrawal Amount')).toHaveValue('20');
  await form.getByRole('button', { name: 'Review Withdrawal' }).click();
  await review.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page.getByRole('region', { name: 'Pending Withdrawals' })).toContainText('$20.00');
  await page.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(page.getByRole('dialog', { name: 'Add Bank Account' })).toBeVisible();
});

test('a new employee sees an empty wallet', async ({ page, context, company }) => {
  await signIn(context, await company.createEmployee({ firstName: 'Nia' }));
  await page.goto('/employee/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Nia!');
  await expect(page.getByText('None yet')).toBeVisible();
  await expect(page.getByText('No transactions found')).toBeVisible();
  await expect(page.getByText('No pending withdrawals')).toBeVisible();
  await expectAccessible(page);
});

test('a part that cannot be loaded offers to try again', async ({ page, context, faults }) => {
  await signIn(context, 'maya');
  faults.allow(/status of 500/);
  const refuse = '**/api/employee/dashboard';
  await page.route(refuse, (route) => route.fulfill({ status: 500, json: PROBLEM }));
  await page.goto('/employee/dashboard');
  await expect(page.getByText('Failed to load withdrawals')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Accounts' })).toBeVisible();
  await page.unroute(refuse);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('YTD Earnings')).toBeVisible();
});

test('on a phone an account comes into view with the focus', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(context, 'maya');
  await page.goto('/employee/dashboard');
  for (const name of ['Retirement (IRA)', 'Salary Wallet']) {
    const prove = page.getByRole('button', { name: `Prove this number: ${name}` });
    await prove.focus();
    await expect(prove).toBeInViewport({ ratio: 1 });
  }
  // A small laptop has room for all four.
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('button', { name: 'Next account' })).toBeHidden();
  const accounts = page.getByRole('region', { name: 'Accounts' }).getByRole('listitem');
  for (const account of await accounts.all()) await expect(account).toBeInViewport({ ratio: 1 });
});
