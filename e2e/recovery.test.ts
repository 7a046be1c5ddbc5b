import type { Page } from '@playwright/test';
import { money } from '#contract/money.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { draftOwnAmounts } from '#test/payroll-fixture.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { sendDraft } from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** An employee who was paid $2,226.00 and has $118.40 of it. */
async function spender(company: Company, firstName: string, lastName: string): Promise<Person> {
  const person = await company.createEmployee({
    firstName,
    lastName,
    fundedMinor: 222_600n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
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
  return person;
}

/** Opens the dialog that takes back the one payment of a person. */
async function openReversal(page: Page, { db }: Company, { id, name }: Person) {
  const { batchId } = await db
    .selectFrom('payrollLine')
    .select('batchId')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  await page.goto(`/admin/payroll?tab=history&batch=${batchId}`);
  await page.getByRole('button', { name: `Reverse ${name}, $2,226.00` }).click();
  return page.getByRole('dialog', { name: 'Reverse Payment' });
}

/** Pays a person on the first payday that the company's schedule has. */
async function payOnPayday(company: Company, { id, by }: Person, minor: bigint): Promise<void> {
  const { db, services } = company;
  const recovery = await db
    .selectFrom('recovery')
    .select('startsOn')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  const admin = await company.createAdmin({ firstName: 'Aanya' });
  const draft = await draftOwnAmounts(db, admin.by.actor, new Map([[by.actor.id, minor]]), {
    ...services,
    payOn: recovery.startsOn,
  });
  const batch = await sendDraft(company, admin.by.actor, draft.id);
  const clock = { now: () => new Date(`${recovery.startsOn}T17:00:00Z`) };
  await postPayroll(db, { clock }, batch.id);
}

test('money that is gone is recovered once the employee accepts, and ends with a reason', async ({
  page,
  company,
  openAs,
}) => {
  const noemi = await spender(company, 'Noemi', 'Castellan');
  const dialog = await openReversal(page, company, noemi);
  await expect(dialog).toContainText('Only $118.40 of it is left. $2,107.60 was withdrawn');
  await expect(dialog.getByRole('radio', { name: 'Recover from the next payrolls' })).toBeChecked();
  await expect(dialog.getByLabel('Spread over')).toHaveValue('2');
  await expect(dialog.getByText('$1,053.80')).toHaveCount(2);
  await dialog.getByLabel('Reason').selectOption('Paid twice');
  await dialog.getByLabel('What to tell the employee').fill('You were paid twice on this day.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reverse $118.40 and Ask Noemi Castellan' }).click();
  await expect(page.getByText('Recovery Proposed', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Noemi Castellan/ })).toContainText(
    'Recovery proposed: $0.00 of $2,107.60 recovered',
  );

  const hers = await openAs(noemi);
  await hers.goto('/employee/dashboard');
  await expect(hers.getByText(/asks you to pay back \$2,107\.60\. Answer by/)).toBeVisible();
  await expectAccessible(hers);
  await hers.getByRole('link', { name: 'See the request' }).click();
  await expect(hers.getByText('Nothing is taken unless you accept by')).toBeVisible();
  await expectAccessible(hers);
  await hers.getByRole('button', { name: 'Accept' }).click();
  const question = hers.getByRole('alertdialog', { name: 'Accept this recovery?' });
  await expect(question).toContainText('$1,053.80 is taken from each payroll');
  await question.getByRole('button', { name: 'Accept' }).click();
  await expect(hers.getByText('Recovery Accepted', { exact: true })).toBeVisible();
  await expect(hers.getByRole('button', { name: 'Accept' })).toHaveCount(0);

  await payOnPayday(company, noemi, 500_000n);
  const instalments = hers.getByRole('table', { name: /^Instalments/ });
  await expect(instalments.getByRole('row', { name: /-A1/ })).toContainText('$1,053.80');
  await expect(instalments.getByRole('row', { name: /Planned/ })).toHaveCount(1);
  const line = await company.db
    .selectFrom('recoveryInstalment')
    .innerJoin('recovery', 'recovery.id', 'recoveryInstalment.recoveryId')
    .select('recoveryInstalment.lineId')
    .where('recovery.userId', '=', noemi.id)
    .executeTakeFirstOrThrow();
  await hers.goto(`/employee/documents/payslip.${line.lineId}`);
  const deducted = hers.getByRole('table', { name: 'Recovered, as you agreed' });
  await expect(deducted).toContainText('−$1,053.80');
  await expect(deducted).toContainText('$3,946.20');

  await page.goto(`/admin/employees/${noemi.id}`);
  await page.getByRole('button', { name: 'End Recovery' }).click();
  const ending = page.getByRole('dialog', { name: 'End recovery' });
  await expect(ending).toContainText('$1,053.80 of Noemi Castellan');
  await ending.getByRole('textbox').fill('Forgiven after a talk.');
  await ending.getByRole('button', { name: 'End Recovery' }).click();
  await expect(page.getByText('Recovery Ended', { exact: true })).toBeVisible();
  await hers.goto('/employee/recovery');
  await expect(hers.getByText('Forgiven after a talk.')).toBeVisible();
});

test('an employee declines a recovery, and nothing is taken', async ({ page, company, openAs }) => {
  const ilse = await spender(company, 'Ilse', 'Brandauer');
  const dialog = await openReversal(page, company, ilse);
  await dialog.getByLabel('Spread over').selectOption('3 payrolls');
  await dialog.getByLabel('Largest part of a payment, percent').fill('0');
  await dialog.getByLabel('Reason').selectOption('Wrong amount');
  await dialog.getByLabel('What to tell the employee').fill('This was too much.');
  const answer = dialog.getByRole('button', { name: /and Ask Ilse Brandauer/ });
  await answer.click();
  await expect(dialog.getByText('Enter a number of percent from 1 to 100').first()).toBeVisible();
  await dialog.getByLabel('Largest part of a payment, percent').fill('40');
  await answer.click();
  await expect(page.getByText('Recovery Proposed', { exact: true })).toBeVisible();

  const hers = await openAs(ilse);
  await hers.goto('/employee/recovery');
  await expect(hers.getByText('Usually it is at most 25%')).toBeVisible();
  await hers.getByRole('button', { name: 'Decline' }).click();
  const question = hers.getByRole('alertdialog', { name: 'Decline this recovery?' });
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(hers.getByText('Recovery Declined', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Ilse Brandauer/ })).toContainText(
    'Recovery declined: $0.00 of $2,107.60 recovered',
  );
});
