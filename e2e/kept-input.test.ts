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
  // By another of their browsers, which also ends the session of a third.
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
