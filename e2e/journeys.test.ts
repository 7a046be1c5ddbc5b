import type { Page } from '@playwright/test';
import { addDays, dayIn } from '#contract/calendar.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { watchJourneys } from './support/journey.ts';
import { signIn, signInElsewhere } from './support/people.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

const HEADING = '## Employees';
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');

const deposit = (page: Page) => page.getByRole('button', { name: 'Deposit to Salary Wallet' });

/** Leaves what a journey ended with: the dashboard as it is after signing in, if scrolled down. */
async function backToDashboard(page: Page): Promise<void> {
  await press(page, 'Done');
  await page.getByRole('tab', { name: 'Recent Activity' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

test('an employee’s tasks with money take the steps in docs/journeys.md', async ({
  page,
  company,
}) => {
  const journeys = await watchJourneys(page);
  const person = await company.createEmployee({
    fundedMinor: 100_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const colleague = await company.createEmployee({ firstName: 'Keiko', lastName: 'Tanabe' });

  await page.goto('/onboarding');
  await journeys.expect(HEADING, 'Signed in', async () => {
    await press(page, 'Sign in');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await press(page, 'Sign In');
    await expect(deposit(page)).toBeVisible();
  });
  await journeys.expect(HEADING, 'Withdrawal requested', async () => {
    await press(page, 'Withdraw from Salary Wallet');
    await dialog(page).getByLabel('Withdrawal Amount').fill('320');
    await press(page, 'Review Withdrawal');
    await press(page, 'Withdraw $320.00');
    await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
  });

  await backToDashboard(page);
  await journeys.expect(HEADING, 'Deposit requested', async () => {
    await press(page, 'Deposit to Salary Wallet');
    await press(page, 'Next');
    await dialog(page).getByLabel('Amount').fill('25');
    await press(page, 'Next');
    await press(page, 'Deposit $25.00');
    await expect(page.getByRole('dialog', { name: 'Deposit Submitted' })).toBeVisible();
  });

  await backToDashboard(page);
  await journeys.expect(HEADING, 'Colleague paid', async () => {
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay a Person');
    await dialog(page).getByLabel('Their work email').fill(colleague.email);
    await press(page, 'Find');
    await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
    await dialog(page).getByLabel('Amount').fill('60');
    await press(page, 'Review Payment');
    await press(page, 'Pay Keiko Tanabe $60.00');
    await expect(page.getByRole('dialog', { name: 'Payment Sent' })).toBeVisible();
  });

  await backToDashboard(page);
  const { db, services } = company;
  await fundedWallet(db, services, person.by, 0n, 'savings');
  await page.goto('/employee/dashboard');
  await journeys.expect(HEADING, 'Moved between own accounts', async () => {
    await press(page, 'Move Money');
    await dialog(page).getByLabel('Amount').fill('20');
    await press(page, 'Move $20.00');
    await expect(page.getByText('Money Moved', { exact: true })).toBeVisible();
  });

  await expect(dialog(page)).toHaveCount(0);
  const payOn = addDays(dayIn('America/New_York', new Date()), 3);
  await journeys.expect(HEADING, 'Bill to a new payee scheduled', async () => {
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay a Bill');
    await dialog(page).getByLabel('Payee Name').fill('Harbor Fiber');
    await dialog(page).getByLabel('Routing Number').fill('021000021');
    await dialog(page).getByLabel('Account Number').fill('40227755502');
    await dialog(page).getByLabel('Amount').fill('70');
    await dialog(page).getByLabel('Pay on').fill(payOn);
    await press(page, 'Review Bill');
    await press(page, /^Pay \$70\.00 on /);
    await expect(page.getByRole('dialog', { name: 'Bill Scheduled' })).toBeVisible();
  });

  await backToDashboard(page);
  await journeys.expect(HEADING, 'Bill to a saved payee scheduled', async () => {
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay Harbor Fiber');
    await dialog(page).getByLabel('Amount').fill('70');
    await dialog(page).getByLabel('Pay on').fill(payOn);
    await press(page, 'Review Bill');
    await press(page, /^Pay \$70\.00 on /);
    await expect(page.getByRole('dialog', { name: 'Bill Scheduled' })).toBeVisible();
  });

  await backToDashboard(page);
  await journeys.expect(HEADING, 'Transaction asked about', async () => {
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await press(page, /^Open Payment to Keiko/);
    await press(page, 'Ask about this transaction');
    const question = page.getByRole('dialog', { name: 'Ask about this transaction' });
    await question.getByLabel('Question').fill('Did it arrive?');
    await question.getByRole('button', { name: 'Send Question' }).click();
    await expect(page.getByText('Question Sent', { exact: true })).toBeVisible();
  });
});

test('a browser never used before asks once for a row of payments, as docs/journeys.md says', async ({
  page,
  company,
  faults,
}) => {
  const journeys = await watchJourneys(page);
  const person = await company.createEmployee({ fundedMinor: 100_000n, isApproved: true });
  const colleague = await company.createEmployee({ firstName: 'Keiko', lastName: 'Tanabe' });
  await signInElsewhere(person);
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await press(page, 'Sign In');
  await expect(deposit(page)).toBeVisible();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const pay = async (amount: string) => {
    await page.getByRole('tab', { name: 'Payments' }).click();
    await press(page, 'Pay a Person');
    await dialog(page).getByLabel('Their work email').fill(colleague.email);
    await press(page, 'Find');
    await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
    await dialog(page).getByLabel('Amount').fill(amount);
    await press(page, 'Review Payment');
    await press(page, `Pay Keiko Tanabe $${amount}.00`);
  };
  const paid = page.getByRole('dialog', { name: 'Payment Sent' });
  faults.allowRefusal(403, '/api/payments/people');
  await journeys.expect(HEADING, 'Colleague paid, in a browser never used before', async () => {
    await pay('60');
    await confirming.getByLabel('Current Password').fill(person.password);
    await confirming.getByRole('button', { name: 'Confirm' }).click();
    await expect(paid).toBeVisible();
  });
  await backToDashboard(page);
  await journeys.expect(HEADING, 'Colleague paid, once more there', async () => {
    await pay('40');
    await expect(paid).toBeVisible();
  });
});

test('a payslip takes the steps in docs/journeys.md', async ({ page, context, company }) => {
  const journeys = await watchJourneys(page);
  // Paid today: in the first days of a year the demo's people have no payslip of it.
  await signIn(context, await company.createEmployee({ fundedMinor: 100_000n }));
  await page.goto('/employee/dashboard');
  await expect(deposit(page)).toBeVisible();
  await journeys.expect(HEADING, 'Newest payslip as PDF', async () => {
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByRole('link', { name: 'Documents' }).click();
    const downloading = page.waitForEvent('download');
    await page
      .getByRole('link', { name: /^PDF payslip / })
      .first()
      .click();
    await (await downloading).path();
  });
});
