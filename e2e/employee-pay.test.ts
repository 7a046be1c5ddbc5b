import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, waitForSilence } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
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
    'No one can be paid at this address. Check the spelling.',
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
  await receipt.getByRole('button', { name: 'Done' }).click();
  await expect(payAPerson(page)).toBeFocused();

  await expect(page.getByRole('table', { name: 'Recent payments' })).toContainText(
    'Payment to Keiko Tanabe',
  );
  await page.getByRole('button', { name: 'Pay Keiko Tanabe' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('Keiko Tanabe');
  await page.keyboard.press('Escape');

  await signIn(context, keiko);
  await page.goto('/employee/dashboard');
  await expect(page.getByRole('table', { name: 'Recent Activity' })).toContainText(
    'Payment from Test Person',
  );
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

describeLooks('paying a person', () => {
  test('is readable and accessible', async ({ page, context, company }) => {
    const keiko = await createKeiko(company);
    await signIn(context, await createPayer(company));
    await page.goto('/employee/dashboard?tab=payments');
    await payAPerson(page).click();
    await dialog(page).getByLabel('Their work email').fill(keiko.email);
    await dialog(page).getByRole('button', { name: 'Find' }).click();
    await dialog(page).getByLabel('Amount').fill('60');
    await dialog(page).getByLabel('Note').fill('Farewell gift for Hannah');
    await waitForSilence(page);
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Review Payment' }).click();
    await waitForSilence(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay Keiko Tanabe $60.00' }).click();
    await expect(page.getByRole('dialog', { name: 'Payment Sent' })).toBeVisible();
    await waitForSilence(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Remove Keiko Tanabe' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
