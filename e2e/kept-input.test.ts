import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { ask, openApi } from './support/api.ts';
import { apiAs, credentialsOf, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const REFUSAL = {
  status: 404,
  contentType: 'application/problem+json',
  json: { type: 'about:blank', status: 404, code: 'not_found', title: 'There is no such thing.' },
};

test('a payment that is being typed stays when what is behind it cannot be read again', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(404, '/api/employee/dashboard');
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
  const wallets = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  await signIn(context, person);
  const isLive = page.waitForResponse((reply) => reply.url().includes('/api/events') && reply.ok());
  await page.goto('/employee/dashboard?tab=payments');
  await page.getByRole('button', { name: 'Pay a Person', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay a Person' });
  const email = dialog.getByLabel('Their work email');
  await email.fill('keiko@example.com');

  const dashboard = '**/api/employee/dashboard';
  await page.route(dashboard, (route) => route.fulfill(REFUSAL));
  await isLive;
  await ask(api, 'requestWithdrawal', {
    body: {
      walletId: wallets.accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: money(1_000n, 'USD'),
    },
  });
  const error = page.getByText('Failed to load withdrawals');
  await expect(error).toBeVisible();
  await expect(email).toHaveValue('keiko@example.com');
  await page.unroute(dashboard);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(error).toBeHidden();
  await expect(page.getByRole('button', { name: 'Pay a Person', exact: true })).toBeVisible();
});

test('an address that is being typed stays when the one before cannot be read again', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(404, '/api/auth/security');
  const person = await company.createEmployee({ isApproved: true });
  const api = await apiAs(person);
  await signIn(context, person);
  const known = new Set((await ask(api, 'listSessions', {})).items.map(({ id }) => id));
  await ask(await openApi(), 'signIn', { body: credentialsOf(person) });
  const isLive = page.waitForResponse((reply) => reply.url().includes('/api/events') && reply.ok());
  await page.goto('/employee/profile?tab=security');
  const section = page.getByRole('region', { name: 'Email Address' });
  const field = section.getByLabel('New Email');
  await field.fill('mine@example.com');

  const security = '**/api/auth/security';
  await page.route(security, (route) => route.fulfill(REFUSAL));
  await isLive;
  // Another of their browsers does it, which also ends the session of a third.
  const asked = `other-${person.email}`;
  await ask(api, 'requestEmailChange', { body: { email: asked } });
  const { items } = await ask(api, 'listSessions', {});
  const third = items.find(({ id }) => !known.has(id))?.id ?? '';
  await ask(api, 'revokeSession', { params: { id: third } });
  const error = section.getByRole('alert').filter({ hasText: 'Failed to load your email address' });
  await expect(error).toBeVisible();
  await expect(field).toHaveValue('mine@example.com');
  await page.unroute(security);
  await error.getByRole('button', { name: 'Retry' }).click();
  await expect(error).toBeHidden();
  await expect(section).toContainText(`Open the link that we sent to ${asked}`);
  await expect(field).toHaveValue('mine@example.com');
});

test('a payment under review is not dropped by the Back button without a question', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ fundedMinor: 50_000n, isApproved: true });
  const keiko = await company.createEmployee({ firstName: 'Keiko' });
  await signIn(context, person);
  await page.goto('/employee/history');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('tab', { name: 'Payments' }).click();
  await page.getByRole('button', { name: 'Pay a Person', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay a Person' });
  await dialog.getByLabel('Their work email').fill(keiko.email);
  await dialog.getByRole('button', { name: 'Find' }).click();
  await dialog.getByLabel('Amount').fill('12');
  await dialog.getByLabel('Note').fill('Lunch on Friday');
  await dialog.getByRole('button', { name: 'Review Payment' }).click();
  const review = page.getByRole('dialog', { name: 'Review payment' });
  await expect(review).toBeVisible();

  await page.goBack();
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(page).toHaveURL('/employee/dashboard?tab=payments');
  await review.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByLabel('Note')).toHaveValue('Lunch on Friday');
});

test('a deposit whose method is no longer offered goes back to the choice, and keeps the amount', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ fundedMinor: 50_000n, isApproved: true });
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  await signIn(context, person);
  const isLive = page.waitForResponse((reply) => reply.url().includes('/api/events') && reply.ok());
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Deposit to Salary Wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deposit' });
  const next = dialog.getByRole('button', { name: 'Next' });
  await dialog.getByRole('radio', { name: 'Wire transfer' }).check();
  await next.click();
  await dialog.getByLabel('Amount').fill('1500');

  await page.route('**/api/deposits/options', async (route) => {
    const response = await route.fetch();
    const { methods } = (await response.json()) as RouteReply<'getDepositOptions'>;
    await route.fulfill({ response, json: { methods: methods.filter(({ id }) => id !== 'wire') } });
  });
  await isLive;
  // Any deposit of theirs has the methods read again, with what is left of each.
  await ask(api, 'requestDeposit', {
    body: { walletId: accounts[0]?.id ?? '', method: 'ach', amount: money(10_000n, 'USD') },
  });
  const ach = dialog.getByRole('radio', { name: 'ACH transfer' });
  await expect(ach).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Wire transfer' })).toHaveCount(0);
  await ach.check();
  await next.click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('1500');
});
