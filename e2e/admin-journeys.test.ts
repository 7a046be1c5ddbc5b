import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import type { Company } from './support/company.ts';
import { watchJourneys } from './support/journey.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const HEADING = '## Administrators';
const FIFTY = 50;
/** For fifty approvals, one after the other, on a machine that is busy with other things. */
const FIFTY_WITHIN_MS = 150_000;
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

/** One person, of whom so many deposits of $77.00 wait. */
async function createDepositor(company: Company, lastName: string, deposits: number) {
  const person = await company.createEmployee({ firstName: 'Sender', lastName });
  const wallet = await fundedWallet(company.db, company.services, person.by, 0n);
  await withTx(company.db, async (tx) => {
    for (let index = 0; index < deposits; index += 1) {
      await requestDeposit(tx, company.services, person.by, {
        walletId: wallet.id,
        method: 'ach',
        amount: { minor: '7700', currency: 'USD' },
        description: `Deposit ${index}`,
      });
    }
  });
}

test('what an officer does all day takes the steps in docs/journeys.md', async ({
  page,
  context,
  company,
}) => {
  const journeys = await watchJourneys(page);
  const stamp = String(Date.now());
  await createDepositor(company, `Single${stamp}`, 1);
  await createDepositor(company, `Many${stamp}`, FIFTY);
  await signIn(context, 'admin');
  const toDashboard = async () => {
    await page.goto('/admin/dashboard');
    await expect(page.getByRole('heading', { name: 'Upcoming Payroll' })).toBeVisible();
  };

  await toDashboard();
  await journeys.expect(HEADING, 'One deposit approved', async () => {
    await follow(page, /^Deposits/);
    await page.getByRole('searchbox').fill(`Single${stamp}`);
    await expect(page.locator('tr[data-row]')).toHaveCount(1);
    await press(page, /^Approve/);
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await expect(page.getByText('No deposits found')).toBeVisible();
  });

  await toDashboard();
  await journeys.expect(HEADING, 'Fifty deposits approved', async () => {
    await follow(page, /^Deposits/);
    await page.getByRole('searchbox').fill(`Many${stamp}`);
    await expect(page.getByText(`of ${FIFTY} deposits`)).toBeVisible();
    await page.getByRole('combobox', { name: 'Rows' }).selectOption(String(FIFTY));
    await expect(page.locator('tr[data-row]')).toHaveCount(FIFTY);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(page, new RegExp(`^Approve ${FIFTY} Deposits`));
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await expect(page.getByRole('dialog', { name: `${FIFTY} deposits approved` })).toBeVisible({
      timeout: FIFTY_WITHIN_MS,
    });
    await press(page, 'Done');
    await expect(page.getByText('No deposits found')).toBeVisible();
  });

  await toDashboard();
  const email = `nadia-${stamp}@tallisreed.example`;
  await journeys.expect(HEADING, 'Person added', async () => {
    await follow(page, /^Employees/);
    await press(page, 'Add Employee');
    const form = page.getByRole('dialog', { name: 'Add Employee' });
    await form.getByLabel('Full Name').fill('Nadia Osei');
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Department').selectOption('customer-support');
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByRole('dialog', { name: 'Account created' })).toBeVisible();
  });

  await toDashboard();
  const { rows } = await sql<{ reference: string }>`
    SELECT reference FROM ledger_transaction WHERE reference LIKE 'PAY-%' LIMIT 1`.execute(
    company.db,
  );
  const reference = rows[0]?.reference ?? '';
  await journeys.expect(HEADING, 'Transaction found', async () => {
    await page.getByRole('link', { name: 'See All Transactions' }).click();
    await page.getByRole('searchbox').fill(reference);
    await page
      .getByRole('link', { name: /^Open PAY-/ })
      .first()
      .click();
    await expect(page.getByRole('region', { name: 'Proof' })).toBeVisible();
  });

  await toDashboard();
  await journeys.expect(HEADING, 'Person funded', async () => {
    await follow(page, /^Individual Funding/);
    await page.getByRole('searchbox').fill(email);
    await press(page, 'Fund Employee Nadia Osei');
    const form = page.getByRole('dialog', { name: 'Fund Employee' });
    await form.getByRole('radio', { name: 'Bonus' }).check();
    await form.getByLabel('Description').fill('Fourth quarter');
    await form.getByRole('button', { name: 'Preview' }).click();
    await press(page, /^Fund Nadia Osei/);
    await expect(page.getByRole('dialog', { name: /is funded$/ })).toBeVisible();
  });

  const leaver = await company.createEmployee({
    lastName: `Leaver${stamp}`,
    fundedMinor: 89_975n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await toDashboard();
  await journeys.expect(HEADING, 'Leaver paid out', async () => {
    await follow(page, /^Employees/);
    await page.getByRole('searchbox').fill(leaver.email);
    await page.getByRole('link', { name: `Test Leaver${stamp}` }).click();
    await press(page, 'Deactivate');
    const question = page.getByRole('dialog', { name: 'Deactivate employee' });
    await question.getByLabel('Reason').fill('Left the company');
    await question.getByRole('button', { name: 'Deactivate' }).click();
    await press(page, 'Pay Out Balance');
    await press(page, 'Request Payout of $899.75');
    await expect(page.getByText('Payout Requested')).toBeVisible();
  });
});
