import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { DEPARTMENT_IDS, DEPARTMENTS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import {
  checkDifferences,
  confirmSend,
  openedReview,
  sendReviewed,
  whileNobodySends,
} from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

interface Order {
  wallet: string;
  department: string;
  amount: string;
  description: string;
}

async function fill(page: Page, { wallet, department, amount, description }: Order) {
  await page.getByLabel('Wallet Type').selectOption({ label: wallet });
  await page.getByLabel('Department').selectOption({ label: department });
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await page.getByLabel('Description').fill(description);
}

const reviewButton = (page: Page) => page.getByRole('button', { name: /^Review Payroll \$/ });

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('payroll sent to a department reaches an employee while they look', async ({
  page,
  company,
  openAs,
  faults,
}) => {
  const ada = await company.createEmployee({
    firstName: 'Ada',
    lastName: 'Quill',
    department: 'data-entry',
  });
  const adasPage = await openAs(ada);
  await adasPage.goto('/employee/dashboard');
  await expect(adasPage.getByRole('heading', { level: 1 })).toHaveText('Hi, Ada!');
  await expect(adasPage.getByText('No transactions found')).toBeVisible();

  await page.goto('/admin/payroll');
  await fill(page, {
    wallet: 'Salary Wallet',
    department: 'Data entry',
    amount: '1,234.56',
    description: 'Pay for Ada and others',
  });
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: /Ada Quill/ })).toContainText('$1,234.56');
  await reviewButton(page).click();
  await expect(await openedReview(page)).toContainText('A sent batch cannot be recalled.');
  const total = (await sendReviewed(page, faults)).replace('Send Payroll ', '');

  await expect(page.getByText('Payroll Processed Successfully', { exact: true })).toBeVisible();
  await expect(page.getByText(`${total} was sent.`)).toBeVisible();
  await expect(page).toHaveURL(/\?batch=/);
  const line = page.getByRole('row', { name: /Ada Quill/ });
  await expect(line).toContainText('Processed');
  await expect(line).toContainText(/PAY-\d{4}-\d{4}/);

  await expect(adasPage.getByText('+$1,234.56')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Salary Wallet - / })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed');
  await page.getByRole('button', { name: 'Send another payroll' }).click();
  await expect(page.getByText('No preview yet')).toBeVisible();
});

test('the preview says who is skipped and why', async ({ page }) => {
  await page.goto('/admin/payroll');
  await fill(page, {
    wallet: 'Savings Account (401k)',
    department: 'Engineering',
    amount: '100',
    description: 'Savings',
  });
  const warning = /^\d+ employees? ((has|have) no Savings Account \(401k\) and )?will be skipped\./;
  await expect(page.getByText(warning)).toBeVisible();
  const skipped = page.getByRole('table', { name: 'Who is skipped' });
  await expect(skipped.getByText('No Savings Account (401k)').first()).toBeVisible();
});

test('missing and wrong fields are named, and their values stay', async ({ page }) => {
  await page.goto('/admin/payroll');
  await page.getByLabel('Description').fill('Kept');
  await page.getByRole('button', { name: 'Review Payroll' }).click();
  const summary = page.getByRole('alert');
  await expect(summary).toContainText('Please fill in all required fields');
  await expect(summary).toBeFocused();
  await summary.getByRole('link', { name: 'Choose a department' }).click();
  await expect(page.getByLabel('Department')).toBeFocused();

  for (const amount of ['0', '-5', '0.001', '1e3', '9999999999999999', 'ten']) {
    await fill(page, { wallet: 'Salary Wallet', department: 'HR', amount, description: 'Kept' });
    await page.getByRole('button', { name: 'Review Payroll' }).click();
    await expect(page.getByRole('alert')).toContainText('Please enter a valid amount');
    // Digits are grouped once the field is left, and are otherwise what was typed.
    const shown = (await page.getByRole('textbox', { name: 'Amount' }).inputValue()).replaceAll(
      ',',
      '',
    );
    expect(shown).toBe(amount);
  }
});

test('a department where nobody has the wallet cannot be paid', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(422, '/api/admin/payroll/preview');
  const owners = await company.db
    .selectFrom('wallet')
    .innerJoin('appUser', 'appUser.id', 'wallet.userId')
    .select(['appUser.id', 'appUser.department'])
    .where('wallet.type', '=', 'irs')
    .where('wallet.closedAt', 'is', null)
    .execute();
  const ownersOf = (id: Department) => owners.filter(({ department }) => department === id);
  // Other tests give people of two departments such an account. Those of the demo company have nothing in it.
  const [department = 'finance'] = DEPARTMENT_IDS.filter(
    (id) => id !== 'hr' && id !== 'general',
  ).toSorted((one, other) => ownersOf(one).length - ownersOf(other).length);
  for (const { id } of ownersOf(department)) {
    const body = { type: 'irs' } as const;
    await ask(await apiAs('admin'), 'adminCloseWallet', { params: { id }, body });
  }
  await page.goto('/admin/payroll');
  await fill(page, {
    wallet: 'IRS Account',
    department: DEPARTMENTS[department],
    amount: '10',
    description: 'Taxes',
  });
  await expect(page.getByRole('alert')).toHaveText('No employees have IRS Account accounts');
});

test('a person who joins after the preview makes it be reviewed again', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/send');
  await page.goto('/admin/payroll');
  await fill(page, {
    wallet: 'Salary Wallet',
    department: 'Finance',
    amount: '10',
    description: 'Reviewed twice',
  });
  // Nothing but that person comes between the preview and the press.
  await whileNobodySends(company, async () => {
    await reviewButton(page).click();
    await openedReview(page);
    await company.createEmployee({ firstName: 'Late', lastName: 'Comer', department: 'finance' });
    await confirmSend(page);
    await expect(page.getByRole('alert')).toHaveText(
      'The employees or their accounts changed since the preview. Please review it again.',
    );
    await expect(page.getByRole('row', { name: /Late Comer/ })).toBeVisible();
    await confirmSend(page);
    await expect(page.getByText('Payroll Processed Successfully', { exact: true })).toBeVisible();
  });
});

test('a preview after which another admin paid the same people is reviewed again', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/send');
  const ana = await apiAs(await company.createAdmin({ firstName: 'Ana', lastName: 'Ruiz' }));
  await page.goto('/admin/payroll');
  const order = { wallet: 'Salary Wallet', department: 'Operations', amount: '10' };
  await fill(page, { ...order, description: 'Paid by two' });
  // Nobody but Ana pays them in between.
  await whileNobodySends(company, async () => {
    await reviewButton(page).click();
    await openedReview(page);

    const body = {
      walletType: 'salary',
      department: 'operations',
      amount: { minor: '1000', currency: 'USD' },
      description: 'Paid by two',
    } as const;
    const { hash, alreadyPaid, differences } = await ask(ana, 'adminPreviewPayroll', { body });
    for (const { group } of differences?.groups ?? []) {
      await ask(ana, 'adminAcknowledgePayroll', { body: { hash, group, isAcknowledged: true } });
    }
    const sent = await ask(ana, 'adminSendPayroll', {
      body: { ...body, previewHash: hash, alreadyPaidHash: alreadyPaid?.hash },
    });

    await confirmSend(page);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Your payroll was not sent');
    await expect(alert).toContainText(
      new RegExp(
        `Sent today at .+ by Ana Ruiz: Salary Wallet - .+ \\(batch ${sent.number}\\), \\$`,
      ),
    );
    // The payments in between are asked about, and nothing that was checked counts any more.
    const send = page.getByRole('button', { name: /^Send Payroll/ });
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await confirmSend(page);
    await expect(page.getByText('Payroll Processed Successfully', { exact: true })).toBeVisible();
  });
});

test('a payroll without an answer is sent once, and ten times as much is asked about', async ({
  page,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  // The live stream would say that the draft was sent, before or after the second press.
  await page.route('**/api/events?*', () => undefined);
  await page.goto('/admin/payroll');
  const order = { wallet: 'Salary Wallet', department: 'Marketing', description: 'Sent once' };
  await fill(page, { ...order, amount: '10' });
  const send = page.getByRole('button', { name: /^Send Payroll \$/ });
  await whileNobodySends(company, async () => {
    await reviewButton(page).click();
    const sending = '**/api/admin/payroll/drafts/*/send';
    await page.route(sending, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await confirmSend(page);
    await expect(page.getByRole('main')).toContainText(
      'We can’t tell whether this payroll went through.',
    );
    await page.unroute(sending);
    await send.click();
    await expect(page.getByText('Payroll Processed Successfully', { exact: true })).toBeVisible();
  });

  await page.getByRole('button', { name: 'Send another payroll' }).click();
  await fill(page, { ...order, amount: '100' });
  const review = page.getByRole('main');
  // Another payroll in between would make what is checked here that of an earlier preview.
  await whileNobodySends(company, async () => {
    await reviewButton(page).click();
    await openedReview(page);
    await expect(review).toContainText('10 times the last payroll.');
    await review.getByRole('checkbox', { name: /^Pay th.+ again$/ }).check();
    await checkDifferences(review);
    await expect(review).toContainText('First confirm that the amount is right.');
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await review.getByRole('checkbox', { name: 'The amount is right' }).check();
    await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  });
  // Back keeps the draft.
  await review.getByRole('link', { name: 'Back to Amounts' }).click();
  await expect(page).toHaveURL(/\/admin\/payroll\?draft=/);
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('100.00');
});

test('the form survives a look at the history', async ({ page }) => {
  await page.goto('/admin/payroll');
  await page.getByLabel('Description').fill('Half written');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page).toHaveURL('/admin/payroll?tab=history');
  await page.getByRole('tab', { name: 'Send Payroll' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Half written');
});

test('the history leads to a batch, its rail and its lines by state', async ({ page }) => {
  await page.goto('/admin/payroll?tab=history');
  await page
    .getByRole('searchbox', { name: 'Search batches' })
    .fill('Company contribution to savings');
  await expect(page).toHaveURL(/search=/);
  const batches = page.getByRole('table', { name: 'Payroll batches' });
  await expect(batches.getByText('Salary Wallet')).toHaveCount(0);
  await batches
    .getByRole('button', { name: /^Open Savings Account/ })
    .first()
    .click();
  await expect(page).toHaveURL(/batch=/);
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed');
  await page.getByLabel('Status').selectOption({ label: 'Skipped' });
  await expect(page).toHaveURL(/linesStatus=skipped/);
  await expect(page.getByText('No Savings Account (401k)').first()).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^PAY-\d{4}-\d{4}$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Back to History' }).click();
  await expect(batches).toBeVisible();
});

test('the total of a long preview stays in view', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto('/admin/payroll');
  await fill(page, {
    wallet: 'Salary Wallet',
    department: 'All departments',
    amount: '100',
    description: 'For everyone',
  });
  const preview = page.getByRole('region', { name: 'Preview' });
  const total = preview.getByRole('cell', { name: /^Total, \d+ employees/ });
  await expect(total).toBeVisible();
  // The sheet stays on the screen once the head of the page is scrolled away.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(total).toBeInViewport({ ratio: 1 });
  await preview.getByRole('row').nth(20).scrollIntoViewIfNeeded();
  await expect(total).toBeInViewport({ ratio: 1 });
});

/** The last column of an export, in minor units, all together. */
async function sumOfExport(page: Page): Promise<number> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await (await downloading).path();
  const [, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  return lines.reduce((sum, line) => sum + Math.round(Number(line.split(',').at(-1)) * 100), 0);
}

test('says who was paid what within some days, and the export has the same sum', async ({
  page,
}) => {
  await page.goto('/admin/payroll');
  await page.getByRole('tab', { name: 'Who Was Paid' }).click();
  const total = page.getByRole('row', { name: /^Total, \d+ employees/ });
  await expect(total).toBeVisible();
  // On the first day of a month other tests pay people yesterday, which is last month; nobody of this department.
  await page.getByLabel('Department').selectOption('Engineering');
  await expect(total).toContainText('12 employees');
  await page.getByLabel('Period').selectOption('Last month');
  await expect(page).toHaveURL(/paidFrom=\d{4}-\d\d-01/);
  await expect(page.getByLabel('From')).toHaveValue(/-01$/);
  // The sum of the period before is there for a moment.
  await expect(async () => {
    const shown = (await total.getByRole('cell').last().innerText()).replaceAll(/[^\d]/g, '');
    expect(await sumOfExport(page)).toBe(Number(shown));
  }).toPass();

  await page.getByLabel('Period').selectOption('All time');
  await page.getByRole('searchbox', { name: 'Search employees' }).fill('Castellanos');
  await expect(page.getByText('Showing 1 employee')).toBeVisible();
  await page.getByRole('link', { name: 'Open Maya Castellanos' }).click();
  await expect(page).toHaveURL(/\/admin\/employees\//);
});

test('the lines of a payroll can be taken along', async ({ page }) => {
  await page.goto('/admin/payroll?tab=history');
  const batches = page.getByRole('table', { name: 'Payroll batches' });
  await page.getByRole('searchbox', { name: 'Search batches' }).fill('Salary Wallet');
  // The list moves: by the search, and by the payrolls of other tests.
  await expect(async () => {
    const open = batches.getByRole('button', { name: /^Open Salary Wallet/ });
    if (await batches.isVisible()) await open.last().click({ timeout: 5_000 });
    await expect(page.getByRole('list', { name: 'Payroll progress' })).toBeVisible({
      timeout: 5_000,
    });
  }).toPass();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^payroll-lines-[\d-]+\.csv$/);
});

test('the history is grouped by payday with the sum of each, which folds', async ({
  page,
  company,
}) => {
  const person = await company.createEmployee({
    firstName: 'Odalys',
    lastName: `Group${Date.now()}`,
    fundedMinor: 31_415n,
  });
  await fundedWallet(company.db, company.services, person.by, 20_000n, 'savings');
  await page.goto('/admin/payroll?tab=history');
  await page.getByRole('searchbox', { name: 'Search batches' }).fill(person.lastName);
  const batches = page.getByRole('table', { name: 'Payroll batches' });
  await expect(batches.getByRole('row').filter({ hasText: '2 batches' })).toContainText('$514.15');
  await expect(batches.locator('tr[data-row]')).toHaveCount(2);
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const [, ...exported] = (await readFile(await (await downloading).path(), 'utf8'))
    .trimEnd()
    .split('\r\n');
  expect(exported).toHaveLength(2);
  const fold = batches.getByRole('button', { expanded: true });
  await fold.click();
  await expect(batches.locator('tr[data-row]')).toHaveCount(0);
  await batches.getByRole('button', { expanded: false }).click();
  await expect(batches.locator('tr[data-row]')).toHaveCount(2);
  await page.getByLabel('Group by').selectOption('Nothing');
  await expect(page).toHaveURL(/group=nothing/);
  await expect(batches.getByText('2 batches')).toHaveCount(0);
  await expect(batches.locator('tr[data-row]')).toHaveCount(2);
});
