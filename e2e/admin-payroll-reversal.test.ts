import type { Page } from '@playwright/test';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { deactivatePerson, reactivatePerson } from '#server/modules/identity/index.ts';
import {
  previewPayrollDraft,
  sendPayrollDraft,
} from '#server/modules/payroll/drafts/send-draft.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { acknowledgeAll, draftOwnAmounts } from '#test/payroll-fixture.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import type { Company, Person } from './support/company.ts';
import { whileNobodySends } from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** Opens the payroll that paid a person, who was paid by one. */
async function openPayrollOf(page: Page, { db }: Company, { id }: Person): Promise<void> {
  const { batchId } = await db
    .selectFrom('payrollLine')
    .select('batchId')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  await page.goto(`/admin/payroll?tab=history&batch=${batchId}`);
}

/** Requests a withdrawal of the person's, which holds the money. */
async function spend(person: Person, minor: bigint): Promise<void> {
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  const banks = await ask(api, 'listBankAccounts', {});
  await ask(api, 'requestWithdrawal', {
    body: {
      walletId: accounts[0]?.id ?? '',
      bankAccountId: banks.items[0]?.id ?? '',
      amount: money(minor, 'USD'),
      urgency: 'medium',
      reason: 'Rent',
    },
  });
}

async function fillReversal(page: Page, message: string) {
  const dialog = page.getByRole('dialog', { name: 'Reverse Payment' });
  await dialog.getByLabel('Reason').selectOption('Paid twice');
  await dialog.getByLabel('What to tell the employee').fill(message);
  return dialog;
}

test('a payment is taken back, and its employee reads why', async ({ page, company, openAs }) => {
  const jo = await company.createEmployee({
    firstName: 'Jo',
    lastName: 'Figueiredo',
    fundedMinor: 231_200n,
  });
  await openPayrollOf(page, company, jo);
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed');
  await expect(page.getByRole('table', { name: 'Totals by department' })).toContainText(
    '$2,312.00',
  );
  await page.getByRole('button', { name: 'Reverse Jo Figueiredo, $2,312.00' }).click();
  const dialog = await fillReversal(page, 'You were paid twice on this day.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reverse $2,312.00' }).click();
  await expect(page.getByText('Payment Reversed', { exact: true })).toBeVisible();
  const line = page.getByRole('row', { name: /Jo Figueiredo/ });
  await expect(line).toContainText('Reversed');
  await expect(line).toContainText('Paid twice: $2,312.00 reversed by');
  // The top bar would cover a part of the buttons.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);

  const hers = await openAs(jo);
  await hers.goto('/employee/dashboard');
  await expect(hers.getByText('−$2,312.00').first()).toBeVisible();
});

test('the rest of a payment that was spent is taken back', async ({ page, company }) => {
  const lucia = await company.createEmployee({
    firstName: 'Lucia',
    lastName: 'Herrera',
    fundedMinor: 222_600n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await spend(lucia, 210_760n);
  await openPayrollOf(page, company, lucia);
  await page.getByRole('button', { name: /^Reverse Lucia Herrera/ }).click();
  const dialog = await fillReversal(page, 'This payroll was sent twice.');
  await expect(dialog).toContainText('Only $118.40 of it is left. $2,107.60 was withdrawn');
  await dialog.getByText('Reverse what is left').click();
  await dialog.getByRole('button', { name: 'Reverse $118.40' }).click();
  await expect(page.getByText('Payment Reversed', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Lucia Herrera/ })).toContainText(
    'Paid twice: $118.40 reversed by',
  );
});

test('a reversal keeps what was typed when its employee spends the money, and asks what to do', async ({
  page,
  company,
}) => {
  const noa = await company.createEmployee({
    firstName: 'Noa',
    lastName: 'Bergman',
    fundedMinor: 120_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await openPayrollOf(page, company, noa);
  await page.getByRole('button', { name: 'Reverse Noa Bergman, $1,200.00' }).click();
  const dialog = await fillReversal(page, 'You were paid twice on this day.');
  await expect(dialog.getByRole('button', { name: 'Reverse $1,200.00' })).toBeVisible();
  await spend(noa, 100_000n);
  await expect(dialog).toContainText('$1,200.00 was available, now it is $200.00.');
  await expect(dialog.getByLabel('What to tell the employee')).toHaveValue(
    'You were paid twice on this day.',
  );
  await expect(dialog.getByLabel('Reason')).toHaveValue('paid_twice');
  await expectAccessible(page);
  // Neither of the two other acts is chosen for the person.
  await dialog.getByRole('button', { name: 'Reverse', exact: true }).click();
  await expect(dialog.getByRole('radiogroup', { name: 'What to do' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await dialog.getByText('Reverse what is left').click();
  await dialog.getByRole('button', { name: 'Reverse $200.00' }).click();
  await expect(page.getByText('$200.00 was taken back from Noa Bergman.')).toBeVisible();
});

test('the rest of a payment that was spent is recovered from payrolls once its employee accepts', async ({
  page,
  company,
  openAs,
}) => {
  const noor = await company.createEmployee({
    firstName: 'Noor',
    lastName: 'Haddad',
    fundedMinor: 222_600n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await spend(noor, 210_760n);
  await openPayrollOf(page, company, noor);
  await page.getByRole('button', { name: /^Reverse Noor Haddad/ }).click();
  const dialog = await fillReversal(page, 'You were paid twice on this day.');
  await expect(dialog).toContainText('Recovered$2,226.00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reverse $118.40 and Ask Noor Haddad' }).click();
  await expect(page.getByText('Recovery Proposed', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Noor Haddad/ })).toContainText('$118.40 reversed by');

  const hers = await openAs(noor);
  await hers.goto('/employee/recovery');
  await expect(hers.getByText(/asks you to pay \$2,107\.60 back\./)).toBeVisible();
  const instalments = hers.getByRole('table', { name: /^Instalments/ }).getByRole('row');
  await expect(instalments.filter({ hasText: '$1,053.80' })).toHaveCount(2);
  await expectAccessible(hers);
  await hers.getByRole('button', { name: 'Accept' }).click();
  const question = hers.getByRole('alertdialog', { name: 'Accept this recovery?' });
  await question.getByRole('button', { name: 'Accept' }).click();
  await expect(hers.getByText('Recovery Accepted', { exact: true })).toBeVisible();
  await expect(hers.getByText('Left')).toBeVisible();
});

test('a payroll whose answer was lost is taken back once, and the results say so', async ({
  page,
  company,
  faults,
}) => {
  const ada = await company.createEmployee({
    firstName: 'Ada',
    lastName: 'Lindqvist',
    fundedMinor: 143_100n,
  });
  await openPayrollOf(page, company, ada);
  await page.getByRole('button', { name: 'Reverse Payroll' }).click();
  const question = page.getByRole('dialog', { name: 'Reverse Payroll' });
  await question.getByLabel('Reason').selectOption('Paid twice');
  await question.getByLabel('What to tell the employees').fill('This payroll was sent twice.');
  await expectAccessible(page);
  // The server does it, and its answer does not arrive.
  faults.allow(/ERR_FAILED/);
  await page.route('**/reverse', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await question.getByRole('button', { name: 'Reverse $1,431.00' }).click();
  const unknown = page.getByRole('dialog', { name: '0 of 1 payment reversed' });
  await expect(unknown).toContainText('We didn’t get a response for 1 payment.');
  await page.unroute('**/reverse');
  await unknown.getByRole('button', { name: 'Try Again' }).click();
  const results = page.getByRole('dialog', { name: '1 of 1 payment reversed' });
  await expect(results).toContainText('$1,431.00 was taken back from 1 employee.');
  await expectAccessible(page);
  await results.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /Ada Lindqvist/ })).toContainText(
    'Paid twice: $1,431.00 reversed by',
  );
  const { posted } = await company.db
    .selectFrom('wallet')
    .innerJoin('ledgerAccount', 'ledgerAccount.id', 'wallet.ledgerAccountId')
    .select('posted')
    .where('wallet.userId', '=', ada.id)
    .executeTakeFirstOrThrow();
  expect(posted).toBe(0n);
});

test('the results of a payroll name who had less than they were paid', async ({
  page,
  company,
}) => {
  const ines = await company.createEmployee({
    firstName: 'Ines',
    lastName: 'Carvalho',
    fundedMinor: 98_700n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await spend(ines, 90_000n);
  await openPayrollOf(page, company, ines);
  await page.getByRole('button', { name: 'Reverse Payroll' }).click();
  const question = page.getByRole('dialog', { name: 'Reverse Payroll' });
  await question.getByLabel('Reason').selectOption('Other');
  await question.getByLabel('What to tell the employees').fill('It was not due.');
  await question.getByRole('button', { name: 'Reverse $987.00' }).click();
  const results = page.getByRole('dialog', { name: '0 of 1 payment reversed' });
  await expect(results).toContainText('One was not reversed. The table says why.');
  await expect(results.getByRole('row', { name: /Ines Carvalho/ })).toContainText('$987.00$87.00');
});

test('a failed line is paid differently, into another wallet, and is never tried again', async ({
  page,
  context,
  company,
}) => {
  const lastName = `Other${Date.now()}`;
  const kay = await company.createEmployee({ firstName: 'Kay', lastName, department: 'hr' });
  const lia = await company.createEmployee({ firstName: 'Lia', lastName, department: 'hr' });
  const { db, services } = company;
  for (const person of [kay, lia]) await fundedWallet(db, services, person.by, 0n, 'irs');
  const amounts = new Map([
    [kay.id, 12_300n],
    [lia.id, 4_500n],
  ]);
  const order = { walletType: 'irs' as const, department: 'chosen' as const };
  const draft = await draftOwnAmounts(db, company.admin.actor, amounts, order);
  const by = company.admin;
  // Kay leaves when the payroll is sent, so that her line fails, and comes back.
  const { id } = await whileNobodySends(company, async () => {
    const asked = { id: draft.id, readerId: by.actor.id };
    const preview = await previewPayrollDraft(db, company.yesterday, asked);
    const seen = { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash };
    return withTx(db, async (tx) => {
      await acknowledgeAll(tx, services, by, preview);
      const sent = await sendPayrollDraft(tx, company.yesterday, by, { id: draft.id, ...seen });
      await deactivatePerson(tx, services, by, { id: kay.id, reason: 'By mistake' });
      return sent;
    });
  });
  await postPayroll(db, services, id);
  await withTx(db, (tx) => reactivatePerson(tx, services, by, { id: kay.id, reason: 'Is back' }));

  await signIn(context, 'admin');
  await page.goto(`/admin/payroll?batch=${id}`);
  await page.getByRole('button', { name: `Pay Differently Kay ${lastName}, $123.00` }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay Differently' });
  await expect(dialog).toContainText('Pays $123.00 in place of the failed payment');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: `Fund Kay ${lastName} $123.00` }).click();
  await expect(page.getByText(`Kay ${lastName} is funded`)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  const line = page.getByRole('row').filter({ hasText: `Kay ${lastName}` });
  await expect(line).toContainText(/Paid by IF-\d+ instead/);
  await expect(line.getByRole('button')).toHaveCount(0);
  await expect(page.getByText('1 line, 1 paid differently')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Retry Failed Lines/ })).toBeHidden();
});
