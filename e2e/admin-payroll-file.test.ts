import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { draftOwnAmounts } from '#test/payroll-fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { sendDraft, sendReviewed, whileNobodySends } from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

async function beginFromFile(page: Page, description: string): Promise<void> {
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'All departments' });
  await page.getByLabel('Description').fill(description);
  await page.getByText('Each person’s own amount').click();
  await page.getByText('From a file').click();
  await page.getByRole('button', { name: 'Prepare Amounts' }).click();
  await expect(page.getByRole('heading', { name: 'Amounts From a File' })).toBeVisible();
}

/** Leaves out everyone whom the last payroll of the shared company paid. */
async function leaveOutOthers(page: Page): Promise<void> {
  const all = page.getByRole('button', { name: /^Leave Out, all / });
  await expect(page.getByRole('region', { name: 'Ready to fill in' })).toBeVisible();
  if (await all.isVisible()) await all.click();
}

const draftOf = (page: Page) => new URL(page.url()).searchParams.get('draft') ?? '';

test('amounts of a payroll come from a file once its errors are fixed and its total agrees', async ({
  page,
  context,
  company,
}) => {
  const ada = await company.createEmployee({ firstName: 'Ada', lastName: 'Netpay' });
  const ira = await company.createEmployee({ firstName: 'Ira', lastName: 'Netpay' });
  await signIn(context, 'admin');
  await beginFromFile(page, 'Net pay of Ada and Ira');
  const choose = async (amount: string) => {
    const lines = [`${ada.email},"2,940.00"`, `${ira.email},"${amount}"`, 'nobody@x.test,16.40'];
    await page.locator('input[type="file"]').setInputFiles({
      name: 'net-pay.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Email,Net_Pay', ...lines].join('\r\n')),
    });
  };
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  const fillIn = sheet.getByRole('button', { name: /^Fill In/ });

  await choose('1.000,00');
  await expect(sheet.getByRole('row', { name: /^3 / })).toContainText(
    'Written with a comma before the cents, other amounts of the file with a point.',
  );
  await expect(sheet).toContainText('First fix 2 errors');
  const downloading = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Download Errors' }).click();
  const errors = readFileSync(await (await downloading).path(), 'utf8');
  expect(errors).toContain('nobody@x.test,16.40,4,Email: Nobody has this address');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  // The typed text stays while the file is corrected.
  await page.getByLabel('Control total').fill('3,940.00');
  await choose('1,000.00');
  await expect(sheet).toContainText('First fix 1 error');
  await sheet.getByRole('button', { name: 'Leave out row 4, nobody@x.test' }).click();
  await expect(sheet.getByRole('button', { name: 'Take row 4 in again' })).toBeVisible();
  await expect(sheet).toContainText('+$16.40');
  await expect(fillIn).toHaveAttribute('aria-disabled', 'true');
  await leaveOutOthers(page);
  await page.getByLabel('Control total').fill('3,956.40');
  await sheet.getByRole('button', { name: 'Fill In 2 Amounts' }).click();

  await expect(page.getByText('Amounts Filled In', { exact: true })).toBeVisible();
  const grid = page.getByRole('grid', { name: /^Amounts of Salary Wallet/ });
  await page.getByLabel('Search name or employee ID').fill('Netpay');
  await expect(grid.getByRole('textbox', { name: 'This time, Ada Netpay' })).toHaveText(
    '$2,940.00',
  );
  await expect(grid.getByRole('textbox', { name: 'This time, Ira Netpay' })).toHaveText(
    '$1,000.00',
  );
  await ask(await apiAs('admin'), 'adminDiscardPayrollDraft', { params: { id: draftOf(page) } });
});

test('gross pay and deductions of a file go on the payslip, unless the amount is typed over', async ({
  page,
  context,
  company,
  openAs,
  faults,
}) => {
  const lastName = `Slip${Date.now()}`;
  const eva = await company.createEmployee({ firstName: 'Eva', lastName });
  // Few others are paid into this type of wallet.
  await fundedWallet(company.db, company.yesterday, eva.by, 0n, 'irs');
  const api = await apiAs('admin');
  await signIn(context, 'admin');
  const draft = await ask(api, 'adminCreatePayrollDraft', {
    body: {
      walletType: 'irs',
      department: 'chosen',
      description: `Payslip of ${lastName}`,
      hasOwnAmounts: true,
      people: [eva.id],
    },
  });
  await page.goto(`/admin/payroll/file?draft=${draft.id}`);
  const choose = (net: string) =>
    page.locator('input[type="file"]').setInputFiles({
      name: 'payslips.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Email,Gross_Pay,Federal tax,Union dues,Net_Pay\r\n${eva.email},"3,910.00",637.50,300,${net}`,
      ),
    });
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  await choose('2972.51');
  await expect(sheet.getByRole('row', { name: /^2 / })).toContainText(
    'Gross less deductions makes $2,972.50, not this amount.',
  );
  await choose('2972.50');
  await expect(sheet).toContainText('$937.50');
  await page.getByRole('button', { name: 'Match Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Match Columns' });
  const deductions = dialog.getByRole('group', { name: 'Taxes and deductions, on the payslip' });
  await expect(deductions.getByRole('checkbox', { name: 'Federal tax' })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByText('The report states no total').click();
  await sheet.getByRole('button', { name: 'Fill In 1 Amount' }).click();

  const cell = page.getByRole('textbox', { name: `This time, Eva ${lastName}` });
  const notice = page.getByText('comes without the payroll provider’s breakdown');
  await expect(cell).toHaveText('$2,972.50');
  await expect(notice).toBeHidden();
  await cell.focus();
  await page.keyboard.type('3000');
  await page.keyboard.press('Enter');
  await expect(notice).toContainText(`Eva ${lastName}: the amount was changed`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cell).toHaveText('$2,972.50');
  await expect(notice).toBeHidden();

  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  await whileNobodySends(company, () => sendReviewed(page, faults));
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed');
  const hers = await openAs(eva);
  await hers.goto('/employee/documents');
  await hers.getByRole('link', { name: /^Open payslip PAY-/ }).click();
  const slip = hers.getByRole('table', { name: 'As computed by the payroll provider' });
  await expect(slip.getByRole('row', { name: /^Federal tax/ })).toContainText('637.50');
  await expect(slip.getByRole('row', { name: /^Net pay/ })).toContainText('$2,972.50');
  await expectAccessible(hers);
});

test('columns of pasted cells are matched once, and remembered by their headings', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(422, '/file-check');
  const uma = await company.createEmployee({ firstName: 'Uma', lastName: 'Netpay' });
  await signIn(context, 'admin');
  await beginFromFile(page, 'Net pay of Uma');
  // Headings that no other test has.
  const cells = ['Wer\tAuszahlung von Uma', `${uma.email}\t320,50`].join('\n');
  const paste = async () => {
    await page.getByLabel('Or paste cells').fill(cells);
    await page.getByRole('button', { name: 'Check Cells' }).click();
  };
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  const withoutNames = `${uma.email}\t320,50`;
  await page.getByLabel('Or paste cells').fill(withoutNames);
  await page.getByRole('button', { name: 'Check Cells' }).click();
  await expect(page.getByText('The first line has to name the columns')).toBeVisible();
  await expect(page.getByLabel('Or paste cells')).toHaveValue(withoutNames);
  await paste();
  await expect(sheet).toContainText('Choose the column of Employee ID or Email and of Amount.');
  await sheet.getByRole('button', { name: 'Match Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Match Columns' });
  await dialog.getByLabel('Email').selectOption({ label: 'Wer' });
  await dialog.getByLabel('Amount').selectOption({ label: 'Auszahlung von Uma' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Check Again' }).click();
  await expect(sheet).toContainText('$320.50');

  await page.reload();
  await paste();
  await expect(sheet).toContainText('$320.50');
  await page.getByText('The report states no total').click();
  await leaveOutOthers(page);
  await sheet.getByRole('button', { name: 'Fill In 1 Amount' }).click();
  await page.getByLabel('Search name or employee ID').fill('Uma Netpay');
  await expect(page.getByRole('textbox', { name: 'This time, Uma Netpay' })).toHaveText('$320.50');
  await ask(await apiAs('admin'), 'adminDiscardPayrollDraft', { params: { id: draftOf(page) } });
});

test('people whom the last payroll paid and a file does not name are each decided about', async ({
  page,
  context,
  company,
}) => {
  const lastName = `Absent${Date.now()}`;
  const names = ['Gil', 'Hal', 'Ivo', 'Jan'];
  const people = [];
  for (const firstName of names) people.push(await company.createEmployee({ firstName, lastName }));
  const [gil, ...others] = people;
  const { db, services, yesterday } = company;
  for (const { by } of people) await fundedWallet(db, yesterday, by, 0n, 'savings');
  const amounts = new Map(people.map(({ id }, index) => [id, 10_000n * BigInt(index + 1)]));
  const order = { walletType: 'savings' as const, department: 'chosen' as const };
  // Today, as all others of this type: on some days one of yesterday counts for an earlier payday than theirs.
  const last = await draftOwnAmounts(db, company.admin.actor, amounts, order);
  const sent = await sendDraft(company, company.admin.actor, last.id);
  await postPayroll(db, services, sent.id);

  await signIn(context, 'admin');
  const draft = await ask(await apiAs('admin'), 'adminCreatePayrollDraft', {
    body: {
      ...order,
      description: `Savings of ${lastName}`,
      hasOwnAmounts: true,
      // For a later payday than that of today, which then is the last one.
      payOn: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10),
      people: people.map(({ id }) => id),
    },
  });
  await page.goto(`/admin/payroll/file?draft=${draft.id}`);
  await page.locator('input[type="file"]').setInputFiles({
    name: 'savings.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Email,401k\r\n${gil?.email},150.00`),
  });
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  const absent = sheet.getByRole('table', { name: 'Not in the file, paid last time' });
  await expect(absent.getByRole('row')).toHaveCount(1 + others.length);
  await expect(sheet).toContainText('3 to decide');
  await page.getByText('The report states no total').click();
  await sheet.getByRole('button', { name: 'Leave Out, all 3' }).click();
  await expect(sheet.getByRole('button', { name: 'Fill In 1 Amount' })).toBeEnabled();
  await sheet.getByRole('button', { name: `As Last Time, Hal ${lastName}` }).click();
  await sheet.getByRole('button', { name: `Enter Later, Jan ${lastName}` }).click();
  await expect(sheet).toContainText('$350.00');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await sheet.getByRole('button', { name: 'Fill In 2 Amounts' }).click();
  await expect(page.getByText('“Only changed” shows 1 more to enter.')).toBeVisible();
  const cell = (name: string) =>
    page.getByRole('textbox', { name: `This time, ${name} ${lastName}` });
  await expect(cell('Hal')).toHaveText('$200.00');
  await expect(cell('Ivo')).toHaveText('–');
  await ask(await apiAs('admin'), 'adminDiscardPayrollDraft', { params: { id: draft.id } });
});
