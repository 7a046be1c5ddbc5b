import { readFile } from 'node:fs/promises';
import { addMonths, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { fundEmployee } from '#server/modules/payroll/index.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { watchJourneys } from './support/journey.ts';
import { describeLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { smallTargets } from './support/targets.ts';
import { expect, test } from './support/test.ts';

/** Maya's documents of the year of last month, which has a final statement, also in January. */
async function documentsOfMaya() {
  const year = Number(addMonths(dayIn('America/New_York', new Date()), -1).slice(0, 4));
  return ask(await apiAs('maya'), 'listAccountDocuments', { query: { year } });
}

test('an employee reads their newest payslip on screen, in print and as PDF', async ({
  page,
  context,
  company,
}) => {
  // Paid today: in the first days of a year the demo's people have no payslip of it.
  const person = await company.createEmployee({ fundedMinor: 231_200n });
  const [payslip] = (await ask(await apiAs(person), 'listAccountDocuments', {})).payslips.items;
  await signIn(context, person);
  await page.goto('/employee/history');
  await page.getByRole('link', { name: 'Documents' }).click();
  const history = page.getByRole('link', { name: 'History', exact: true });
  await expect(history).toHaveAttribute('aria-current', 'page');
  const year = page.getByRole('link', { name: /^All of 20\d\d$/ });
  await expect(year).toHaveAttribute('href', /\/api\/document-archives\/20\d\d$/);
  await page.getByRole('link', { name: `Open payslip ${payslip?.reference}` }).click();
  const paper = page.getByRole('article', { name: `Payslip, ${payslip?.reference}` });
  await expect(paper.getByRole('heading', { level: 1 })).toHaveText('Payslip');
  await expect(paper.getByRole('table', { name: 'Paid into your accounts' })).toContainText(
    payslip?.reference ?? '',
  );

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`payslip-${payslip?.reference}.pdf`);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden();
  await expect(paper).toBeVisible();
});

test('an employee who was paid by individual funding alone has a payslip of its kind', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Funded', lastName: 'Alone' });
  const { accounts } = await ask(await apiAs(person), 'listWallets', {});
  await withTx(company.db, (tx) =>
    fundEmployee(tx, company.services, company.admin, {
      id: person.id,
      type: 'bonus',
      walletId: accounts[0]?.id ?? '',
      amount: money(50_000n, 'USD'),
      description: 'Fourth quarter',
    }),
  );
  await signIn(context, person);
  await page.goto('/employee/dashboard');
  await expect(page.getByText('Payroll $500.00, deposits $0.00', { exact: true })).toBeVisible();
  await page.goto('/employee/documents');
  const payslips = page.getByRole('table', { name: 'Payslips, newest first' });
  await expect(payslips.getByRole('cell', { name: 'Bonus' })).toBeVisible();
  await payslips.getByRole('link', { name: /^Open payslip IF-/ }).click();
  const earnings = page.getByRole('table', { name: 'Earnings' });
  await expect(earnings.getByRole('row', { name: /^Bonus/ })).toContainText('$500.00');
});

describeLooks('a statement', () => {
  test('is accessible and fits', async ({ page, context, isMobile }) => {
    const { statements } = await documentsOfMaya();
    const statement = statements.find(({ finalOn }) => finalOn === null);
    await signIn(context, 'maya');
    await page.goto(`/employee/documents/${statement?.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statement');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await smallTargets(page, isMobile ? 44 : 40)).toEqual([]);
  });
});

test('a transaction leads to its receipt, and payroll to its payslip', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  for (const [type, name] of [
    ['deposit', 'Receipt'],
    ['payroll', 'Payslip'],
  ] as const) {
    await page.goto(`/employee/history?type=${type}&status=completed`);
    await page.getByRole('table').locator('tbody').getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  }
});

test('the month that runs has a statement so far, one to come has none', async ({
  page,
  context,
  faults,
}) => {
  faults.allowRefusal(404, '/api/account-documents/statement');
  await signIn(context, 'maya');
  await page.goto('/employee/documents/statement.salary.9998-01');
  await expect(page.getByText('This document was not found.')).toBeVisible();
  await page.goto('/employee/documents?tab=statements');
  await expect(page.getByText(/^Not final until /)).toBeVisible();
  await page
    .getByRole('button', { name: / so far, Salary Wallet$/ })
    .first()
    .click();
  const paper = page.getByRole('article', { name: /not final$/ });
  await expect(paper).toContainText('Not final. This month still runs: entries until');
  await expect(paper.getByRole('heading', { level: 1 })).toHaveText('Statement so far');
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/-not-final\.pdf$/);
});

test('a question from a payslip reaches an admin and is answered there', async ({
  page,
  context,
  company,
  openAs,
}) => {
  const person = await company.createEmployee({ lastName: 'Quist', fundedMinor: 192_000n });
  await signIn(context, person);
  await page.goto('/employee/documents');
  await page.getByRole('button', { name: /^Open the payslip of/ }).click();
  await page.getByRole('button', { name: 'Ask about this payslip' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask about this payslip' });
  await dialog.getByLabel('Question').fill('Why is my pay lower this month?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send Question' }).click();
  const questions = page.getByRole('region', { name: 'Questions' });
  await expect(questions).toContainText('Why is my pay lower this month?');
  await expect(questions).toContainText('Waiting for an answer');

  const admin = await openAs('admin');
  const journeys = await watchJourneys(admin);
  const answering = admin.getByRole('dialog', { name: 'Answer question' });
  await admin.goto('/admin/dashboard');
  await journeys.expect('## Administrators', 'Question answered', async () => {
    await admin.getByRole('link', { name: 'Questions to answer' }).click();
    await expect(admin.getByRole('link', { name: /^Questions \d+ waiting$/ })).toBeVisible();
    await admin.getByRole('button', { name: /^Answer Test Quist/ }).click();
    await answering.getByLabel('Answer').fill('Two unpaid days.');
    await expectAccessible(admin);
    await answering.getByRole('button', { name: 'Send Answer' }).click();
    await expect(admin.getByText('Question Answered', { exact: true })).toBeVisible();
  });
  await expect(answering).toBeHidden();

  await expect(questions).toContainText('Two unpaid days.');
  await expectAccessible(page);
  await page.goto('/employee/notifications');
  await page.getByRole('main').getByRole('link', { name: 'Question answered' }).click();
  const details = page.getByRole('dialog', { name: 'Transaction details' });
  await expect(details).toContainText('Two unpaid days.');
  await expectAccessible(page);
});

test('an admin opens a payslip and a statement of a person, who sees it', async ({
  page,
  context,
  company,
  openAs,
}) => {
  const person = await company.createEmployee({ lastName: 'Openly', fundedMinor: 192_000n });
  const reads = await apiAs(person);
  const [payslip] = (await ask(reads, 'listAccountDocuments', {})).payslips.items;
  const reference = payslip?.reference ?? '';
  const admin = await openAs('admin');
  await admin.goto(`/admin/employees/${person.id}`);
  await admin.getByRole('main').getByRole('link', { name: 'Documents' }).click();
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Documents of Test Openly');
  const employees = admin.getByRole('link', { name: /^Employees/ });
  await expect(employees).toHaveAttribute('aria-current', 'page');
  await expectAccessible(admin);
  await admin.getByRole('tab', { name: 'Statements' }).click();
  await expect(admin.getByText(/^Not final until /)).toBeVisible();
  await admin.getByRole('tab', { name: 'Payslips' }).click();
  await admin.getByRole('link', { name: `Open payslip ${reference}` }).click();
  const paper = admin.getByRole('article', { name: `Payslip, ${reference}` });
  await expect(paper).toContainText('Test Openly');
  await expectAccessible(admin);
  const downloading = admin.waitForEvent('download');
  await admin.getByRole('link', { name: 'Download PDF' }).click();
  expect((await downloading).suggestedFilename()).toBe(`payslip-${reference}.pdf`);

  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  const accessLog = page.getByRole('region', { name: 'Who opened your information' });
  await expect(accessLog.getByRole('listitem')).toHaveText([
    new RegExp(`^Payslip ${reference}Renee Albright`),
  ]);
});
