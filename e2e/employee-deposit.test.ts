import type { Page } from '@playwright/test';
import { depositActs } from '#server/modules/deposits/index.ts';
import { withTx } from '#server/db/tx.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { picture } from '#test/factories/images.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** A person with a salary wallet and a phone number. */
function createDepositor(company: Company): Promise<Person> {
  return company.createEmployee({ fundedMinor: 50_000n, isApproved: true });
}

const dialog = (page: Page) => page.getByRole('dialog');
const next = (page: Page) => dialog(page).getByRole('button', { name: 'Next' });

async function openDeposit(page: Page): Promise<void> {
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Deposit to Salary Wallet' }).click();
  await expect(next(page)).toBeVisible();
}

/** Fills the steps of a person with one account; the last one is shown. */
async function fillDeposit(page: Page, method: string, amount: string): Promise<void> {
  await openDeposit(page);
  await dialog(page).getByRole('radio', { name: method }).check();
  await next(page).click();
  await dialog(page).getByLabel('Amount').fill(amount);
  await next(page).click();
}

test('an employee deposits by wire: three steps, what to send, then cancels', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await createDepositor(company));
  await openDeposit(page);
  // The one account is not asked for.
  const into = dialog(page).getByRole('group', { name: 'Deposit into' });
  await expect(into).toContainText(/Available \$500\.00\s*Salary Wallet ••\d{4}/);
  await expect(dialog(page).getByRole('list', { name: 'Step 1 of 3' })).toBeVisible();
  const wire = dialog(page).getByRole('radio', { name: 'Wire transfer' });
  await expect(wire).toHaveAccessibleDescription(
    '$1,000 to $100,000 each, $500,000 a day $25.00 fee Same day',
  );
  await wire.check();
  await next(page).click();
  await expect(dialog(page)).toContainText('You can send $500,000.00 more by wire today.');
  await dialog(page).getByLabel('Amount').fill('1500');
  await dialog(page).getByLabel('Description').fill('From my savings');
  await expect(dialog(page).getByRole('definition').first()).toHaveText('$1,525.00');
  await next(page).click();
  await expect(dialog(page)).toContainText('Wire transfer, same day');
  await expect(dialog(page)).toContainText('$2,000.00');
  await dialog(page).getByRole('button', { name: 'Deposit $1,500.00' }).click();

  const result = page.getByRole('dialog', { name: 'Deposit Submitted' });
  await expect(result).toContainText(/DEP-\d{8}/);
  await expect(result).toContainText('Pending Approval');
  await expect(result).toContainText('Northgate Commerce Bank, N.A.');
  await expect(result).toContainText('Waiting for approval');
  await expect(result).toContainText('Disputes must be reported within 60 days, by ');
  await expect(result.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
    'href',
    /^mailto:payroll@tallisreed\.example\?subject=DEP-\d{8}$/,
  );
  await expect(result).toContainText('Routing number084 207 311');
  await expect(result).toContainText('Account number4400128865');
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Deposit to Salary Wallet' })).toBeFocused();

  await page.getByRole('link', { name: /^Wire transfer, DEP-/ }).click();
  await expect(page).toHaveURL(/\?deposit=/);
  const details = page.getByRole('dialog', { name: 'Deposit details' });
  await details.getByRole('button', { name: 'Cancel Request' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Request' }).click();
  await expect(page.getByText('Deposit Cancelled', { exact: true })).toBeVisible();
  await expect(details).toContainText('Cancelled');
  await expect(details.getByRole('button', { name: 'Cancel Request' })).toHaveCount(0);
  await escape(details);
  await expect(page).toHaveURL('/employee/dashboard');
  await expect(page.getByText('No pending deposits')).toBeVisible();
});

test('a deposit is asked for with the keyboard alone', async ({ page, context, company }) => {
  await signIn(context, await createDepositor(company));
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Deposit to Salary Wallet' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('radio', { name: 'ACH transfer' })).toBeChecked();
  const pressNext = async (name: string | RegExp = 'Next') => {
    const button = dialog(page).getByRole('button', { name });
    while (!(await button.evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  };
  await pressNext();
  await dialog(page).getByLabel('Amount').focus();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await pressNext('Deposit $25.00');
  await escape(page.getByRole('dialog', { name: 'Deposit Submitted' }));
  await expect(page.getByRole('button', { name: 'Deposit to Salary Wallet' })).toBeFocused();
});

test('each rule has its sentence, and the day’s limit is the server’s too', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(422, '/api/deposits');
  const person = await createDepositor(company);
  await signIn(context, person);
  await fillDeposit(page, 'Card', '5');
  const summary = page.getByRole('alert').filter({ hasText: 'Please' });
  await expect(summary).toContainText('Amount must be between $10.00 and $5,000.00');
  const amount = dialog(page).getByLabel('Amount');
  for (const [typed, words] of [
    ['', 'Please fill in all required fields'],
    ['-5', 'Please enter a valid amount'],
    ['1e3', 'Please enter a valid amount'],
    ['10.001', 'Please enter a valid amount'],
    ['5000.01', 'Amount must be between $10.00 and $5,000.00'],
  ] as const) {
    await amount.fill(typed);
    await amount.press('Enter');
    await expect(summary).toContainText(words);
  }
  await amount.fill('5000');
  await amount.press('Enter');
  const send = dialog(page).getByRole('button', { name: 'Deposit $5,000.00' });
  await expect(send).toBeVisible();

  // Meanwhile, in another window, the day's limit is used up but for a cent less.
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  for (const minor of ['500000', '1000']) {
    await ask(api, 'requestDeposit', {
      body: {
        walletId: accounts[0]?.id ?? '',
        method: 'card',
        amount: { minor, currency: 'USD' },
      },
    });
  }
  await send.click();
  await expect(summary).toContainText(
    'This exceeds the daily limit of $10,000.00 for this method.',
  );
  await expect(amount).toHaveValue('5000');
});

test('a card is paid on the company’s own page, and no number is asked for', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await createDepositor(company));
  await fillDeposit(page, 'Card', '250');
  await dialog(page).getByRole('button', { name: 'Deposit $250.00' }).click();
  const pay = dialog(page).getByRole('link', { name: 'Pay $256.55 by Card' });
  await expect(pay).toHaveAttribute('href', 'https://pay.tallisreed.example/card');
  await expect(pay).toHaveAttribute('target', '_blank');
  await expect(dialog(page).getByRole('textbox')).toHaveCount(0);
});

test('a mobile check: both photographs, then it is approved', async ({
  page,
  context,
  company,
}) => {
  const person = await createDepositor(company);
  await signIn(context, person);
  await fillDeposit(page, 'Mobile check', '300');
  await dialog(page).getByRole('button', { name: 'Deposit $300.00' }).click();
  await expect(dialog(page)).toContainText('Write the reference on the memo line');
  const seed = Math.floor(Math.random() * 1_000_000);
  for (const [index, label] of ['Front of check', 'Back of check, signed'].entries()) {
    await dialog(page)
      .getByLabel(label, { exact: true })
      .setInputFiles({
        name: `check-${index}.png`,
        mimeType: 'image/png',
        buffer: await picture('png', { seed: seed + index, width: 400 + (seed % 97) }),
      });
    await expect(dialog(page).getByText(`check-${index}.png`)).toBeVisible();
  }
  await expect(dialog(page).getByRole('img', { name: 'Front of check' })).toBeVisible();
  await expectAccessible(page);

  const api = await apiAs(person);
  const [deposit] = (await ask(api, 'listDeposits', { query: { status: 'pending' } })).items;
  await withTx(company.db, (tx) =>
    depositActs.approve(tx, company.services, company.admin, { id: deposit?.id ?? '' }),
  );
  await expect(dialog(page)).toContainText('Arrived');
});

test('amounts are hidden everywhere, and stay so', async ({ page, context, company }) => {
  const person = await createDepositor(company);
  await signIn(context, person);
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  await ask(api, 'requestDeposit', {
    body: {
      walletId: accounts[0]?.id ?? '',
      method: 'ach',
      amount: { minor: '12345', currency: 'USD' },
    },
  });
  await page.goto('/employee/dashboard');
  await expect(page.getByText('$123.45').first()).toBeVisible();
  await page.getByRole('button', { name: 'Hide amounts' }).click();
  await expect(page.getByText('Amounts are hidden.')).toBeVisible();
  const figures = /\d[\d,]*\.\d\d/;
  await expect(page.locator('body')).not.toContainText(figures);
  await expect(page.getByRole('img', { name: 'Received by month, hidden.' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Amounts are hidden.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pending Deposits' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText(figures);
  expect(await page.locator('body').evaluate((body) => body.outerHTML)).not.toMatch(
    /500\.00|123\.45/,
  );

  // The amount that is being moved now is shown; the balance next to it is not.
  await fillDeposit(page, 'ACH transfer', '20');
  await expect(dialog(page).getByRole('button', { name: 'Deposit $20.00' })).toBeVisible();
  await expect(dialog(page)).not.toContainText('$520.00');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Show amounts' }).first().click();
  await expect(page.getByText('$123.45').first()).toBeVisible();
});

test('a further account is opened', async ({ page, context, company }) => {
  await signIn(context, await createDepositor(company));
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Open an account' }).click();
  await dialog(page).getByRole('radio', { name: 'IRS Account' }).check();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Open Account' }).click();
  await expect(page.getByText('Account Opened', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deposit to IRS Account' })).toBeVisible();
});

describeVisits('the deposit dialog', (looks) => {
  test('is accessible and fits, step by step', async ({ page, context, company }) => {
    const person = await createDepositor(company);
    await fundedWallet(company.db, company.services, person.by, 0n, 'savings');
    await signIn(context, person);
    await openDeposit(page);
    await expect(dialog(page).getByRole('list', { name: 'Step 1 of 4' })).toBeVisible();
    await expect(dialog(page).getByRole('radio', { name: 'Salary Wallet' })).toBeChecked();
    await expectFineInLooks(page, looks);
    await next(page).click();
    await expectFineInLooks(page, looks);
    await dialog(page).getByRole('radio', { name: 'Wire transfer' }).check();
    await next(page).click();
    await dialog(page).getByLabel('Amount').fill('1500');
    await expectFineInLooks(page, looks);
    await next(page).click();
    await expectFineInLooks(page, looks);
    await dialog(page).getByRole('button', { name: 'Deposit $1,500.00' }).click();
    await expect(dialog(page)).toContainText('Northgate');
    await expectFineInLooks(page, looks);
  });
});

test('a deposit without an answer says so, and is asked for once', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  const person = await createDepositor(company);
  await signIn(context, person);
  await fillDeposit(page, 'ACH transfer', '50');
  const requests = '**/api/deposits';
  await page.route(requests, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  const send = dialog(page).getByRole('button', { name: 'Deposit $50.00' });
  await send.click();
  await expect(dialog(page)).toContainText('We can’t tell whether your request went through.');
  await page.unroute(requests);
  await send.click();
  await expect(page.getByRole('dialog', { name: 'Deposit Submitted' })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listDeposits', { query: {} });
  expect(items).toHaveLength(1);
});
