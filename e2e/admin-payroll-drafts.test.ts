import { readFileSync } from 'node:fs';
import type { Locator, Page, Request } from '@playwright/test';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { watchJourneys } from './support/journey.ts';
import { confirmSend, openedReview, sendReviewed, whileNobodySends } from './support/payroll.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Whoever prepares the drafts of a test: the drafts of other tests have another name. */
let officer: Person;

test.beforeEach(async ({ context, company }) => {
  officer = await company.createAdmin({ firstName: 'Officer', lastName: `D${Date.now()}` });
  await signIn(context, officer);
});

test('a payroll with each person’s own amount is typed like in a spreadsheet, kept, and sent', async ({
  page,
  company,
  openAs,
  faults,
}) => {
  const journeys = await watchJourneys(page);
  const ada = await company.createEmployee({
    firstName: 'Ada',
    lastName: 'Abbott',
    department: 'hr',
  });
  await company.createEmployee({ firstName: 'Bela', lastName: 'Abbott', department: 'hr' });
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'HR' });
  await page.getByLabel('Description').fill('Own amounts of HR');
  await page.getByText('Each person’s own amount').click();
  await page.getByText('No amounts yet').click();
  await page.getByRole('button', { name: 'Prepare Amounts' }).click();

  const grid = page.getByRole('grid', { name: /^Amounts of Salary Wallet/ });
  const cellOf = (name: string) => grid.getByRole('textbox', { name: `This time, ${name}` });
  await cellOf('Ada Abbott').focus();
  await page.keyboard.press('Enter');
  await expect(cellOf('Bela Abbott')).toBeFocused();
  await page.keyboard.press('Shift+Enter');
  await expect(cellOf('Ada Abbott')).toBeFocused();
  await page.keyboard.type('1,200.5');
  await page.keyboard.press('Enter');
  await expect(cellOf('Ada Abbott')).toHaveText('$1,200.50');
  await expect(cellOf('Bela Abbott')).toBeFocused();
  await page.keyboard.type('12.345');
  await page.keyboard.press('Enter');
  await expect(cellOf('Bela Abbott')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert')).toContainText('Bela Abbott: Please enter a valid amount');
  const review = page.getByRole('button', { name: /^Review Payroll/ });
  await expect(review).toHaveAttribute('aria-disabled', 'true');

  await cellOf('Bela Abbott').focus();
  await page.keyboard.press('Delete');
  await page.keyboard.type('800');
  await page.keyboard.press('ArrowUp');
  await expect(cellOf('Ada Abbott')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(cellOf('Bela Abbott')).toHaveText('–');
  await page.keyboard.press('Control+y');
  await expect(cellOf('Bela Abbott')).toHaveText('$800.00');
  await expect(page.getByRole('row', { name: /^Total, 2 people/ })).toContainText('$2,000.50');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // It is being saved by itself when it is saved by hand.
  const held = Promise.withResolvers<void>();
  const isSave = (request: Request) => request.method() === 'PUT';
  await page.route('**/api/admin/payroll/drafts/*', async (route) => {
    if (isSave(route.request())) await held.promise;
    await route.continue();
  });
  const saving = page.waitForRequest(isSave);
  await page.getByLabel('Description').fill('Own amounts of HR people');
  await saving;
  await page.getByRole('button', { name: 'Save Draft' }).click();
  held.resolve();
  const draft = page
    .getByRole('table', { name: 'Drafts' })
    .getByRole('row')
    .filter({ hasText: officer.lastName });
  await expect(draft).toContainText('$2,000.50');
  await expectAccessible(page);
  await draft
    .getByRole('button', { name: /^Resume/ })
    .last()
    .click();
  await expect(cellOf('Ada Abbott')).toHaveText('$1,200.50');

  await review.click();
  await expect(await openedReview(page)).toContainText('2 employees');
  await sendReviewed(page, faults, 'Send Payroll $2,000.50');
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed');
  const adasPage = await openAs(ada);
  await adasPage.goto('/employee/dashboard');
  await expect(adasPage.getByText('$1,200.50').first()).toBeVisible();

  // Nobody was paid in this pay period then, so that no second payment has to be confirmed.
  const batchId = new URL(page.url()).searchParams.get('batch') ?? '';
  await takeBack(company, batchId);
  const { number } = await company.db
    .selectFrom('payrollBatch')
    .select('number')
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('heading', { name: 'Upcoming Payroll' })).toBeVisible();
  await journeys.expect('## Administrators', 'Payroll as last time with one change', async () => {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Payroll/ })
      .click();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: new RegExp(`batch ${number}$`) }).click();
    await page.getByRole('button', { name: 'Copy to Draft' }).click();
    await cellOf('Bela Abbott').focus();
    await page.keyboard.press('F2');
    await cellOf('Bela Abbott').fill('900');
    await page.keyboard.press('Enter');
    // Its steps are counted: it is not reviewed twice.
    await whileNobodySends(company, async () => {
      await review.click();
      await confirmSend(page, 'Send Payroll $2,100.50');
      await expect(page.getByRole('list', { name: 'Payroll progress' })).toBeVisible();
    });
  });
});

/** Takes everything that a payroll paid back, as another administrator. */
async function takeBack(company: Company, batchId: string): Promise<void> {
  const { by } = await company.createAdmin();
  const lines = await company.db
    .selectFrom('payrollLine')
    .select(['id', 'amountMinor'])
    .where('batchId', '=', batchId)
    .execute();
  for (const { id, amountMinor } of lines) {
    const left = money(amountMinor, 'USD');
    const why = { reason: 'wrong_amount', message: 'Paid again' } as const;
    await withTx(company.db, (tx) =>
      reverseLine(tx, company.services, by, { id, amount: left, left, ...why }),
    );
  }
}

test('a draft is kept from the form, copied, renamed, and listed on the dashboard', async ({
  page,
}) => {
  const name = `Kept ${Date.now()}`;
  await page.goto('/admin/payroll');
  const save = page.getByRole('button', { name: 'Save Draft' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'HR' });
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50');
  await save.click();

  const drafts = page
    .getByRole('table', { name: 'Drafts' })
    .getByRole('row')
    .filter({ hasText: officer.lastName });
  await expect(drafts).toHaveCount(1);
  const act = async (named: string | RegExp, label: string) => {
    await drafts.getByRole('button', { name: named }).click();
    await page.getByRole('menuitem', { name: label }).click();
  };
  const rename = async (named: string | RegExp, to: string) => {
    await act(named, 'Rename');
    const dialog = page.getByRole('dialog', { name: 'Rename Draft' });
    await dialog.getByLabel('Name').fill(to);
    await dialog.getByRole('button', { name: 'Rename Draft' }).click();
    await expect(dialog).toBeHidden();
  };
  await rename(/^More for/, name);
  await act(`More for ${name}`, 'Copy');
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('12.50');
  const copy = page.url();

  const upcoming = page.getByRole('listitem').filter({ hasText: name });
  // The five that were changed last are listed: those of other tests may come in between, and then it is changed again.
  await expect(async () => {
    await page.goto('/admin/payroll?tab=history');
    await rename(`More for ${name}`, name);
    await page.goto('/admin/dashboard');
    await expect(upcoming).toContainText('Draft', { timeout: 10_000 });
    await upcoming.getByRole('link', { name }).click({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('12.50');
  expect(page.url()).not.toBe(copy);

  await page.getByRole('tab', { name: 'History' }).click();
  await rename(`More for ${name}`, '');
  await expect(drafts.getByRole('button', { name: `More for ${name}` })).toHaveCount(0);
});

test('people are chosen by name, the same amount for each, and one more in the sheet', async ({
  page,
  company,
}) => {
  const lastName = `Chosen${Date.now()}`;
  for (const firstName of ['Ines', 'Jonas', 'Kim']) {
    await company.createEmployee({ firstName, lastName });
  }
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'Chosen people' });
  await page.getByLabel('Description').fill('Thank you');
  const open = page.getByRole('button', { name: 'Choose People' });
  await expect(open).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('textbox', { name: 'Amount' }).fill('50');
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Choose People' });
  await expect(dialog.getByRole('button', { name: 'Add People' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByRole('searchbox').fill(`Ines ${lastName}`);
  await dialog.getByRole('checkbox', { name: `Select Ines ${lastName}` }).check();
  await dialog.getByRole('searchbox').fill(`Jonas ${lastName}`);
  await dialog.getByRole('checkbox', { name: `Select Jonas ${lastName}` }).check();
  await expect(dialog.getByRole('status').first()).toContainText(
    `Ines ${lastName}, Jonas ${lastName} will be added.`,
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add 2 People' }).click();

  const cellOf = (name: string) =>
    page.getByRole('textbox', { name: `This time, ${name} ${lastName}` });
  await expect(cellOf('Ines')).toHaveText('$50.00');
  await expect(page.getByRole('row', { name: /^Total, 2 people/ })).toContainText('$100.00');

  await page.getByRole('button', { name: 'Add People' }).click();
  await dialog.getByRole('searchbox').fill(lastName);
  await expect(dialog.getByRole('checkbox', { name: /^Select \w+ Chosen/ })).toHaveCount(1);
  await dialog.getByRole('checkbox', { name: `Select Kim ${lastName}` }).check();
  await dialog.getByRole('button', { name: 'Add 1 Person' }).click();
  await type(page, cellOf('Kim'), '75');
  await expect(page.getByRole('row', { name: /^Total, 3 people/ })).toContainText('$175.00');
  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  await expect(await openedReview(page)).toContainText('Chosen people, 3 employees');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Rehearsal' }).click();
  const rehearsal = readFileSync(await (await downloading).path(), 'utf8');
  expect(rehearsal).toMatch(new RegExp(`Kim ${lastName},[^\\r]*,paid,,75\\.00,`));
});

test('two administrators in one draft see each other’s amounts, and are asked where both changed one', async ({
  page,
  company,
  openAs,
  faults,
}) => {
  faults.allowRefusal(409, '/api/admin/payroll/drafts');
  for (const firstName of ['Cleo', 'Dara', 'Enzo']) {
    await company.createEmployee({ firstName, lastName: 'Zabel', department: 'general' });
  }
  const second = await company.createAdmin();
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'General' });
  await page.getByLabel('Description').fill('Pay of general');
  await page.getByText('Each person’s own amount').click();
  await page.getByText('No amounts yet').click();
  await page.getByRole('button', { name: 'Prepare Amounts' }).click();
  const cell = (on: Page, name: string) =>
    on.getByRole('textbox', { name: `This time, ${name} Zabel` });
  // Others of the department may be more than the sheet draws.
  await page.getByRole('searchbox', { name: 'Search name or employee ID' }).fill('Zabel');
  await type(page, cell(page, 'Cleo'), '100');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();

  const other = await openAs(second);
  await other.goto(page.url());
  await other.getByRole('searchbox', { name: 'Search name or employee ID' }).fill('Zabel');
  await expect(cell(other, 'Cleo')).toHaveText('$100.00');
  await type(other, cell(other, 'Dara'), '200');
  await expect(cell(page, 'Dara')).toHaveText('$200.00');

  // Their next saves are held back until both have typed.
  const held = Promise.withResolvers<void>();
  await page.route('**/api/admin/payroll/drafts/*', async (route) => {
    if (route.request().method() === 'PUT') await held.promise;
    await route.continue();
  });
  await type(page, cell(page, 'Enzo'), '300');
  await type(other, cell(other, 'Enzo'), '333');
  await expect(other.getByText(/^Draft saved/)).toBeVisible();
  held.resolve();
  const question = page.getByRole('alert');
  await expect(question).toContainText('has changed 1 amount that you changed too.');
  await expect(question).toContainText('Enzo Zabel: $333.00 instead of your $300.00');
  await question.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(cell(other, 'Enzo')).toHaveText('$300.00');
  await expect(page.getByRole('row', { name: /^Total, \d+ people/ })).toContainText('$600.00');
});

async function type(page: Page, cell: Locator, amount: string): Promise<void> {
  await cell.focus();
  await page.keyboard.type(amount);
  await page.keyboard.press('Enter');
}
