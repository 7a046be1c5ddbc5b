import type { Page } from '@playwright/test';
import { money } from '#contract/money.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { changeSettings, loosenSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

const FROM = money(1_000_000n, 'USD');

const changes = (page: Page) => page.getByRole('region', { name: 'Changes', exact: true });
const usualPay = (page: Page) => page.getByRole('region', { name: 'Usual Pay', exact: true });

async function changeSalary(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Change Usual Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Usual Pay' });
  await dialog.getByLabel('Salary Wallet').fill(amount);
  await dialog.getByLabel('Reason').fill('Yearly review');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save Change' }).click();
  await expect(dialog).toBeHidden();
}

test('usual pay is changed alone, then by two, with its history', async ({
  page,
  context,
  company,
  openAs,
}) => {
  await signIn(context, 'admin');
  const second = await company.createAdmin({ firstName: 'Theo', lastName: 'Confirms' });
  const { id } = await company.createEmployee({ firstName: 'Ines', lastName: 'Usual' });
  await changeSettings({ separateUsualPay: FROM });

  await page.goto(`/admin/employees/${id}`);
  await changeSalary(page, '2,940.00');
  await expect(usualPay(page)).toContainText('$2,940.00');
  await expect(changes(page)).toContainText('Begun with $2,940.00');
  const next = page.getByRole('region', { name: 'Next payroll', exact: true });
  // The amount is that of a draft, where another test has one for everybody.
  await expect(next).toContainText('Salary Wallet');
  await expect(next).toContainText(/Expected\$\d/);
  await expect(changes(page)).toContainText('Not needed');

  await page.getByRole('button', { name: 'Change Usual Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Usual Pay' });
  await expect(dialog.getByRole('button', { name: 'Save Change' })).toBeDisabled();
  await dialog.getByLabel('Salary Wallet').fill('13,000');
  await expect(dialog).toContainText('+$10,060.00 (+342.2%)');
  await expect(dialog).toContainText('A second person confirms.');
  await dialog.getByLabel('Valid from').fill('12/25/2026');
  await dialog.getByLabel('Reason').fill('Promotion');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Discard|Leave/ }).click();
  await changeSalary(page, '13,000.00');
  await expect(page.getByText(/^A change waits for/)).toBeVisible();
  await expect(usualPay(page)).toContainText('$2,940.00');
  await expect(page.getByRole('button', { name: 'Take Back' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  // The other one finds it among what waits, and confirms it.
  const theirs = await openAs(second);
  await theirs.goto('/admin/dashboard');
  await theirs.getByRole('link', { name: /Usual pay to confirm/ }).click();
  await theirs.getByRole('link', { name: 'Open Ines Usual' }).click();
  await theirs.getByRole('button', { name: 'Confirm', exact: true }).click();
  const question = theirs.getByRole('alertdialog', { name: 'Confirm this change?' });
  await expect(question).toContainText('$13,000.00');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(theirs.getByText('Change Confirmed', { exact: true })).toBeVisible();
  await expect(usualPay(theirs)).toContainText('$13,000.00');
  await expect(changes(theirs)).toContainText('Theo Confirms');
  await expectAccessible(theirs);

  // Until it is prepared the next payroll is scheduled, with what is expected: that of a type of wallet for which no other
  // test has sent it.
  await theirs.goto('/admin/payroll?tab=history');
  const scheduled = theirs
    .getByRole('table', { name: 'Drafts' })
    .getByRole('row')
    .filter({ hasText: 'Purser prepares the draft on' })
    .first();
  await expect(scheduled).toContainText('Scheduled');
  await expect(scheduled.getByRole('link', { name: 'Schedule' })).toBeVisible();
  await expectAccessible(theirs);

  await loosenSettings(company, { separateUsualPay: null }, { second });
});

test('a change has the amounts that were typed, and is refused where another changed one of them', async ({
  page,
  context,
  company,
  faults,
}) => {
  await signIn(context, 'admin');
  const second = await company.createAdmin({ firstName: 'Uma', lastName: 'Meanwhile' });
  const theirs = await apiAs(second);
  const { id } = await company.createEmployee({ firstName: 'Nell', lastName: 'Usual' });
  await ask(theirs, 'adminOpenWallet', { params: { id }, body: { type: 'savings' } });
  const { on } = await ask(theirs, 'adminGetUsualPay', { params: { id } });
  const set = (personId: string, walletType: 'salary' | 'savings', minor: bigint) =>
    ask(theirs, 'adminChangeUsualPay', {
      params: { id: personId },
      body: {
        validFrom: on,
        reason: 'Meanwhile',
        lines: [{ walletType, before: money(0n, 'USD'), amount: money(minor, 'USD') }],
      },
    });

  await page.goto(`/admin/employees/${id}`);
  await page.getByRole('button', { name: 'Change Usual Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Usual Pay' });
  await dialog.getByLabel('Salary Wallet').fill('2,940.00');
  await dialog.getByLabel('Reason').fill('Yearly review');
  await set(id, 'savings', 50_000n);
  await expect(page.getByText('Begun with $500.00')).toBeVisible();
  await expect(dialog.getByLabel('Savings Account')).toHaveValue('');
  await dialog.getByRole('button', { name: 'Save Change' }).click();
  await expect(dialog).toBeHidden();
  await expect(usualPay(page)).toContainText('$3,440.00');

  const other = await company.createEmployee({ firstName: 'Otis', lastName: 'Usual' });
  await page.goto(`/admin/employees/${other.id}`);
  await page.getByRole('button', { name: 'Change Usual Pay' }).click();
  await dialog.getByLabel('Salary Wallet').fill('2,940.00');
  await dialog.getByLabel('Reason').fill('Yearly review');
  await set(other.id, 'salary', 99_000n);
  await expect(page.getByText('Begun with $990.00')).toBeVisible();
  faults.allowRefusal(409, '/usual-pay');
  await dialog.getByRole('button', { name: 'Save Change' }).click();
  await expect(dialog).toContainText('was changed after you opened this page');
});

test('usual pay comes from a file once its errors are fixed', async ({
  page,
  context,
  company,
}) => {
  const first = await company.createEmployee({ firstName: 'Ada', lastName: 'Fromfile' });
  const second = await company.createEmployee({ firstName: 'Ira', lastName: 'Fromfile' });
  await signIn(context, 'admin');
  const api = await apiAs('admin');
  const { paydays } = await ask(api, 'adminGetUsualPay', { params: { id: first.id } });
  const choose = async (amounts: readonly [string, string]) => {
    const lines = [first, second].map(
      ({ email }, index) => `${email},${paydays[0]},"${amounts[index]}"`,
    );
    const text = ['Email,Valid from,Salary Wallet', ...lines].join('\r\n');
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'pay.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  await page.goto('/admin/employees');
  await page.getByRole('link', { name: 'Import Usual Pay' }).click();
  await choose(['2,940.00', '1.000,00']);
  const errors = page.getByRole('region', { name: 'Errors in the file' });
  await expect(errors.getByRole('row', { name: /^3 / })).toContainText(
    'Written with a comma before the cents, other amounts of the file with a point.',
  );
  await expectAccessible(page);
  await choose(['2,940.00', '1,000.00']);
  const ready = page.getByRole('region', { name: 'Ready to change' });
  await expect(ready).toContainText('None$2,940.00');
  // A file with errors takes nothing away.
  await choose(['2,940.00', '0']);
  await expect(errors).toContainText('The file below stays until you replace or discard it.');
  await expect(ready).toContainText('None$2,940.00');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change 2 people' }).click();
  await expect(page.getByText('Usual Pay Changed', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Ada Fromfile' }).click();
  await expect(usualPay(page)).toContainText('$2,940.00');
  await expect(changes(page)).toContainText('File pay.csv');
});
