import type { Page } from '@playwright/test';
import type { Problem } from '#contract/errors.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, loseSession, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** A person with $500.00 and a verified bank account. */
function createSaver(company: Company): Promise<Person> {
  return company.createEmployee({ fundedMinor: 50_000n, isApproved: true, hasVerifiedBank: true });
}

async function openWithdraw(page: Page): Promise<void> {
  await page.goto('/employee/withdraw');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdraw Funds');
  await expect(page.getByLabel('Withdrawal Amount')).toBeVisible();
}

const reviewButton = (page: Page) => page.getByRole('button', { name: 'Review Withdrawal' });

/** Answer of the server when something of its own fails. */
const PROBLEM: Problem = {
  type: 'urn:purser:problem:internal',
  title: 'Something went wrong on our side. Nothing was changed.',
  status: 500,
  code: 'internal',
  requestId: 'test',
};

test('an employee withdraws: fill, review, result, then cancels', async ({
  page,
  context,
  company,
}) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);

  await page.getByLabel('Withdrawal Amount').fill('320.00');
  await page.getByRole('radio', { name: 'High' }).check();
  await page.getByLabel('Reason').fill('Rent');
  await expect(page.getByText('−$320.00')).toBeVisible();
  await expect(page.getByText('$180.00')).toBeVisible();
  await reviewButton(page).click();

  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await expect(review).toContainText('High, 1–2 days');
  await expect(review).toContainText('Rent');
  await review.getByRole('button', { name: 'Withdraw $320.00' }).click();

  const result = page.getByRole('dialog', { name: 'Withdrawal Submitted' });
  await expect(result).toContainText(/WD-\d{8}/);
  await expect(result).toContainText('Waiting for approval');
  await expect(page.getByText('is waiting for approval.')).toContainText('$320.00');
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(reviewButton(page)).toBeFocused();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('');
  await expect(page.getByText('Urgent')).toBeVisible();

  await page.getByRole('button', { name: /^Details of \$320\.00/ }).click();
  await expect(page).toHaveURL(/\?request=/);
  const details = page.getByRole('dialog', { name: 'Withdrawal details' });
  await details.getByRole('button', { name: 'Cancel Request' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Keep Request' }).click();
  await details.getByRole('button', { name: 'Cancel Request' }).click();
  await question.getByRole('button', { name: 'Cancel Request' }).click();
  await expect(page.getByText('Withdrawal Cancelled', { exact: true })).toBeVisible();
  await expect(page.getByText('balance has been restored')).toBeVisible();
  await expect(details).toContainText('Cancelled');
  await escape(details);
  await expect(page).toHaveURL('/employee/withdraw');
  await expect(page.getByText('Available $500.00')).toBeVisible();
});

test('a withdrawal is made with the keyboard alone', async ({ page, context, company }) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);
  await expect(page.getByRole('group', { name: 'From Account' })).toContainText('Salary Wallet ••');
  await page.getByLabel('Withdrawal Amount').focus();
  await page.keyboard.type('12.34');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Review withdrawal' })).toBeVisible();
  const send = page.getByRole('button', { name: 'Withdraw $12.34' });
  while (!(await send.evaluate((button) => button === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await escape(page.getByRole('dialog', { name: 'Withdrawal Submitted' }));
  await expect(reviewButton(page)).toBeFocused();
});

test('each rule has its sentence', async ({ page, context, company }) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);
  const amount = page.getByLabel('Withdrawal Amount');
  const summary = page.getByRole('alert').filter({ hasText: 'Please' });

  await reviewButton(page).click();
  await expect(summary).toContainText('Please fill in all required fields');
  await expect(summary).toBeFocused();
  for (const typed of ['0', '-5', '1e3', '0.001', 'ten']) {
    await amount.fill(typed);
    await amount.press('Enter');
    await expect(summary).toContainText('Please enter a valid amount');
  }
  await amount.fill('12,50');
  await expect(amount).toHaveAccessibleDescription('Reads as $12.50');
  await amount.fill('$1,234');
  await expect(amount).toHaveAccessibleDescription('Reads as $1,234.00');
  await amount.fill('500.01');
  await amount.press('Enter');
  await expect(summary).toContainText('Insufficient funds');
  await page.getByRole('button', { name: 'Use full balance' }).click();
  await expect(amount).toHaveValue('500.00');
  await reviewButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Review withdrawal' })).toBeVisible();
});

test('money that left in between is refused next to the amount', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);
  await page.getByLabel('Withdrawal Amount').fill('400');
  await reviewButton(page).click();

  const api = await apiAs(person);
  const [wallets, banks] = [
    await ask(api, 'listWallets', {}),
    await ask(api, 'listBankAccounts', {}),
  ];
  await ask(api, 'requestWithdrawal', {
    body: {
      walletId: wallets.accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: { minor: '30000', currency: 'USD' },
    },
  });
  faults.allowRefusal(422, '/withdrawals');
  await page.getByRole('button', { name: 'Withdraw $400.00' }).click();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveAccessibleDescription(
    'Insufficient funds',
  );
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('400');
});

test('typed text survives a reload and signing in again', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);
  await page.getByLabel('Withdrawal Amount').fill('77.70');
  await page.getByLabel('Reason').fill('Tools');
  await page.reload();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('77.70');

  await loseSession(context, faults);
  await page.goto('/onboarding');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Welcome, Test')).toBeVisible();
  await openWithdraw(page);
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('77.70');
  await expect(page.getByLabel('Reason')).toHaveValue('Tools');
});

test('a bank account is added on the way', async ({ page, context, company }) => {
  const person = await company.createEmployee({ fundedMinor: 50_000n, isApproved: true });
  await signIn(context, person);
  await openWithdraw(page);
  await expect(
    page.getByText(
      'No verified bank accounts available. Please add and verify a bank account first.',
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Add New Bank' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Bank' });
  await dialog.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please fill in all required fields');

  await dialog.getByLabel('Routing Number').fill('021000022');
  await page.keyboard.press('Tab');
  await expect(dialog.getByText('Enter a valid 9-digit routing number').first()).toBeVisible();
  await dialog.getByLabel('Routing Number').fill('021000021');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Use JPMorgan Chase Bank' }).click();
  await expect(dialog.getByLabel('Bank Name')).toHaveValue('JPMorgan Chase Bank');
  await dialog.getByLabel('Account Type').selectOption('Checking');
  await dialog.getByLabel('Account Number', { exact: true }).fill('0012345678');
  await dialog.getByLabel('Repeat Account Number').fill('0012345678');
  await dialog.getByLabel('Account Holder Name').fill('Test Person');
  await dialog.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(page.getByText('Bank Account Submitted', { exact: true })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listBankAccounts', {});
  expect(items).toMatchObject([{ status: 'pending', accountNumberLast4: '5678' }]);
});

test('without an approved identity the screen says so, and the server refuses', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({ fundedMinor: 50_000n, hasVerifiedBank: true });
  await signIn(context, person);
  await openWithdraw(page);
  const sentence = 'Your identity must be approved before money can leave your wallet.';
  await expect(page.getByText(sentence)).toBeVisible();
  await page.getByLabel('Withdrawal Amount').fill('10');
  await reviewButton(page).click();
  faults.allowRefusal(403, '/withdrawals');
  await page.getByRole('button', { name: 'Withdraw $10.00' }).click();
  await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('10');
});

test('another person’s request does not open', async ({ page, context, company, faults }) => {
  const person = await createSaver(company);
  const maya = await ask(await apiAs('maya'), 'listWithdrawals', { query: {} });
  await signIn(context, person);
  faults.allowRefusal(404, '/withdrawals/');
  await page.goto(`/employee/withdraw?request=${maya.items[0]?.id ?? ''}`);
  await expect(page.getByRole('dialog')).toContainText('This withdrawal was not found.');
});

test('a failing load offers to try again', async ({ page, context, faults }) => {
  await signIn(context, 'maya');
  faults.allow(/status of 500/);
  await page.route('**/api/wallets', (route) => route.fulfill({ status: 500, json: PROBLEM }));
  await page.goto('/employee/withdraw');
  await expect(page.getByText('Failed to load data. Please try again.')).toBeVisible();
  await page.unroute('**/api/wallets');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Withdrawal Amount')).toBeVisible();
});

describeVisits('withdrawing', (looks) => {
  test('the form, the review and the details are accessible', async ({ page, context }) => {
    await signIn(context, 'maya');
    await openWithdraw(page);
    await expect(page.getByRole('button', { name: /^Details of/ })).toHaveCount(5);
    await expectFineInLooks(page, looks);

    await page.getByLabel('Withdrawal Amount').fill('1');
    await reviewButton(page).click();
    await expect(page.getByRole('dialog', { name: 'Review withdrawal' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Back' }).click();

    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toContainText('Request ID');
    await expectFineInLooks(page, looks);
  });
});

test('frozen payouts are said on the dashboard and at Withdraw, which offers nothing', async ({
  page,
  context,
  company,
}) => {
  const person = await createSaver(company);
  await signIn(context, person);
  await openWithdraw(page);
  await page.getByLabel('Withdrawal Amount').fill('320.00');
  await ask(await apiAs(person), 'freezePayouts', {});
  // The screen that was open learns it.
  const notice = page.getByText(/^Your payouts are frozen since /).first();
  await expect(notice).toBeVisible();
  await expect(reviewButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Your payouts are frozen.', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Expected at /)).toHaveCount(0);
  await expectAccessible(page);

  await page.goto('/employee/dashboard?tab=payments');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay a Person' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByRole('button', { name: 'Withdraw from Salary Wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Funds' });
  await expect(dialog.getByText(/^Your payouts are frozen since /)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Review Withdrawal' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'See Security' }).click();
  await expect(
    page.getByText(/An administrator checks what happened\s+and releases them/),
  ).toBeVisible();
});
