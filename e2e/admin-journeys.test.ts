import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { fundedWallet, pendingBank, verifiedBank, withdrawalOf } from '#test/factories/money.ts';
import type { Company } from './support/company.ts';
import { watchJourneys } from './support/journey.ts';
import { sendReviewed } from './support/payroll.ts';
import { signIn } from './support/people.ts';
import { expect, test, WITH_MOTION } from './support/test.ts';

test.use(WITH_MOTION);

const HEADING = '## Administrators';
const FIFTY = 50;
/** For fifty approvals, one after the other, on a machine that is busy with other things. */
const FIFTY_WITHIN_MS = 150_000;
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();
/** Goes to a screen, and waits until it has the focus: the one before may have a search field too. */
async function follow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
}

/** One person, of whom so many deposits of $77.00 wait. */
async function createDepositor(company: Company, lastName: string, deposits: number) {
  const person = await company.createEmployee({ firstName: 'Sender', lastName });
  const wallet = await fundedWallet(company.db, company.services, person.by, 0n);
  await withTx(company.db, async (tx) => {
    for (let index = 0; index < deposits; index += 1) {
      await requestDeposit(tx, company.yesterday, person.by, {
        walletId: wallet.id,
        method: 'ach',
        amount: { minor: '7700', currency: 'USD' },
        description: `Deposit ${index}`,
      });
    }
  });
}

test('an officer’s day takes the steps in docs/journeys.md', async ({ page, context, company }) => {
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
    // Not before the list is filtered: a row that moves away while it is pressed is pressed again.
    await page
      .getByRole('link', { name: `Open ${reference}` })
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

  const paid = await company.createEmployee({ lastName: `Paid${stamp}`, fundedMinor: 81_225n });
  const batch = await company.db
    .selectFrom('payrollBatch')
    .innerJoin('payrollLine', 'payrollLine.batchId', 'payrollBatch.id')
    .select('number')
    .where('payrollLine.userId', '=', paid.id)
    .executeTakeFirstOrThrow();
  await toDashboard();
  await journeys.expect(HEADING, 'Payroll reversed', async () => {
    await follow(page, /^Payroll/);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('searchbox').fill(batch.number);
    await press(page, new RegExp(`^Open .*, batch ${batch.number}$`));
    await press(page, 'Reverse Payroll');
    const form = page.getByRole('dialog', { name: 'Reverse Payroll' });
    await form.getByLabel('Reason').selectOption('Paid twice');
    await form.getByLabel('What to tell the employees').fill('It was sent twice.');
    await form.getByRole('button', { name: 'Reverse $812.25' }).click();
    await press(page, 'Done');
    await expect(page.getByRole('row', { name: new RegExp(`Paid${stamp}`) })).toContainText(
      'Reversed',
    );
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
    await expect(page.getByText('Payout Requested', { exact: true })).toBeVisible();
  });
});

/** People with a bank account that waits, and people whose payout of $40.00 waits. */
async function createWork(company: Company, stamp: string): Promise<void> {
  const { db, services, admin } = company;
  for (const lastName of [`Bank${stamp} One`, `Bank${stamp} Two`]) {
    const { by, name } = await company.createEmployee({ firstName: 'Owner', lastName });
    await pendingBank(db, services, by, { accountHolderName: name });
  }
  for (let index = 0; index < 5; index += 1) {
    const lastName = `Payout${stamp}`;
    const { by } = await company.createEmployee({ lastName, isApproved: true });
    const wallet = await fundedWallet(db, services, by, 100_000n);
    const bank = await verifiedBank(db, services, { owner: by, admin });
    const asked = withdrawalOf({ by, wallet, bank }, 4_000n);
    await withTx(db, (tx) => requestWithdrawal(tx, services, by, asked));
  }
}

test('an officer who signed in an hour ago is asked once for a row of work, as docs/journeys.md says', async ({
  page,
  context,
  company,
  faults,
}) => {
  const journeys = await watchJourneys(page);
  const stamp = String(Date.now());
  await createWork(company, stamp);
  await company.createEmployee({ firstName: 'Paid', lastName: 'Person', department: 'sales' });
  const officer = await company.createAdmin({ firstName: 'Officer' });
  await signIn(context, officer);
  await company.db
    .updateTable('authSession')
    .set({ confirmedAt: null })
    .where('userId', '=', officer.id)
    .execute();
  faults.allowRefusal(403, '/verify');
  let answers = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/confirm')) answers += 1;
  });
  const bar = page.getByRole('group', { name: 'Selected rows' });
  const decideAll = async (list: string, name: string, count: number, act: string) => {
    await follow(page, new RegExp(`^${list}`));
    // The list before it has a search box, too.
    await page.getByRole('searchbox', { name: `Search ${list.toLowerCase()}` }).fill(name);
    await expect(page.locator('tr[data-row]')).toHaveCount(count);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: `${act} ${count}` }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: new RegExp(`^${act}`) })
      .click();
  };
  const done = (title: string) => expect(page.getByRole('dialog', { name: title })).toBeVisible();

  await page.goto('/admin/dashboard');
  await journeys.expect(HEADING, 'Two accounts verified, an hour after signing in', async () => {
    await decideAll('Bank Accounts', `Bank${stamp}`, 2, 'Verify');
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByLabel('Current Password').fill(officer.password);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await done('2 of 2 bank accounts verified');
  });
  await press(page, 'Done');
  await journeys.expect(HEADING, 'Five withdrawals approved after that', async () => {
    await decideAll('Withdrawals', `Payout${stamp}`, 5, 'Approve');
    await done('5 of 5 withdrawals approved');
  });
  await press(page, 'Done');

  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'Sales' });
  await page.getByRole('textbox', { name: 'Amount' }).fill('1');
  await page.getByLabel('Description').fill('A row of work');
  await press(page, /^Review Payroll \$/);
  await sendReviewed(page, faults);
  await expect(page.getByText('Payroll Processed Successfully', { exact: true })).toBeVisible();
  expect(answers).toBe(1);
});
