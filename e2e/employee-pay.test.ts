import type { Page } from '@playwright/test';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const createPayer = (company: Company): Promise<Person> =>
  company.createEmployee({ fundedMinor: 50_000n, isApproved: true });
const createKeiko = (company: Company): Promise<Person> =>
  company.createEmployee({ firstName: 'Keiko', lastName: 'Tanabe' });

const dialog = (page: Page) => page.getByRole('dialog');
const payAPerson = (page: Page) => page.getByRole('button', { name: 'Pay a Person', exact: true });

test('an employee pays a colleague: found by e-mail, reviewed, paid, paid again', async ({
  page,
  context,
  openAs,
  company,
  faults,
}) => {
  faults.allowRefusal(404, '/api/payments/recipient');
  const keiko = await createKeiko(company);
  await signIn(context, await createPayer(company));
  await page.goto('/employee/dashboard');
  await page.getByRole('tab', { name: 'Payments' }).click();
  await expect(page).toHaveURL('/employee/dashboard?tab=payments');
  await expect(page.getByText('No payments yet')).toBeVisible();
  await payAPerson(page).click();

  const email = dialog(page).getByLabel('Their work email');
  await email.fill(`nobody.${keiko.email}`);
  await email.press('Enter');
  await expect(dialog(page)).toContainText(
    'No one with this address can be paid. Check the spelling.',
  );
  await email.fill(keiko.email.toUpperCase());
  await dialog(page).getByRole('button', { name: 'Find' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
  const amount = dialog(page).getByLabel('Amount');
  await amount.fill('500.01');
  await amount.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Please' })).toContainText(
    'Insufficient funds. Available: $500.00',
  );
  await amount.fill('60');
  await dialog(page).getByLabel('Note').fill('<b>Farewell gift</b>');
  await amount.press('Enter');

  const review = page.getByRole('dialog', { name: 'Review payment' });
  await expect(review).toContainText('A payment to a person cannot be undone.');
  await expect(review).toContainText('<b>Farewell gift</b>');
  await expect(review).toContainText('$440.00');
  await review.getByRole('button', { name: 'Pay Keiko Tanabe $60.00' }).click();
  const receipt = page.getByRole('dialog', { name: 'Payment Sent' });
  await expect(receipt).toContainText(/TXN-\d{8}/);
  await expect(receipt).toContainText('$440.00');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  for (const button of ['Open receipt', 'Print receipt', 'Done']) {
    const isWhole = { ratio: 1 };
    await expect(receipt.getByText(button, { exact: true }), button).toBeInViewport(isWhole);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await receipt.getByRole('button', { name: 'Done' }).click();
  await expect(payAPerson(page)).toBeFocused();

  await expect(page.getByRole('table', { name: 'Recent payments' })).toContainText(
    'Payment to Keiko Tanabe',
  );
  await page.getByRole('button', { name: 'Pay Keiko Tanabe' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
  await escape(dialog(page));

  // From its details in the history the same is paid again, as a payment of its own.
  await page.goto('/employee/history?type=transfer');
  await page.getByRole('button', { name: /^Open Payment to Keiko Tanabe/ }).click();
  await page.getByRole('link', { name: 'Pay Again' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('60.00');
  await expect(dialog(page).getByLabel('Note')).toHaveValue('<b>Farewell gift</b>');
  await dialog(page).getByRole('button', { name: 'Review Payment' }).click();
  await review.getByRole('button', { name: 'Pay Keiko Tanabe $60.00' }).click();
  await expect(receipt).toContainText('$380.00');
  await receipt.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL('/employee/dashboard?tab=payments');

  const hers = await openAs(keiko);
  await hers.goto('/employee/dashboard');
  await expect(hers.getByRole('table', { name: 'Recent Activity' })).toContainText(
    'Payment from Test Person',
  );
});

test('a payment is reviewed once its recipient was found, without another press', async ({
  page,
  context,
  company,
}) => {
  const keiko = await createKeiko(company);
  await signIn(context, await createPayer(company));
  await page.goto('/employee/dashboard?tab=payments');
  await payAPerson(page).click();
  const email = dialog(page).getByLabel('Their work email');
  const submit = dialog(page).getByRole('button', { name: 'Review Payment' });
  const found = dialog(page).getByRole('status');
  // Nothing is complained about before they were found.
  await email.fill((await company.createEmployee({ firstName: 'Ines' })).email);
  await submit.click();
  await expect(found).toContainText('Ines');
  await expect(dialog(page)).not.toContainText('Enter an amount');

  const search = Promise.withResolvers<void>();
  await page.route('**/api/payments/recipient', async (route) => {
    await search.promise;
    await route.continue();
  });
  await email.fill(keiko.email);
  await dialog(page).getByRole('button', { name: 'Find' }).click();
  await dialog(page).getByLabel('Amount').fill('12');
  await submit.click();
  search.resolve();
  const review = page.getByRole('dialog', { name: 'Review payment' });
  await expect(review).toContainText('Keiko Tanabe');
  await expect(review).toContainText('$12.00');
});

test('a person is found while the search for another one has no answer yet, which then comes too late', async ({
  page,
  context,
  company,
}) => {
  const keiko = await createKeiko(company);
  const ines = await company.createEmployee({ firstName: 'Ines' });
  await signIn(context, await createPayer(company));
  await page.goto('/employee/dashboard?tab=payments');
  await payAPerson(page).click();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/payments/recipient', async (route) => {
    if (route.request().postData()?.includes(ines.email)) await isReleased;
    await route.continue();
  });
  const email = dialog(page).getByLabel('Their work email');
  const submit = dialog(page).getByRole('button', { name: 'Review Payment' });
  await dialog(page).getByLabel('Amount').fill('12');
  await email.fill(ines.email);
  await submit.click();
  await email.fill(keiko.email);
  await dialog(page).getByRole('button', { name: 'Find' }).click();
  const found = dialog(page).getByRole('status');
  await expect(found).toContainText('Keiko Tanabe');
  const late = page.waitForResponse('**/api/payments/recipient');
  release();
  await late;
  await expect(found).toContainText('Keiko Tanabe');
  await submit.click();
  await expect(page.getByRole('dialog', { name: 'Review payment' })).toContainText('Keiko Tanabe');
});

test('a payment that is made again stays open, with what was typed, where nothing can be paid meanwhile', async ({
  page,
  context,
  company,
}) => {
  const keiko = await createKeiko(company);
  const payer = await createPayer(company);
  const api = await apiAs(payer);
  const { accounts } = await ask(api, 'listWallets', {});
  const amount = money(6_000n, 'USD');
  const body = { walletId: accounts[0]?.id ?? '', recipientId: keiko.id, amount, note: 'Tea' };
  await ask(api, 'payPerson', { body: { ...body, savePayee: false } });
  await signIn(context, payer);
  await page.goto('/employee/history?type=transfer');
  await page.getByRole('button', { name: /^Open Payment to Keiko Tanabe/ }).click();
  await page.getByRole('link', { name: 'Pay Again' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
  const note = dialog(page).getByLabel('Note');
  await note.fill('Tea for four');
  const review = dialog(page).getByRole('button', { name: 'Review Payment' });
  await expect(review).not.toHaveAttribute('aria-disabled', 'true');
  await ask(api, 'freezePayouts', {});
  await expect(review).toHaveAttribute('aria-disabled', 'true');
  await expect(review).toHaveAccessibleDescription(/^No money can leave your accounts/);
  await expect(note).toHaveValue('Tea for four');
});

test('nobody is paid without an approved identity, and the screen says so before', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createEmployee({ fundedMinor: 100n }));
  await page.goto('/employee/dashboard?tab=payments');
  await expect(page.getByText('Yours is not approved yet.')).toBeVisible();
  await expect(payAPerson(page)).toHaveAccessibleDescription('Paying needs an approved identity.');
});

test('an employee moves money between their accounts, also while their payouts are frozen', async ({
  page,
  context,
  company,
}) => {
  const { db, services } = company;
  const person = await createPayer(company);
  await signIn(context, person);
  await page.goto('/employee/dashboard?tab=payments');
  const act = page.getByRole('button', { name: 'Move Money' });
  await expect(act).toHaveAccessibleDescription('You need a second account to move money to.');
  await fundedWallet(db, services, person.by, 0n, 'savings');
  await withTx(db, (tx) => freezePayouts(tx, services, person.by));
  await page.reload();
  await expect(payAPerson(page)).toHaveAccessibleDescription('Your payouts are frozen.');

  await page.getByRole('region', { name: 'Move Money' }).getByRole('button').click();
  await expect(dialog(page)).toContainText('Available $500.00');
  const amount = dialog(page).getByLabel('Amount');
  await amount.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Enter an amount');
  await amount.fill('500.01');
  await amount.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Please' })).toContainText(
    'Insufficient funds. Available: $500.00',
  );
  await amount.fill('120');
  await expect(dialog(page)).toContainText('Salary Wallet $380.00');
  await expect(dialog(page)).toContainText('Savings Account (401k) $120.00');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move $120.00' }).dblclick();
  await expect(page.getByText('Money Moved', { exact: true })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  const savings = page.getByRole('listitem', { name: 'Savings Account (401k)' });
  await expect(savings).toContainText('$120.00');
  const recent = page.getByRole('table', { name: 'Recent payments' });
  await expect(recent).toContainText('Moved to Savings Account (401k)');
  await expect(recent).toContainText('Moved from Salary Wallet');
  await expectNoSidewaysScroll(page);

  // Back, from the accounts: the two change places.
  await page.getByRole('region', { name: 'Accounts' }).getByText('Move Money').click();
  const from = dialog(page).getByLabel('From Account');
  await from.selectOption(await from.getByText(/^Savings/).getAttribute('value'));
  await expect(dialog(page).getByRole('group', { name: 'To Account' })).toContainText(
    'Salary Wallet',
  );
  await amount.fill('120');
  await page.getByRole('button', { name: 'Move $120.00' }).click();
  await expect(savings).toContainText('$0.00');

  await page.goto('/employee/history?account=savings&from=2020-01-01');
  await expect(page.getByText('Moved to Salary Wallet')).toBeVisible();
});

describeVisits('paying a person', (looks) => {
  test('is readable and accessible', async ({ page, context, company }) => {
    const keiko = await createKeiko(company);
    await signIn(context, await createPayer(company));
    await page.goto('/employee/dashboard?tab=payments');
    await payAPerson(page).click();
    await dialog(page).getByLabel('Their work email').fill(keiko.email);
    await dialog(page).getByRole('button', { name: 'Find' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
    await dialog(page).getByLabel('Amount').fill('60');
    await dialog(page).getByLabel('Note').fill('Farewell gift for Hannah');
    await expectFineInLooks(page, looks);
    await dialog(page).getByRole('button', { name: 'Review Payment' }).click();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Pay Keiko Tanabe $60.00' }).click();
    await expect(page.getByRole('dialog', { name: 'Payment Sent' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Remove Keiko Tanabe' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
