import type { Page } from '@playwright/test';
import { bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { STANDING_HOLD_DAYS } from '#contract/bills.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { expectAccessible } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const createPayer = (company: Company): Promise<Person> =>
  company.createEmployee({ fundedMinor: 50_000n, isApproved: true });

const inDays = (days: number): string => addDays(dayIn('America/New_York', new Date()), days);

/** A bill of $70.00 to Harbor Fiber, ten days ahead unless given. */
async function makeScheduledBill(
  { db, services }: Company,
  { by }: Person,
  payOn = inDays(10),
): Promise<void> {
  const payeeId = await outsidePayee(db, services, by);
  const { accounts } = await listWallets(db, by.actor.id);
  const amount = money(7_000n, 'USD');
  const input = { walletId: accounts[0]?.id ?? '', payeeId, amount, payOn, dueOn: null, memo: '' };
  await withTx(db, (tx) => scheduleBill(tx, services, by, input));
}

/** Takes the bills of today, on the next banking day where today is none. */
async function takeBillsOfToday({ db }: Company): Promise<void> {
  const today = inDays(0);
  const paidOn = bankingDayOnOrAfter(today, 'USD');
  const clock = paidOn === today ? systemClock : { now: () => new Date(`${paidOn}T17:00:00Z`) };
  await takeBills(db, { clock });
}

const dialog = (page: Page) => page.getByRole('dialog');
async function fillPayee(page: Page): Promise<void> {
  await dialog(page).getByLabel('Payee Name').fill('Harbor Fiber');
  await dialog(page).getByLabel('Routing Number').fill('021 000 021');
  await dialog(page).getByLabel('Account Number').fill('40227755502');
  await dialog(page).getByLabel('Your customer number').fill('HF-220418');
}

test('a bill: scheduled to a new payee, changed, cancelled, and paid by an admin on its day', async ({
  page,
  context,
  openAs,
  company,
}) => {
  const payer = await createPayer(company);
  await signIn(context, payer);
  await page.goto('/employee/dashboard?tab=payments');
  await page.getByRole('button', { name: 'Pay a Bill', exact: true }).click();
  const fill = dialog(page);
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please' })).toContainText(
    'Enter the name of the payee',
  );
  await fillPayee(page);
  await fill.getByLabel('Amount').fill('70,00');
  await expect(fill).toContainText('Reads as $70.00');
  const payOn = fill.getByLabel('Pay on');
  await payOn.fill('31.12.2026');
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  await expect(payOn).toHaveAccessibleDescription(/Enter the month first: 12\/31\/2026/);
  await payOn.fill('03/04/2030');
  await expect(payOn).toHaveAccessibleDescription(/Monday, March 4, 2030 \(month first\)/);
  await payOn.fill(inDays(5));
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  const review = page.getByRole('dialog', { name: 'Review bill' });
  await expect(review).toContainText('Harbor Fiber, checking ••5502');
  await expect(review).toContainText('$430.00');
  await review.getByRole('button', { name: /^Pay \$70\.00 on / }).click();
  const receipt = page.getByRole('dialog', { name: 'Bill Scheduled' });
  await expect(receipt).toContainText(/BP-\d{8}/);
  await receipt.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Change the bill to Harbor Fiber' }).click();
  await expect(fill.getByLabel('Amount')).toHaveValue('70.00');
  await fill.getByLabel('Amount').fill('500');
  await fill.getByLabel('Pay on').fill(inDays(0));
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  await page.getByRole('button', { name: /^Pay \$500\.00 on / }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const bills = page.getByRole('region', { name: 'Scheduled bills' });
  await expect(bills).toContainText('$500.00 held');
  await page.goto('/employee/history?type=transfer');
  await page
    .getByRole('button', { name: /^Open Bill, Harbor Fiber/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Pay Again' }).click();
  await expect(fill.getByLabel('Payee')).toContainText('Harbor Fiber ••5502');
  await expect(fill.getByLabel('Amount')).toHaveValue('500.00');
  await expect(fill.getByLabel('Pay on')).toHaveValue('');
  await escape(fill);
  await expect(fill).toBeHidden();

  await takeBillsOfToday(company);
  const desk = await openAs(await company.createAdmin());
  await desk.goto('/admin/bills');
  const row = desk.getByRole('row', { name: /Test Person.*\$500\.00/ }).last();
  await row.getByRole('checkbox').check();
  await desk.getByRole('button', { name: 'Bank Details 1' }).click();
  const numbers = desk.getByRole('dialog', { name: 'Bank details of 1 bill' });
  await numbers.getByRole('button', { name: 'Show Account Numbers' }).click();
  await expect(numbers).toContainText(/Account number\d{4,17}/);
  await numbers.getByRole('button', { name: 'Close' }).last().click();
  await row.getByRole('checkbox').uncheck();
  await row.getByRole('button', { name: /^Mark as sent/ }).click();
  const sending = desk.getByRole('alertdialog', { name: 'Mark this bill as sent?' });
  await expect(sending).toContainText(
    /Available.*Payee added.*Password changed.*No payout to this/,
  );
  await sending.getByRole('button', { name: 'Mark as sent $500.00' }).click();
  await expect(desk.getByText('Bill Sent', { exact: true })).toBeVisible();
  const sent = desk.getByRole('row', { name: /Sent.*\$500\.00/ }).last();
  await sent.getByRole('checkbox').check();
  await desk.getByRole('button', { name: 'Complete 1' }).click();
  const question = desk.getByRole('alertdialog', { name: 'Complete 1 bill?' });
  await expect(question).toContainText('Harbor Fiber••5502');
  await expectAccessible(desk);
  await question.getByRole('button', { name: 'Complete $500.00' }).click();
  const result = desk.getByRole('dialog', { name: '1 of 1 bill completed' });
  await result.getByRole('button', { name: 'Done' }).click();

  await page.goto('/employee/dashboard?tab=payments');
  await expect(page.getByText('No scheduled bills')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Recent payments' })).toContainText(
    'Bill, Harbor Fiber',
  );

  const { id } = await company.db
    .selectFrom('bill')
    .select('id')
    .where('userId', '=', payer.by.actor.id)
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow();
  await desk.goto(`/admin/bills?bill=${id}`);
  const details = desk.getByRole('dialog', { name: 'Bill details' });
  await expect(details).toContainText(/ReferenceBP-\d+/);
  await expect(details).toContainText(/Payee added/);
  await expect(details.getByRole('link', { name: 'Test Person' })).toHaveAttribute(
    'href',
    /\/admin\/employees\//,
  );
  await desk.getByRole('button', { name: 'Returned by bank' }).click();
  const returning = desk.getByRole('dialog', { name: 'Returned by bank' });
  await returning.getByLabel('Reason').fill('R03 No account');
  await returning.getByRole('button', { name: 'Book the return' }).click();
  await expect(desk.getByText('Bill Returned', { exact: true })).toBeVisible();

  await page.reload();
  const payees = page.getByRole('table', { name: 'Saved payees' });
  await expect(payees).toContainText(/The bank sent back \$500\.00 \(BP-\d+\)/);
  await page.getByRole('button', { name: 'Pay a Bill', exact: true }).click();
  await fill
    .getByRole('combobox', { name: 'Payee', exact: true })
    .selectOption({ label: 'Harbor Fiber ••5502 (sent back by the bank)' });
  await expect(fill).toContainText('Reason: R03 No account');
  await fill.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('alertdialog', { name: 'Discard what you typed?' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await payees.getByRole('button', { name: 'Confirm Harbor Fiber' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm Payee' }).click();
  await expect(payees.getByRole('button', { name: 'Pay Harbor Fiber' })).toBeVisible();
});

test('an admin stops a bill that is due with a reason, and its amount is available again', async ({
  page,
  context,
  openAs,
  company,
}) => {
  const payer = await company.createEmployee({
    lastName: 'Stoppard',
    fundedMinor: 50_000n,
    isApproved: true,
  });
  await makeScheduledBill(company, payer, inDays(0));
  await takeBillsOfToday(company);
  const desk = await openAs(await company.createAdmin());
  await desk.goto('/admin/bills?search=Stoppard');
  await desk.getByRole('button', { name: /^Stop .*Stoppard, \$70\.00/ }).click();
  const question = desk.getByRole('dialog', { name: 'Stop bill' });
  await expect(question).toContainText(/\$70\.00 from .* Stoppard to Harbor Fiber ••\d{4}\./);
  const stop = question.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(desk);
  await question.getByLabel('Reason').fill('The numbers of the payee are wrong.');
  await stop.click();
  await expect(desk.getByText('Bill Stopped', { exact: true })).toBeVisible();
  await expect(desk.getByText('No bills found')).toBeVisible();
  await desk.getByLabel('Status').selectOption({ label: 'All' });
  await expect(desk.getByRole('row', { name: /Stoppard/ })).toContainText('Rejected');

  await signIn(context, payer);
  await page.goto('/employee/dashboard?tab=payments');
  await expect(page.getByText('No scheduled bills')).toBeVisible();
  await page.goto('/employee/notifications');
  await expect(page.getByText(/available again\. Reason: The numbers of the payee/)).toBeVisible();
  await page.goto('/employee/dashboard');
  await expect(page.getByText('$500.00').first()).toBeVisible();
});

test('a scheduled bill is cancelled, and a saved payee edited', async ({
  page,
  context,
  company,
}) => {
  const payer = await createPayer(company);
  await makeScheduledBill(company, payer);
  await signIn(context, payer);
  await page.goto('/employee/dashboard?tab=payments');
  await page.getByRole('button', { name: 'Cancel the bill to Harbor Fiber' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('It returns to Salary Wallet now');
  await question.getByRole('button', { name: 'Cancel Bill' }).click();
  await expect(page.getByText('No scheduled bills')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Harbor Fiber' }).click();
  await dialog(page).getByLabel('Payee Name').fill('Harbor Fiber & Co');
  await dialog(page).getByRole('button', { name: 'Update Payee' }).click();
  await expect(page.getByRole('table', { name: 'Saved payees' })).toContainText(
    'Harbor Fiber & Co',
  );
});

test('a bill is repeated: set up with its first one held, listed, and stopped', async ({
  page,
  context,
  company,
}) => {
  const payer = await createPayer(company);
  await signIn(context, payer);
  await page.goto('/employee/dashboard?tab=payments');
  await page.getByRole('button', { name: 'Pay a Bill', exact: true }).click();
  await fillPayee(page);
  const fill = dialog(page);
  const today = dayIn('America/New_York', new Date());
  await fill.getByLabel('Amount').fill('70');
  await fill.getByLabel('Repeat').selectOption('Every month');
  // After the next banking day: another test takes the bills until then.
  await fill.getByLabel('First on').fill(addDays(today, STANDING_HOLD_DAYS));
  await fill.getByLabel('Last day').fill(today);
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please' })).toContainText(
    'Choose a last day of',
  );
  await fill.getByLabel('Last day').fill('');
  await fill.getByRole('button', { name: 'Review Bill' }).click();
  await expect(page.getByRole('dialog')).toContainText('Every month until you stop it');
  await page.getByRole('button', { name: 'Pay $70.00 every month' }).click();
  const receipt = page.getByRole('dialog', { name: 'Standing Bill Set Up' });
  await expect(receipt).toContainText('The first one is held now');
  await expectAccessible(page);
  await receipt.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Scheduled bills' })).toContainText('$70.00 held');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop the standing bill to Harbor Fiber' }).click();
  await page.getByRole('button', { name: 'Stop Standing Bill' }).click();
  await expect(page.getByText('Standing Bill Stopped', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Standing bills' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Scheduled bills' })).toContainText('$70.00 held');
});

describeVisits('paying a bill', (looks) => {
  test('is readable and accessible', async ({ page, context, company }) => {
    const payer = await createPayer(company);
    await makeScheduledBill(company, payer);
    await signIn(context, payer);
    await page.goto('/employee/dashboard?tab=payments');
    await expect(page.getByRole('button', { name: 'Edit Harbor Fiber' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Pay a Bill', exact: true }).click();
    await fillPayee(page);
    await expectFineInLooks(page, looks);
  });
});
