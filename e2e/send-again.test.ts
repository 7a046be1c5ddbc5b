import { bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { billActs, scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { approvedWithdrawal } from './support/payouts.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const REASON = 'R03 No account';

/** A withdrawal that the bank sent back, and another verified bank account of its owner. */
async function returnedWithdrawal(company: Company, lastName: string) {
  const { id, person } = await approvedWithdrawal(company, lastName, 21_900n);
  const { db, services, admin } = company;
  await withTx(db, async (tx) => {
    await withdrawalActs.startProcessing(tx, services, admin, { id });
    await withdrawalActs.complete(tx, services, admin, { id });
    await withdrawalActs.return(tx, services, admin, { id, reason: REASON });
  });
  const bank = await company.verifyBankFor(person);
  return { id, person, last4: bank.accountNumberLast4 };
}

/** A bill of $83.00 to Alder Dental that the bank sent back. */
async function returnedBill({ db, services, admin }: Company, { by }: Person): Promise<string> {
  const payeeId = await outsidePayee(db, services, by, { name: 'Alder Dental' });
  const { accounts } = await listWallets(db, by.actor.id);
  const payOn = bankingDayOnOrAfter(dayIn('America/New_York', new Date()), 'USD');
  const order = {
    walletId: accounts[0]?.id ?? '',
    payeeId,
    amount: money(8_300n, 'USD'),
    payOn,
    dueOn: null,
    memo: 'Crown',
  };
  const { id } = await withTx(db, (tx) => scheduleBill(tx, services, by, order));
  await takeBills(db, { clock: { now: () => new Date(`${payOn}T17:00:00Z`) } });
  await withTx(db, async (tx) => {
    await billActs.send(tx, services, admin, { id });
    await billActs.complete(tx, services, admin, { id });
    await billActs.return(tx, services, admin, { id, reason: REASON });
  });
  return id;
}

test('an employee corrects a returned withdrawal and sends it again, and both requests name each other', async ({
  page,
  context,
  openAs,
  company,
}) => {
  const { id, person, last4 } = await returnedWithdrawal(company, 'Resentpay');
  await signIn(context, person);
  await page.goto(`/employee/withdraw?request=${id}`);
  const details = page.getByRole('dialog', { name: 'Withdrawal details' });
  await expect(details).toContainText(`Sent back${REASON}`);
  await details.getByRole('button', { name: 'Correct and Send Again' }).click();
  const form = page.getByRole('dialog', { name: 'Correct and send again' });
  await expect(form.getByLabel('Destination Bank')).toContainText(last4);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await form.getByRole('button', { name: 'Send $219.00 Again' }).click();
  await expect(page.getByText('Withdrawal Sent Again', { exact: true })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Correct and Send Again' })).toBeHidden();
  await details.getByRole('link', { name: /^WD-\d+-2$/ }).click();
  await expect(details).toContainText(/Sends againWD-\d+/);
  await expect(details).toContainText('Waiting for approval');
  await expectAccessible(page);

  const desk = await openAs(await company.createAdmin());
  await desk.goto(`/admin/withdrawals?request=${id}`);
  const seen = desk.getByRole('dialog', { name: 'Withdrawal details' });
  await seen.getByRole('link', { name: /^WD-\d+-2$/ }).click();
  await expect(seen).toContainText(/ReferenceWD-\d+-2/);
  await seen.getByRole('button', { name: 'Approve' }).click();
  await desk
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(desk.getByText('Withdrawal Approved', { exact: true })).toBeVisible();
});

test('a returned bill is corrected and sent again', async ({ page, context, openAs, company }) => {
  const payer = await company.createEmployee({
    firstName: 'Aanya',
    lastName: 'Resentbill',
    fundedMinor: 50_000n,
    isApproved: true,
  });
  const id = await returnedBill(company, payer);
  await signIn(context, payer);
  await page.goto('/employee/dashboard?tab=payments');
  const returned = page.getByRole('table', { name: 'Bills that the bank sent back' });
  await expect(returned).toContainText(REASON);
  await returned.getByRole('button', { name: /^Correct and Send Again/ }).click();
  const form = page.getByRole('dialog', { name: 'Correct and send again' });
  await expectAccessible(page);
  await form.getByLabel('Routing Number').fill('021 000 022');
  await form.getByRole('button', { name: 'Send $83.00 Again' }).click();
  await expect(form.getByRole('alert')).toContainText('Please check the payee');
  await form.getByLabel('Routing Number').fill('021 000 021');
  await form.getByLabel('Account Number').fill('5550001234');
  await form.getByRole('button', { name: 'Send $83.00 Again' }).click();
  await expect(page.getByText('Bill Sent Again', { exact: true })).toBeVisible();
  await expect(returned).toBeHidden();
  await expect(page.getByRole('table', { name: 'Scheduled bills' })).toContainText('••1234');

  const desk = await openAs(await company.createAdmin());
  await desk.goto(`/admin/bills?bill=${id}`);
  const seen = desk.getByRole('dialog', { name: 'Bill details' });
  await seen.getByRole('link', { name: /^BP-\d+-2$/ }).click();
  await expect(seen).toContainText(/Sends againBP-\d+/);
});

describeVisits('what came back', (looks) => {
  test('is readable and accessible', async ({ page, context, company }) => {
    const { id, person } = await returnedWithdrawal(company, 'Looksagain');
    await returnedBill(company, person);
    await signIn(context, person);
    await page.goto(`/employee/withdraw?request=${id}`);
    await page.getByRole('button', { name: 'Correct and Send Again' }).click();
    await expect(page.getByRole('dialog', { name: 'Correct and send again' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.goto('/employee/dashboard?tab=payments');
    const returned = page.getByRole('table', { name: 'Bills that the bank sent back' });
    await returned.getByRole('button', { name: /^Correct and Send Again/ }).click();
    await expect(page.getByRole('dialog', { name: 'Correct and send again' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
