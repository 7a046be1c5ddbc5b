import type { APIRequestContext, Page } from '@playwright/test';
import { bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { decimalAmount, formatMoney, money } from '#contract/money.ts';
import { listAccountDocuments } from '#server/modules/account-documents/list.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createEmployee } from '#test/factories/people.ts';
import { draftOwnAmounts, payrollFindings } from '#test/payroll-fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import type { Person } from './support/company.ts';
import { openFromRow } from './support/dialogs.ts';
import { apiAs, signIn } from './support/people.ts';
import {
  checkDifferences,
  openedReview,
  sendDraft,
  sendReviewed,
  whileNobodySends,
} from './support/payroll.ts';
import { changeSettings, loosenSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

/** Above what any other test pays: the rule holds for those of this file alone. */
const FROM = money(4_500_000n, 'USD');
const AMOUNT = money(4_600_000n, 'USD');

// Both change the setting.
test.describe.configure({ mode: 'default' });

const upcoming = (page: Page) => page.getByRole('region', { name: 'Upcoming Payroll' });
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting for You' });

/** Pays an employee a bonus that needs a second administrator. */
async function fundBonus(api: APIRequestContext, id: string, description: string) {
  const { wallets, paid } = await ask(api, 'adminGetFundingAccounts', { params: { id } });
  const body = { walletId: wallets[0]?.id ?? '', amount: AMOUNT, description };
  return ask(api, 'adminFundEmployee', {
    params: { id },
    body: { type: 'bonus', ...body, alreadyPaidHash: paid?.hash },
  });
}

test('a funding that needs two people is approved and declined where it is seen', async ({
  page,
  context,
  company,
  openAs,
}) => {
  await signIn(context, 'admin');
  const api = await apiAs('admin');
  const second = await company.createAdmin({ firstName: 'Aanya', lastName: 'Second' });
  const { id } = await company.createEmployee({ firstName: 'Ines', lastName: 'Paidtwice' });
  await changeSettings({ separatePayroll: FROM });
  const fund = (description: string) => fundBonus(api, id, description);
  await fund('To be approved');

  // The sender reads who can approve it, and can take it back.
  await page.goto('/admin/dashboard');
  const note = /Needs a second administrator\. You sent it\. .*Aanya Second.* can do it now\./;
  await expect(upcoming(page)).toContainText(note);
  await expect(waiting(page)).toContainText(note);
  await expect(upcoming(page).getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  // The other one approves it on the dashboard.
  const hers = await openAs(second);
  await hers.goto('/admin/dashboard');
  await expect(upcoming(hers).getByText('Needs approval')).toBeVisible();
  const question = hers.getByRole('alertdialog', { name: 'Approve this payroll?' });
  await openFromRow(waiting(hers).getByRole('button', { name: /^Approve Bonus/ }), question);
  await question.getByRole('button', { name: 'Approve $46,000.00' }).click();
  await expect(hers.getByText('Payroll Approved', { exact: true })).toBeVisible();
  await expect(upcoming(hers).getByText('Needs approval')).toHaveCount(0);

  // The notification of the next one leads to the batch, where it is declined with a reason.
  const declined = await fund('To be declined');
  await hers.goto('/admin/notifications');
  await hers
    .getByRole('link', { name: /Funding to approve/ })
    .first()
    .click();
  await expect(hers.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  await hers.getByRole('button', { name: /^Decline/ }).click();
  const reason = hers.getByRole('dialog', { name: 'Decline payroll' });
  await reason.getByRole('textbox').fill('The bonus was paid in May');
  await reason.getByRole('button', { name: 'Decline' }).click();
  await expect(hers.getByText('Aanya Second declined it. Nobody was paid.')).toBeVisible();
  await page.goto(`/admin/payroll?tab=history&search=${declined.reference.slice(3)}`);
  await expect(page.getByRole('row', { name: /Bonus/ })).toContainText('Declined');
  await page.goto('/admin/dashboard');
  await expect(upcoming(page)).not.toContainText('Needs a second administrator');

  // One that waits when the rule is switched off does not stay stuck.
  await fund('Sent before the rule was switched off');
  const whileProposed = async () => {
    await page.goto('/admin/payroll?tab=history&status=pending');
    await expect(page.getByRole('button', { name: /^Approve Bonus/ })).toHaveCount(0);
  };
  await loosenSettings(company, { separatePayroll: null }, { second, whileProposed });
  await page.reload();
  const again = page.getByRole('alertdialog', { name: 'Approve this payroll?' });
  await openFromRow(page.getByRole('button', { name: /^Approve Bonus/ }), again);
  await again.getByRole('button', { name: 'Approve $46,000.00' }).click();
  await expect(page.getByText('Payroll Approved', { exact: true })).toBeVisible();
});

test('a question in a list stays open with what was typed after somebody else has decided', async ({
  company,
  openAs,
  faults,
}) => {
  const api = await apiAs('admin');
  const second = await company.createAdmin({ firstName: 'Ravi', lastName: 'Second' });
  const { id } = await company.createEmployee({ firstName: 'Tess', lastName: 'Askedtwice' });
  await changeSettings({ separatePayroll: FROM });
  faults.allowRefusal(409, '/decline');
  const page = await openAs(second);
  const reason = page.getByRole('dialog', { name: 'Decline payroll' });
  for (const list of ['/admin/payroll?tab=history&status=pending', '/admin/dashboard']) {
    const batch = await fundBonus(api, id, 'To be declined by two');
    await page.goto(list);
    // Found by its label: what is behind a dialog has no role.
    const decline = page.getByLabel(/^Decline Bonus/);
    await decline.first().click();
    await reason.getByRole('textbox').fill('The bonus was paid in May');
    // The row leaves the list.
    const body = { reason: 'Taken back by its sender.' };
    await ask(api, 'adminDeclinePayroll', { params: { id: batch.id }, body });
    await expect(decline).toHaveCount(0);
    await expect(reason.getByRole('textbox')).toHaveValue('The bonus was paid in May');
    await reason.getByRole('button', { name: 'Decline' }).click();
    await expect(reason.getByRole('alert')).toContainText('declined this');
    await expect(reason.getByRole('textbox')).toHaveValue('The bonus was paid in May');
    await reason.getByRole('textbox').fill('');
    await reason.getByRole('button', { name: 'Keep' }).click();
  }
  await loosenSettings(company, { separatePayroll: null }, { second });
});

test('a payroll is sent once its differences are checked, and the second administrator sees them', async ({
  page,
  context,
  company,
  openAs,
  faults,
}) => {
  await signIn(context, 'admin');
  const api = await apiAs('admin');
  const second = await company.createAdmin({ firstName: 'Aanya', lastName: 'Theo' });
  // Nobody else in the tests is paid into this type of wallet, so that this is the last payroll.
  const lastName = `Differs${Date.now()}`;
  const ana = await company.createEmployee({ firstName: 'Ana', lastName, department: 'hr' });
  const cleo = await company.createEmployee({ firstName: 'Cleo', lastName, department: 'hr' });
  await fundedWallet(company.db, company.yesterday, ana.by, 2_000_000n, 'retirement');
  await fundedWallet(company.db, company.yesterday, cleo.by, 0n, 'retirement');
  await changeSettings({ separatePayroll: FROM });
  const draft = await ask(api, 'adminCreatePayrollDraft', {
    body: {
      walletType: 'retirement',
      department: 'chosen',
      description: 'Compared with the last',
      hasOwnAmounts: true,
      people: [ana.id, cleo.id],
    },
  });
  const people = [
    { id: ana.id, amount: money(2_600_000n, 'USD') },
    { id: cleo.id, amount: money(2_100_000n, 'USD') },
  ];
  const body = { version: draft.version, people };
  await ask(api, 'adminSavePayrollDraft', { params: { id: draft.id }, body });

  await page.goto(`/admin/payroll?draft=${draft.id}`);
  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  const question = await openedReview(page);
  await question.getByLabel('Note').fill('Cleo began on Monday');
  // Someone saves the draft in between, and the server has no time for its preview: the note stays.
  faults.allowRefusal(503, '/preview');
  const previews = '**/api/admin/payroll/drafts/*/preview';
  const problem = { type: 'about:blank', status: 503, code: 'unavailable', title: 'Busy.' };
  await page.route(previews, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', json: problem }),
  );
  const { version } = await ask(api, 'adminGetPayrollDraft', { params: { id: draft.id } });
  const again = { version, description: 'Compared with the last again' };
  await ask(api, 'adminSavePayrollDraft', { params: { id: draft.id }, body: again });
  const error = page.getByRole('alert').filter({ hasText: 'Failed to load the preview' });
  await expect(error).toBeVisible();
  await expect(question.getByLabel('Note')).toHaveValue('Cleo began on Monday');
  await page.unroute(previews);
  await error.getByRole('button', { name: 'Retry' }).click();
  await expect(error).toBeHidden();
  const newPeople = question.getByRole('table', { name: 'New' });
  await expect(newPeople.getByRole('row', { name: `Cleo ${lastName}` })).toContainText(
    '$21,000.00',
  );
  const changed = question.getByRole('table', { name: /^Changed/ }).getByRole('row');
  await expect(changed.filter({ hasText: `Ana ${lastName}` })).toContainText('+$6,000.00 +30.0%');
  await expect(question).toContainText('Check the 3 differences to send it.');
  const send = question.getByRole('button', { name: 'Send Payroll $47,000.00' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(question).toContainText(/Aanya Theo.* can do it now\./);
  await expect(question).toContainText('Renee Albright cannot: sends it.');
  await sendReviewed(page, faults, 'Send Payroll $47,000.00');
  await expect(page.getByRole('heading', { name: /^Waiting for/ })).toBeVisible();
  await expectAccessible(page);

  // Its sender takes it back: the draft has the note, and nothing of it is checked.
  await page.getByRole('button', { name: 'Take Back' }).click();
  await expect(page.getByText('Payroll Taken Back', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  await openedReview(page);
  await expect(page.getByText('0 of 3 checked')).toBeVisible();
  await expect(page.getByLabel('Note')).toHaveValue('Cleo began on Monday');
  await sendReviewed(page, faults, 'Send Payroll $47,000.00');
  await expect(page.getByRole('heading', { name: /^Waiting for/ })).toBeVisible();

  // The second person checks alone.
  const hers = await openAs(second);
  await hers.goto(page.url());
  await expect(hers.getByRole('heading', { name: 'Confirm Payroll' })).toBeVisible();
  const differences = hers.getByRole('region', { name: 'Differences' });
  await expect(differences).toContainText(`Cleo ${lastName}`);
  await expect(hers.getByText('Renee Albright asks you to confirm this payroll.')).toBeVisible();
  await expect(hers.getByText('“Cleo began on Monday”')).toBeVisible();
  await expect(differences.getByText(/^Checked by Renee Albright, /)).toHaveCount(3);
  const confirm = hers.getByRole('button', { name: 'Confirm Payroll $47,000.00' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await expect(hers.getByText('Check the 3 differences to confirm it.')).toBeVisible();
  await expectAccessible(hers);
  await hers.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(hers);
  await hers.setViewportSize({ width: 1440, height: 900 });

  // A list leads to that page, and she sends it back with a reason.
  await hers.goto('/admin/dashboard');
  await waiting(hers)
    .getByRole('link', { name: /^Review Retirement/ })
    .click();
  await hers.getByRole('button', { name: 'Send Back' }).click();
  const reason = hers.getByRole('dialog', { name: 'Send this payroll back?' });
  await reason.getByRole('textbox').fill('Ana gets less');
  await reason.getByRole('button', { name: 'Send Back' }).click();
  await expect(hers.getByText('Payroll Sent Back', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Open Draft' }).click();
  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  await sendReviewed(page, faults, 'Send Payroll $47,000.00');
  await expect(page.getByRole('heading', { name: /^Waiting for/ })).toBeVisible();

  await hers.goto(page.url());
  await expect(differences.getByText(/^Checked by Renee Albright, /)).toHaveCount(3);
  await checkDifferences(differences);
  await expect(differences.getByText(/^Checked by you, .+, and by Renee Albright, /)).toHaveCount(
    3,
  );
  await confirm.click();
  await expect(hers.getByText('Payroll Approved', { exact: true })).toBeVisible();
  await loosenSettings(company, { separatePayroll: null }, { second });
});

test('a payroll of sixty comes from a file, is approved and paid on its day, and one payment is recovered over two paydays', async ({
  page,
  context,
  company,
  openAs,
  faults,
}) => {
  const { db, services, yesterday } = company;
  await signIn(context, 'admin');
  const second = await company.createAdmin({ firstName: 'Aanya', lastName: 'Journey' });
  const lastName = `Journey${Date.now()}`;
  // No other test pays all of this department.
  const named = { department: 'customer-support' as const, lastName };
  const lucia = await company.createEmployee({
    ...named,
    firstName: 'Lucia',
    isApproved: true,
    hasVerifiedBank: true,
  });
  const people: Pick<Person, 'id' | 'name' | 'email' | 'by'>[] = [lucia];
  for (let number = 2; number <= 60; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each has the next employee number
    people.push(await createEmployee(db, yesterday, { ...named, firstName: `Nia${number}` }));
  }
  await changeSettings({ separatePayroll: FROM });

  // The file: three errors, which are fixed, and its total, which agrees to the cent.
  const netOf = (index: number) => 222_600n + BigInt(index) * 1_001n;
  const total = people.reduce((sum, _, index) => sum + netOf(index), 0n);
  const rows = people.map(({ email }, index) => `${email},${decimalAmount(netOf(index))}`);
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'Customer support' });
  await page.getByLabel('Description').fill(`Pay of ${lastName}`);
  // The next payday may be today, on which it would be paid with its approval.
  const payOn = bankingDayOnOrAfter(addDays(dayIn('America/New_York', new Date()), 7), 'USD');
  const [year, month, day] = payOn.split('-');
  await page.getByLabel('Pay date').fill(`${month}/${day}/${year}`);
  await page.getByText('Each person’s own amount').click();
  await page.getByText('From a file').click();
  await page.getByRole('button', { name: 'Prepare Amounts' }).click();
  const choose = (lines: readonly string[]) =>
    page.locator('input[type="file"]').setInputFiles({
      name: 'net-pay.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Email,Net_Pay', ...lines].join('\r\n')),
    });
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  await choose([
    ...rows.with(4, `${people[4]?.email},12.345`),
    `nobody-${lastName}@x.test,1.00`,
    rows[7] ?? '',
  ]);
  await expect(sheet).toContainText('First fix 3 errors');
  await choose(rows);
  const fillIn = sheet.getByRole('button', { name: 'Fill In 60 Amounts' });
  await expect(sheet).not.toContainText('First fix');
  await expect(fillIn).toBeVisible();
  // People whom another payroll of the shared company paid.
  const others = page.getByRole('button', { name: /^Leave Out, all / });
  if (await others.isVisible()) await others.click();
  await page.getByLabel('Control total').fill(decimalAmount(total - 1n));
  await expect(fillIn).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Control total').fill(decimalAmount(total));
  await fillIn.click();
  await expect(page.getByText('Amounts Filled In', { exact: true })).toBeVisible();

  // Sent with its differences checked, and confirmed by another administrator who checks alone.
  const written = formatMoney(money(total, 'USD'));
  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  await whileNobodySends(company, () => sendReviewed(page, faults, `Send Payroll ${written}`));
  await expect(page.getByRole('heading', { name: /^Waiting for/ })).toBeVisible();
  const hers = await openAs(second);
  await hers.goto(page.url());
  const confirm = hers.getByRole('button', { name: `Confirm Payroll ${written}` });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await checkDifferences(hers.getByRole('region', { name: 'Differences' }));
  await confirm.click();
  await expect(hers.getByText('Payroll Approved', { exact: true })).toBeVisible();
  await loosenSettings(company, { separatePayroll: null }, { second });

  // Nobody is paid before its day; on its day everybody is.
  const { id: batchId } = await db
    .selectFrom('payrollBatch')
    .select('id')
    .where('description', '=', `Pay of ${lastName}`)
    .executeTakeFirstOrThrow();
  const postOn = (on: string, id = batchId) =>
    postPayroll(db, { clock: { now: () => new Date(`${on}T17:00:00Z`) } }, id);
  await postOn(addDays(payOn, -1));
  await page.goto(`/admin/payroll?tab=history&batch=${batchId}`);
  await expect(page.getByRole('heading', { name: 'Payroll Sent' })).toBeVisible();
  await postOn(payOn);
  await expect(page.getByRole('heading', { name: 'Payroll Sent' })).toBeHidden();
  await expect(page.getByRole('table', { name: 'Totals by department' })).toContainText(written);

  // One payment is taken back, and what is left of another is asked for.
  const nia = people[1];
  await page.getByLabel('Search lines').fill(nia?.name ?? '');
  // A row that moves while it is pressed is not pressed.
  await expect(page.getByRole('rowheader', { name: lucia.name, exact: true })).toBeHidden();
  const dialog = page.getByRole('dialog', { name: 'Reverse Payment' });
  await openFromRow(page.getByRole('button', { name: `Reverse ${nia?.name}, $2,236.01` }), dialog);
  await dialog.getByLabel('Reason').selectOption('Paid twice');
  await dialog.getByLabel('What to tell the employee').fill('You were paid twice.');
  await dialog.getByRole('button', { name: 'Reverse $2,236.01' }).click();
  await expect(page.getByText('Payment Reversed', { exact: true })).toBeVisible();
  const api = await apiAs(lucia);
  const { accounts } = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  await ask(api, 'requestWithdrawal', {
    body: {
      walletId: accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: money(210_760n, 'USD'),
      urgency: 'medium',
      reason: 'Rent',
    },
  });
  await page.getByLabel('Search lines').fill(lucia.name);
  await openFromRow(page.getByRole('button', { name: `Reverse ${lucia.name}, $2,226.00` }), dialog);
  await expect(dialog.getByLabel('Spread over')).toHaveValue('2');
  await dialog.getByLabel('Reason').selectOption('Paid twice');
  await dialog.getByLabel('What to tell the employee').fill('You were paid twice.');
  await dialog.getByRole('button', { name: `Reverse $118.40 and Ask ${lucia.name}` }).click();
  await expect(page.getByText('Recovery Proposed', { exact: true })).toBeVisible();

  // She accepts, and two paydays take it.
  const lucias = await openAs(lucia);
  await lucias.goto('/employee/dashboard');
  await lucias.getByRole('link', { name: 'See the request' }).click();
  await lucias.getByRole('button', { name: 'Accept' }).click();
  const question = lucias.getByRole('alertdialog', { name: 'Accept this recovery?' });
  await question.getByRole('button', { name: 'Accept' }).click();
  await expect(lucias.getByText('Recovery Accepted', { exact: true })).toBeVisible();
  for (const later of [14, 28]) {
    const on = addDays(payOn, later);
    const { actor } = company.admin;
    const amounts = new Map([[lucia.id, 500_000n]]);
    // oxlint-disable-next-line no-await-in-loop -- one payday after the other
    const draft = await draftOwnAmounts(db, actor, amounts, { ...services, payOn: on });
    // oxlint-disable-next-line no-await-in-loop -- one payday after the other
    const { id } = await sendDraft(company, actor, draft.id);
    // oxlint-disable-next-line no-await-in-loop -- one payday after the other
    await postOn(on, id);
  }
  const instalments = lucias.getByRole('table', { name: /^Instalments/ });
  await expect(instalments.getByRole('row', { name: /-A1/ })).toHaveCount(2);
  await expect(lucias.getByText('Finished')).toBeVisible();

  // The payslips add up to what was paid less what was taken back, and verification finds nothing.
  const settings = await readSettings(db);
  // Today's year, too: a payment of a day to come is in the books from the moment at which it is posted.
  const today = dayIn('America/New_York', new Date());
  const years = new Set([today, payOn, addDays(payOn, 28)].map((on) => Number(on.slice(0, 4))));
  let paidMinor = 0n;
  for (const { id, name } of people) {
    for (const paidIn of years) {
      const scope = { address: [], settings, now: new Date(`${addDays(payOn, 29)}T17:00:00Z`) };
      const person = { id, name, employeeId: null };
      // oxlint-disable-next-line no-await-in-loop -- one person after the other
      const { payslips } = await listAccountDocuments(db, { ...scope, person }, paidIn);
      paidMinor += BigInt(payslips.totalPaid.minor);
    }
  }
  expect(paidMinor).toBe(total - 223_601n - 11_840n + 1_000_000n);
  expect(await payrollFindings(db)).toEqual([]);
});
