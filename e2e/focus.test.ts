import type { Page } from '@playwright/test';
import { pendingBank } from '#test/factories/money.ts';
import { money } from '#contract/money.ts';
import { ask } from './support/api.ts';
import { escape } from './support/dialogs.ts';
import { apiAs, signIn } from './support/people.ts';
import { untilIdle } from './support/shifts.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

/** Place from which the keyboard goes on, once the element with the focus is gone. */
async function expectFocusInMain(page: Page): Promise<void> {
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await untilIdle(page);
  // A dialog gives the focus back a frame after it is gone, and the list takes it from there.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.closest('main') === null ? activeElement.tagName : 'MAIN';
      }),
    )
    .toBe('MAIN');
}

test('after a bank account is verified the focus stays in the list', async ({
  page,
  context,
  company,
}) => {
  const { db, services } = company;
  for (const firstName of ['First', 'Second']) {
    const owner = await company.createEmployee({ firstName, lastName: 'Focuswell' });
    await pendingBank(db, services, owner.by, {
      accountHolderName: `${firstName} Focuswell`,
    });
  }
  await signIn(context, 'admin');
  await page.goto('/admin/bank-accounts?search=Focuswell');
  await page.getByRole('button', { name: /^Verify First Focuswell/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('row', { name: /First Focuswell/ })).toHaveCount(0);
  await expectFocusInMain(page);
  await expect(page.locator('tbody :focus')).toHaveCount(1);

  // The last one: the list is empty after it.
  await page.getByRole('button', { name: /^Verify Second Focuswell/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('No bank accounts found')).toBeVisible();
  await expectFocusInMain(page);
});

test('after a withdrawal is rejected the focus stays on the screen', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({
    lastName: 'Focusrow',
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
  const wallets = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  await ask(api, 'requestWithdrawal', {
    body: {
      walletId: wallets.accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: money(10_000n, 'USD'),
    },
  });
  await signIn(context, 'admin');
  await page.goto('/admin/withdrawals?search=Focusrow&status=pending');
  await page.getByRole('button', { name: /^Reject Test Focusrow/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Another holder.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('No withdrawals found')).toBeVisible();
  await expectFocusInMain(page);
});

test('after a bank account is deleted the focus stays on the screen', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ hasVerifiedBank: true });
  await signIn(context, person);
  await page.goto('/employee/bank-details');
  await page.getByRole('button', { name: /^(Delete|Remove)/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Delete|Remove)/ })
    .click();
  await expect(page.getByRole('button', { name: /^(Delete|Remove)/ })).toHaveCount(0);
  await expectFocusInMain(page);
});

test('a refusal of the server in a dialog takes the focus', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee();
  await signIn(context, person);
  faults.allowRefusal(422, '/bank-accounts');
  await page.route('**/api/bank-accounts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: {
            type: 'urn:purser:problem:invalid_input',
            title: 'Please check what you entered.',
            status: 422,
            code: 'invalid_input',
            requestId: 'test',
            errors: [{ path: 'bankName', message: 'Enter the name of the bank' }],
          },
        })
      : route.fallback(),
  );
  await page.goto('/employee/bank-details');
  await page.getByRole('button', { name: 'Add Bank Account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Routing Number').fill('021000021');
  await dialog.getByLabel('Bank Name').fill('Cascade');
  await dialog.getByLabel('Account Type').selectOption('Checking');
  await dialog.getByLabel('Account Number', { exact: true }).fill('0012345678');
  await dialog.getByLabel('Repeat Account Number').fill('0012345678');
  await dialog.getByLabel('Account Holder Name').fill('Test Person');
  await dialog.getByRole('button', { name: 'Add Bank Account' }).click();
  await expect(dialog.getByRole('alert')).toBeFocused();
});

test('Escape asks before it drops what was typed', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  await signIn(context, person);
  await page.clock.install();
  await page.goto('/employee/bank-details');
  await page.getByRole('button', { name: 'Add Bank Account' }).first().click();
  const dialog = page.getByRole('dialog', { name: /Bank Account/ });
  await escape(dialog);
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Add Bank Account' }).first().click();
  // Half a second after it opened, React Aria gives a dialog the focus again that the page has lost at that moment.
  await expect(dialog).toBeVisible();
  await page.clock.fastForward(1_000);
  await dialog.getByLabel('Bank Name').fill('Cascade');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(dialog.getByLabel('Bank Name')).toHaveValue('Cascade');
  await expect(dialog.getByLabel('Bank Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(question).toHaveCount(0);
});

test('the summary of the form to sign up takes the focus', async ({ page }) => {
  await page.goto('/onboarding');
  await page.getByLabel('Password', { exact: true }).fill('Test-purser-2026');
  await page.getByLabel('Confirm Password').fill('Test-purser-2026');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please' })).toBeFocused();
});

test('after a dialog that followed another one the focus is where the first one was opened', async ({
  page,
  context,
  company,
}) => {
  const stamp = String(Date.now());
  await signIn(context, 'admin');
  await page.goto('/admin/employees');
  const add = page.getByRole('button', { name: 'Add Employee' });
  await add.click();
  const form = page.getByRole('dialog', { name: 'Add Employee' });
  await form.getByLabel('Full Name').fill('Nadia Focuslast');
  await form.getByLabel('Email').fill(`nadia-${stamp}@tallisreed.example`);
  await form.getByLabel('Department').selectOption('data-entry');
  await form.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('dialog', { name: 'Account created' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(add).toBeFocused();

  const person = await company.createEmployee({ lastName: `Focusfund${stamp}` });
  await page.goto('/admin/individual-funding');
  await page.getByRole('searchbox').fill(person.lastName);
  const fund = page.getByRole('button', { name: `Fund Employee Test ${person.lastName}` });
  await fund.click();
  await page.getByRole('radio', { name: 'Bonus' }).check();
  await page.getByLabel('Description').fill('Fourth quarter');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: /^Fund Test/ }).click();
  await escape(page.getByRole('dialog', { name: /is funded$/ }));
  await expect(fund).toBeFocused();
});
