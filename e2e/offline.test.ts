import { money } from '#contract/money.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('a withdrawal confirmed without a connection says what is unknown and lets go', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('20.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await expect(review).toBeVisible();
  await context.setOffline(true);
  await review.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(review).toContainText('We can’t tell whether your request went through.');
  await page.keyboard.press('Escape');
  await expect(review).toHaveCount(0);
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('20.00');

  await context.setOffline(false);
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  await review.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
  expect(items).toHaveLength(1);
});

test('a withdrawal whose reply does not come says so, and can be left', async ({
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
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/withdrawals', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    await answered;
    return route.fulfill({ response });
  });
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('30.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await review.getByRole('button', { name: 'Withdraw $30.00' }).click();
  await expect(review).toContainText('This is taking longer than usual.');
  await review.getByRole('button', { name: 'Back' }).click();
  await expect(review).toHaveCount(0);
  // It arrived: it is listed, and nothing of it waits in the form to be sent again.
  answer();
  await expect(page.getByText('is waiting for approval.')).toBeVisible();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('');
  const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
  expect(items).toHaveLength(1);
});

test('a request whose answer was lost is the same request after a reload', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  const requests = '**/api/withdrawals';
  await page.route(requests, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('25.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await review.getByRole('button', { name: 'Withdraw $25.00' }).click();
  await expect(review).toContainText('We can’t tell whether your request went through.');

  await page.unroute(requests);
  await page.reload();
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  await review.getByRole('button', { name: 'Withdraw $25.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
  expect(items).toHaveLength(1);
});

test('an admin whose decision is not answered reads so, and decides once', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  faults.allowRefusal(409, '/approve');
  const person = await company.createEmployee({
    lastName: 'Lostanswer',
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
  const wallets = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  const { id } = await ask(api, 'requestWithdrawal', {
    body: {
      walletId: wallets.accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: money(10_000n, 'USD'),
    },
  });
  await signIn(context, 'admin');
  await page.goto('/admin/withdrawals?search=Lostanswer');
  let isLost = false;
  await page.route(`**/api/admin/withdrawals/${id}/approve`, async (route) => {
    if (isLost) return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: /^Approve Test Lostanswer/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Approve this withdrawal?' });
  const approve = question.getByRole('button', { name: 'Approve' });
  await approve.click();
  await expect(question).toContainText('We can’t tell whether your decision went through.');
  await expect(page.getByText('Action Failed')).toHaveCount(0);
  // It had arrived: a second one is refused, and the list shows the first.
  await approve.click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Lostanswer/ })).toContainText('Approved');
});

test.describe('with an empty cache', () => {
  test.use({ isContextNew: true });

  test('a dialog whose code cannot be fetched says so, and opens once there is a connection', async ({
    page,
    context,
    company,
    faults,
  }) => {
    const person = await company.createEmployee({ fundedMinor: 50_000n });
    await signIn(context, person);
    faults.allow(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/employee/dashboard');
    const deposit = page.getByRole('button', { name: 'Deposit to Salary Wallet' });
    await expect(deposit).toBeVisible();
    await expectLoaded(page);
    await context.setOffline(true);
    await deposit.click();
    await expect(page.getByText('This could not be opened')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await context.setOffline(false);
    await deposit.click();
    await expect(page.getByRole('dialog', { name: 'Deposit' })).toBeVisible();
  });
});

test('a list that cannot be updated keeps its rows and what is typed in their dialog', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/503/);
  const person = await company.createEmployee({
    lastName: 'Staysopen',
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
  const wallets = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  const withdraw = (minor: bigint) =>
    ask(api, 'requestWithdrawal', {
      body: {
        walletId: wallets.accounts[0]?.id ?? '',
        bankAccountId: banks.items[0]?.id ?? '',
        amount: money(minor, 'USD'),
      },
    });
  await withdraw(10_000n);
  await signIn(context, 'admin');
  const isLive = page.waitForResponse((reply) => reply.url().includes('/api/events') && reply.ok());
  await page.goto('/admin/withdrawals?search=Staysopen');
  await page.getByRole('button', { name: /^Reject/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject withdrawal' });
  await dialog.getByRole('textbox').fill('The account is being closed');

  const reads = '**/api/admin/withdrawals?*';
  const problem = { type: 'about:blank', status: 503, code: 'unavailable', title: 'Busy.' };
  await page.route(reads, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', json: problem }),
  );
  await isLive;
  await withdraw(20_000n);
  await expect(page.getByText('This page could not be updated')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveValue('The account is being closed');
  await page.unroute(reads);
  await expect(page.getByText('$200.00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Withdrawal Rejected', { exact: true })).toBeVisible();
});
