import type { RouteReply } from '#contract/api.ts';
import { JOURNAL_ACCOUNTS } from '#contract/closing.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the accounts of the journal are mapped, and it is exported', async ({ page, context }) => {
  const admin = await apiAs('admin');
  const { months } = await ask(admin, 'adminListMonths', {});
  const first = months.at(-1)?.month ?? '';
  await signIn(context, 'admin');
  await page.goto(`/admin/close?month=${first}&tab=accounts`);
  await expect(page.getByText('so the journal cannot be exported')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Choose an account, Wallets' }).click();
  const dialog = page.getByRole('dialog', { name: 'Account of Wallets' });
  await dialog.getByRole('button', { name: 'Save Account' }).click();
  await expect(dialog.getByText('Enter the account’s code').first()).toBeVisible();
  await dialog.getByLabel('Code').fill('2400');
  await dialog.getByLabel('Name').fill('Employee wallets payable');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save Account' }).click();
  await expect(
    page.getByRole('button', { name: '2400 Employee wallets payable, Wallets' }),
  ).toBeVisible();

  for (const [index, account] of JOURNAL_ACCOUNTS.entries()) {
    if (account === 'wallets') continue;
    const body = { code: `60${index}0`, name: `Account of ${account}` };
    await ask(admin, 'adminMapChartAccount', { params: { account }, body });
  }
  await page.getByRole('tab', { name: 'Journal' }).click();
  const journal = page.getByRole('table', { name: 'Journal of the month' });
  await expect(journal.getByText('Debit and credit are equal')).toBeVisible();
  await expect(journal.getByText('Employee wallets payable').first()).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await saved).suggestedFilename()).toBe(`journal-${first}-open-quickbooks.csv`);
});

test('a comparison that was confirmed counts for the figures that were shown', async ({
  page,
  context,
}) => {
  const admin = await apiAs('admin');
  const { months } = await ask(admin, 'adminListMonths', {});
  const month =
    months.find(({ status }) => status === 'blocked' || status === 'ready')?.month ?? '';
  await signIn(context, 'admin');
  let hash = '1'.repeat(64);
  await page.route(`**/api/admin/closing/${month}`, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as RouteReply<'adminGetMonth'>;
    const checks = json.checks.map((check) => ({ ...check, isDone: true, place: null }));
    await route.fulfill({ response, json: { ...json, status: 'ready', checks, hash } });
  });
  const isLive = page.waitForResponse((reply) => reply.url().includes('/api/events') && reply.ok());
  await page.goto(`/admin/close?month=${month}`);
  await isLive;
  await page.getByRole('button', { name: /^Close [A-Z]/ }).click();
  const question = page.getByRole('alertdialog', { name: /^Close / });
  const compared = question.getByRole('checkbox', { name: /^I have compared/ });
  await compared.check();
  const close = question.getByRole('button', { name: /^Close [A-Z]/ });
  await expect(close).not.toHaveAttribute('aria-disabled', 'true');

  // Something of the month changes, which any mapping of an account has the page read again. Not that of the wallets,
  // which the test above makes on its screen at the same time.
  hash = '2'.repeat(64);
  const body = { code: '4810', name: 'Interest of the bank' };
  await ask(admin, 'adminMapChartAccount', { params: { account: 'bankInterest' }, body });
  await expect(compared).not.toBeChecked();
  await expect(close).toHaveAttribute('aria-disabled', 'true');
});
