import { addMonths, dayIn } from '#contract/calendar.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { importLine } from './support/payouts.ts';
import { expect, test } from './support/test.ts';

/** The second test imports a line for the account of the first. */
test.describe.configure({ mode: 'default' });

/**
 * A day of last month as the bank writes it, such as 11/13/2026: before all lines that other tests import, whenever the
 * tests run. After the 12th, its month and its day cannot be taken for each other.
 */
const lastMonthOn = (date: 13 | 14): string => {
  const [year, month] = addMonths(dayIn('America/New_York', new Date()), -1).split('-');
  return `${month}/${date}/${year}`;
};

/** The browser's company has one bank account, which this file alone imports statements of. */
test('a statement is imported and its lines are matched until nothing is unexplained', async ({
  page,
  context,
}) => {
  const admin = await apiAs('admin');
  const { position } = await ask(admin, 'adminGetCompanyBank', {});
  await signIn(context, 'admin');
  await page.goto('/admin/company-bank');
  await expect(page.getByText('Purser does not know yet what is at the bank.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add Account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add bank account' });
  await form.getByLabel('Bank', { exact: true }).fill('Northgate Commerce Bank');
  await form.getByLabel('Name of the account').fill('Employee funds');
  await form.getByLabel('Account number or IBAN').fill('00824410');
  await form.getByLabel('Routing number').fill('021000021');
  await form.getByRole('button', { name: 'Add Account' }).click();
  await expect(page.getByText('Employee funds ••4410')).toBeVisible();

  const day = lastMonthOn(13);
  const line = /^Line of [A-Z][a-z]{2} 13$/;
  const opening = BigInt(position.owed.amount.minor);
  const file = (amounts: readonly string[]) =>
    [
      'Posting Date,Description,Amount,Running Bal.',
      `${day},WIRE IN OPERATING 7711,${amounts[0]},${decimalAmount(opening + 120_000n)}`,
      `${day},SERVICE CHARGE 7712,${amounts[1]},${decimalAmount(opening + 116_150n)}`,
    ].join('\n');
  const choose = (text: string) =>
    page.locator('input[type="file"]').setInputFiles({
      name: 'northgate-4410.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
  await choose(file(['"1.200,00"', '-38.50']));
  const dialog = page.getByRole('dialog', { name: 'Import statement' });
  await expect(dialog.getByRole('alert')).toContainText('Line 2, column Amount: “1.200,00”');
  await expect(dialog.getByRole('button', { name: /^Import/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(dialog.getByRole('alert')).toBeHidden();
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeVisible();
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'northgate-4410.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file(['1200.00', '-38.50'])),
  });
  await dialog.getByRole('button', { name: 'Import 2 Lines' }).click();
  // The dialog has the name of the file, too, until it is imported.
  await expect(dialog).toBeHidden();
  await expect(page.getByText('northgate-4410.csv')).toBeVisible();
  // Other tests import statements of this account afterwards.
  const { statements } = await ask(admin, 'adminGetCompanyBank', {});
  const own = statements.find(({ fileName }) => fileName === 'northgate-4410.csv');
  await page.goto(`/admin/company-bank?statement=${own?.id}`);
  const lines = page.getByRole('table', { name: 'Statement lines, unmatched first' });
  await expect(lines.getByRole('row', { name: /SERVICE CHARGE 7712/ })).toContainText('−$38.50');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Line SERVICE CHARGE 7712' }).click();
  const panel = page.getByRole('complementary', { name: line });
  await panel.getByRole('button', { name: 'It is bank fees' }).click();
  await expect(lines.getByRole('row', { name: /SERVICE CHARGE 7712/ })).toContainText('Bank fees');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(lines.getByRole('row', { name: /SERVICE CHARGE 7712/ })).not.toContainText(
    'Bank fees',
  );
  await panel.getByRole('button', { name: 'Make a rule for lines like this' }).click();
  const rule = page.getByRole('dialog', { name: 'Add rule' });
  await rule.getByLabel('When the text has').fill('Service charge');
  await rule.getByRole('button', { name: 'Add Rule' }).click();
  // The line is open: its suggestion is taken by a key.
  await expect(lines.getByRole('button', { name: 'Match SERVICE CHARGE 7712' })).toBeVisible();
  await page.keyboard.press('m');
  await expect(lines.getByRole('row', { name: /SERVICE CHARGE 7712/ })).toContainText('by a rule');

  // It is the last one now, because lines without a match come first.
  await page.keyboard.press('k');
  await expect(panel).not.toContainText('SERVICE CHARGE 7712');
  await page.keyboard.press('j');
  await expect(panel).toContainText('SERVICE CHARGE 7712');
  await panel.getByRole('button', { name: 'Close line' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Line WIRE IN OPERATING 7711' }).click();
  const sheet = page.getByRole('dialog', { name: line });
  await sheet.getByRole('button', { name: 'It is the company’s own money' }).click();
  await expect(sheet).toContainText('Take Match Back');
  await expectAccessible(page);
});

test('a typed closing balance stays when it is refused, and nothing is imported by one that is gone', async ({
  page,
  context,
  faults,
}) => {
  faults.allowRefusal(422, '/statement-check');
  await signIn(context, 'admin');
  await page.goto('/admin/company-bank');
  await page.getByRole('button', { name: 'Import Statement' }).click();
  await page.locator('input[type="file"]').setInputFiles({
    name: 'no-balances.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Day of the bank,Sum\n${lastMonthOn(14)},1.00\n`),
  });
  const dialog = page.getByRole('dialog', { name: 'Import statement' });
  const day = dialog.getByLabel('Column Day of the bank is');
  await day.selectOption('Date');
  await dialog.getByLabel('Column Sum is').selectOption('Amount');
  const closing = dialog.getByLabel('Closing balance');
  await closing.fill('-123456.78');
  await closing.blur();
  await expect(dialog.getByRole('alert')).toContainText('but it closes with -123456.78');
  await expect(closing).toHaveValue('-123456.78');
  await expect(day).toHaveValue('bookingDay');

  const submit = dialog.getByRole('button', { name: /^Import/ });
  // Another test may import a line in between, and the account then closes with another balance.
  await expect(async () => {
    const { accounts } = await ask(await apiAs('admin'), 'adminGetCompanyBank', {});
    const after = BigInt(accounts[0]?.closing?.amount.minor ?? 0) + 100n;
    await closing.fill(decimalAmount(after));
    await closing.blur();
    await expect(submit).not.toHaveAttribute('aria-disabled', 'true', { timeout: 10_000 });
  }).toPass();
  await closing.fill('about a hundred');
  await closing.blur();
  await expect(submit).toHaveAttribute('aria-disabled', 'true');
});

test('the late check of a statement that was replaced shows nothing of it', async ({
  page,
  context,
  faults,
}) => {
  faults.allowRefusal(422, '/statement-check');
  await signIn(context, 'admin');
  await page.goto('/admin/company-bank');
  await page.getByRole('button', { name: 'Import Statement' }).click();
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const checks = held.values();
  await page.route('**/statement-check*', async (route) => {
    await checks.next().value?.promise;
    await route.continue();
  });
  const dialog = page.getByRole('dialog', { name: 'Import statement' });
  const choose = (text: string) =>
    dialog.locator('input[type="file"]').setInputFiles({
      name: 'statement.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
  await choose(`Replaced,Sum\n${lastMonthOn(14)},1.00\n`);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await choose('%PDF-1.7');
  for (const { resolve: release } of held) {
    const checked = page.waitForResponse('**/statement-check*');
    release();
    await checked;
  }
  await expect(dialog.getByRole('alert')).toContainText('Nothing was imported.');
  await expect(dialog.getByLabel('Column Replaced is')).toHaveCount(0);
});

test('a deposit that waits is approved from the line that shows its money, and the dashboard says what is held', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Aanya', lastName: 'Lockhart-Vane' });
  const wallet = await fundedWallet(company.db, company.services, person.by, 0n);
  const { reference } = await withTx(company.db, (tx) =>
    requestDeposit(tx, company.yesterday, person.by, {
      walletId: wallet.id,
      method: 'ach',
      amount: money(8_313n, 'USD'),
    }),
  );
  // Other tests import statements of this account, too.
  await expect(() => importLine(`ACH CREDIT ${reference}`, 8_313n)).toPass();
  const admin = await apiAs('admin');
  const { statements, position } = await ask(admin, 'adminGetCompanyBank', {});
  const withLines = await Promise.all(
    statements.map(async ({ id }) => ({
      id,
      lines: (await ask(admin, 'adminListBankLines', { query: { statementId: id } })).lines,
    })),
  );
  const own = withLines.find(({ lines }) => lines.some(({ text }) => text.endsWith(reference)));
  const waiting = position.onItsWay?.groups.find(({ group }) => group === 'depositsWaiting');
  expect(waiting?.names).toContain(reference);

  await signIn(context, 'admin');
  await page.goto(`/admin/company-bank?statement=${own?.id}`);
  await page.getByRole('button', { name: `Line ACH CREDIT ${reference}` }).click();
  const panel = page.getByRole('complementary', { name: /^Line of / });
  await expect(panel).toContainText('by reference');
  await panel.getByRole('button', { name: 'Approve $83.13' }).click();
  const question = page.getByRole('alertdialog', { name: 'Approve this deposit?' });
  await expect(question).toContainText('Lockhart-Vane');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Approve $83.13' }).click();
  await expect(page.getByText('Deposit Approved', { exact: true })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Approve $83.13' })).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Take Match Back' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/admin/dashboard');
  const held = page.getByRole('region', { name: 'Owed and held' });
  await expect(held.getByText('At the bank', { exact: true })).toBeVisible();
  await expect(held.getByText('Difference', { exact: true })).toBeVisible();
  await held.getByRole('link', { name: 'Open Company Bank' }).click();
  await expect(page).toHaveURL(/\/admin\/company-bank/);
});
