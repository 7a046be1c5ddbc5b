import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { withOwnServer } from './support/own-server.ts';
import { confirmSend, openedReview } from './support/payroll.ts';
import { expect, test } from './support/test.ts';

/** Sends a payroll to the first employee, stops it within its minute, and discards the draft that it becomes. */
async function stopFirstPayroll(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/admin/employees`);
  await page.getByRole('button', { name: 'Add Employee' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add Employee' });
  await form.getByLabel('Full Name').fill('Nadia Osei');
  await form.getByLabel('Email').fill('nadia@tallisreed.example');
  await form.getByLabel('Department').selectOption('data-entry');
  await form.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.goto(`${origin}/admin/payroll`);
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'All departments' });
  await page.getByRole('textbox', { name: 'Amount' }).fill('2,400');
  await page.getByLabel('Description').fill('First pay');
  await page.getByRole('button', { name: /^Review Payroll €/ }).click();
  await expect(await openedReview(page)).toContainText('60 seconds to stop it');
  await confirmSend(page, 'Send Payroll €2,400.00');

  await expect(page.getByRole('heading', { name: 'Payroll Sent' })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^0:\d\d$|^1:00$/);
  await expect(page.getByRole('button', { name: 'Stop Payroll' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${origin}/admin/dashboard`);
  const upcoming = page.getByRole('region', { name: 'Upcoming Payroll' });
  await expect(upcoming).toContainText(/Sends in 0:\d\d/);
  await upcoming.getByRole('button', { name: /^Stop Salary Wallet/ }).click();
  await expect(page.getByText('Payroll Stopped', { exact: true })).toBeVisible();
  await expect(upcoming.getByRole('listitem').first()).toContainText('Draft');

  await page.goto(`${origin}/admin/payroll?tab=history`);
  const row = page.getByRole('row', { name: /Salary Wallet/ });
  await expect(row).toContainText('was stopped by Renee Abara');
  await row.getByRole('button', { name: /^More for Salary Wallet/ }).click();
  await page.getByRole('menuitem', { name: 'Discard' }).click();
  const discard = page.getByRole('alertdialog', { name: 'Discard this draft?' });
  await discard.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Draft Discarded', { exact: true })).toBeVisible();
  await expect(page.getByText('No payroll yet')).toBeVisible();
}

/** Enters the account that payout files leave, which is an IBAN in a company in euros. */
async function enterPayingAccount(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/admin/settings`);
  const format = page.getByLabel('Format', { exact: true });
  await expect(format).toBeVisible();
  expect(await format.getByRole('option').allTextContents()).toEqual([
    'By hand, without files',
    'ISO 20022, pain.001 version 3',
    'ISO 20022, pain.001 version 9',
  ]);
  await expect(page.getByLabel('Routing number of the paying bank')).toHaveCount(0);
  await expect(page.getByLabel('Employees’ bank accounts')).toHaveCount(0);
  await format.selectOption('ISO 20022, pain.001 version 9');
  await page.getByLabel('Paying bank').fill('Commerzbank');
  const iban = page.getByLabel('IBAN that payouts leave');
  await iban.fill('DE89 3704 0044 0532 0130 01');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(iban).toHaveAccessibleDescription(/The check digits of this IBAN are wrong/);
  await iban.fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(iban).toHaveValue('DE89370400440532013000');
}

/** Holds back the next answer to who is signed in, as a slow server would. */
async function holdSession(page: Page) {
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route(
    '**/api/session',
    async (route) => {
      held.resolve();
      await answered.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return { isHeld: held.promise, answer: answered.resolve };
}

const PASSWORD = 'Lantern-harbor-2026';

test('an empty company is set up by its first admin, who leaves and comes back', async ({
  page,
}) => {
  await withOwnServer('first-run', async ({ server }) => {
    // Printed after the line by which it says that it is ready.
    const link = () => /^ {2}(http\S{20,})$/m.exec(server.said())?.[1] ?? '';
    await expect.poll(link).not.toBe('');
    await page.goto(link().replace(/^http:\/\/[^/]+/, server.origin));
    await expect(page.getByText('This invitation makes you an administrator.')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('First Name').fill('Renee');
    await page.getByLabel('Last Name').fill('Abara');
    await page.getByLabel('Email').fill('renee@tallisreed.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    const asked = await holdSession(page);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await asked.isHeld;
    await expect(page.getByRole('button', { name: 'Creating your account' })).toBeVisible();
    asked.answer();

    await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go On Without' }).click();
    const choice = page.getByRole('alertdialog', { name: 'Go on without two-factor?' });
    await expect(choice).toContainText('The choice is recorded with your name.');
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Go On Without' }).click();
    await expect(page.locator('.setup__place')).toHaveText('Step 1 of 7');
    await page.getByLabel('Company name').fill('Tallis & Reed');
    await page.getByLabel('Support email').fill('nowhere');
    const save = page.getByRole('button', { name: 'Save and Continue' });
    await save.click();
    await expect(page.getByRole('alert')).toContainText('Please check the settings');
    await expect(page.getByLabel('Company name'), 'nothing typed is lost').toHaveValue(
      'Tallis & Reed',
    );
    await expectAccessible(page);
    await page.getByLabel('Support email').fill('help@tallisreed.example');
    await save.click();

    await expect(page.locator('.setup__place')).toHaveText('Step 2 of 7');
    await page.getByLabel('Currency', { exact: true }).selectOption('EUR');
    await save.click();
    await expect(page.locator('.setup__place')).toHaveText('Step 3 of 7');
    await page.getByRole('link', { name: 'Leave for Now' }).click();
    await expect(page.getByText('No payroll is scheduled')).toBeVisible();
    await page.getByRole('link', { name: 'Continue Set-up' }).click();
    await expect(page.locator('.setup__place')).toHaveText('Step 3 of 7');
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Payroll frequency').selectOption('Biweekly');
    await save.click();
    const first = page.getByLabel('First payday');
    await expect(first).toHaveAccessibleDescription(/Enter the first payday/);
    // Labour Day in the euro area: payroll is due on the day before.
    await first.fill('05/01/2030');
    await save.click();
    await expect(page.locator('.setup__place')).toHaveText('Step 4 of 7');
    await expect(page.getByLabel('Receiving routing number')).toHaveCount(0);
    await page.getByLabel('Receiving IBAN').fill('4400 128865');
    await save.click();
    await expect(page.getByRole('alert')).toContainText('An IBAN begins');
    await page.getByLabel('Receiving IBAN').fill('DE89 3704 0044 0532 0130 00');
    await save.click();
    for (const step of [5, 6, 7]) {
      await expect(page.locator('.setup__place')).toHaveText(`Step ${step} of 7`);
      await page.getByRole('button', { name: 'Skip This Step' }).click();
    }
    await expect(page.getByText('The set-up was finished by Renee Abara.')).toBeVisible();
    await page.goto(`${server.origin}/admin/dashboard`);
    await expect(page.getByRole('heading', { name: 'Upcoming Payroll' })).toBeVisible();
    await expect(page.getByText('The company is not set up yet.')).toHaveCount(0);
    await expect(page.getByText('Next payroll: Tuesday, April 30, 2030')).toBeVisible();
    await stopFirstPayroll(page, server.origin);
    await enterPayingAccount(page, server.origin);
    await page.goto('about:blank');
  });
});
