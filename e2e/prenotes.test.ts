import type { BankAccount } from '#contract/api.ts';
import type { BankAccountProof } from '#contract/bank-accounts.ts';
import { decimalAmount } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { pendingBank } from '#test/factories/money.ts';
import { depositsArrived } from '#test/factories/payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { openCompany, type Person } from './support/company.ts';
import { signInAt, withOwnServer } from './support/own-server.ts';
import { BANK_SETTINGS } from './support/payouts.ts';
import { expect, test } from './support/test.ts';

/** A server of its own: the company of the other tests verifies bank accounts without any proof. */
function withCompany(
  bankAccountProof: BankAccountProof,
  run: (opened: {
    origin: string;
    company: Awaited<ReturnType<typeof openCompany>>;
    admin: Person;
    owner: Person;
    account: BankAccount;
  }) => Promise<void>,
): Promise<void> {
  return withOwnServer('prenotes', async ({ origin, dataDir }) => {
    const company = await openCompany(dataDir);
    const { db, services } = company;
    await withTx(db, (tx) =>
      updateSettings(tx, services, company.admin, {
        ...BANK_SETTINGS,
        bankAccountProof,
        requireAdminTwoFactor: false,
      }),
    );
    const admin = await company.createAdmin({ firstName: 'Renee', lastName: 'Albright' });
    const owner = await company.createEmployee({ firstName: 'Aanya', lastName: 'Prenote' });
    const details = { accountHolderName: 'Aanya Prenote' };
    const account = await pendingBank(db, services, owner.by, details);
    await run({ origin, company, admin, owner, account });
    await company.close();
  });
}

test('a prenote is sent and comes back, and the account is not verified', async ({
  page,
  context,
  openAs,
}) => {
  await withCompany('prenote', async ({ origin, admin, owner, account }) => {
    const theirs = await openAs();
    await signInAt(theirs.context(), origin, owner);
    await theirs.goto(`${origin}/employee/bank-details`);
    const rail = theirs.getByRole('list', { name: /^Verification of/ });
    await expect(rail).toContainText('Waiting for a prenote');

    await signInAt(context, origin, admin);
    await page.goto(`${origin}/admin/payouts`);
    const row = page.getByRole('row').filter({ hasText: 'Aanya Prenote' });
    await expect(row).toContainText('$0.00');
    await expect(page.getByText('1 prenote, $0.00', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make Payout File' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('$0.00 from Northgate Commerce Bank ••4410, 1 prenote.');
    await question.getByRole('button', { name: 'Make Payout File' }).click();
    await expect(page.getByRole('heading', { name: 'Payout file 0001' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Checks' })).toContainText('7 of 7');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const trace = (await row.textContent())?.match(/\d{8}\u00A0\d{7}/)?.[0] ?? '';
    await page.getByRole('button', { name: 'Download Once' }).click();
    await question.getByRole('button', { name: 'Download Once' }).click();
    await page.getByRole('button', { name: 'Mark as Sent' }).click();
    await question.getByRole('button', { name: 'Mark as Sent' }).click();
    await expect(page.getByRole('button', { name: 'Settle' })).toBeVisible();
    await expect(rail).toContainText('Prenote sent');
    await expectAccessible(theirs);

    await page.goto(`${origin}/admin/bank-accounts?account=${account.id}`);
    await expect(page.getByText('In payout file 0001')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Verify', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expectAccessible(page);
    await page.goto(`${origin}/admin/returns`);
    await page.getByRole('button', { name: 'Upload Returns' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Upload returns' });
    const answer = returnsFile([{ code: 'R03', trace: trace.replace('\u00A0', '') }]);
    await dialog.locator('input[type="file"]').setInputFiles({
      name: 'northgate-returns.ach',
      mimeType: 'text/plain',
      buffer: Buffer.from(answer.join('\n')),
    });
    await dialog.getByRole('button', { name: /^Book Returns/ }).click();
    const returned = page.getByRole('table', { name: 'Returned payouts and what followed' });
    await expect(returned).toContainText('A prenote, so no money was sent');
    await expect(returned).toContainText('is not verified');
    await expectAccessible(page);
    await expect(theirs.getByText('R03: No account or unable to locate.')).toBeVisible();
    await expectAccessible(theirs);
    // A page that is open asks for live events of a server that stops.
    await Promise.all([page.goto('about:blank'), theirs.goto('about:blank')]);
  });
});

test('the owner of an account enters the amounts of two micro-deposits', async ({
  page,
  context,
  openAs,
}) => {
  await withCompany('micro_deposits', async ({ origin, company, admin, owner, account }) => {
    const theirs = await openAs();
    await signInAt(theirs.context(), origin, owner);
    await theirs.goto(`${origin}/employee/bank-details`);
    const rail = theirs.getByRole('list', { name: /^Verification of/ });
    await expect(rail).toContainText('Waiting for micro-deposits');

    await signInAt(context, origin, admin);
    await page.goto(`${origin}/admin/payouts`);
    const row = page.getByRole('row').filter({ hasText: 'Aanya Prenote' });
    await expect(row).toContainText('Each under $1.00');
    await expect(page.getByText('2 micro-deposits', { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make Payout File' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('2 micro-deposits.');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Make Payout File' }).click();
    await expect(page.getByRole('heading', { name: 'Payout file 0001' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Checks' })).toContainText('7 of 7');
    // Their amounts are drawn when it is made.
    const made = page.getByText(/^File 0001, \$\d\.\d\d\.$/);
    await expect(made).not.toHaveText('File 0001, $0.00.');
    await expect(page.getByText('Micro-deposits, PPD')).toBeVisible();
    await expect(row).toHaveCount(2);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Cancel File' }).click();
    await question.getByRole('button', { name: 'Cancel File' }).click();
    await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();

    // The file of a week ago, whose deposits have arrived.
    const { db, services } = company;
    const sent = await depositsArrived(db, services, company.admin, account.id);
    const amounts = sent.map((minor) => decimalAmount(minor));
    await expect(rail).toContainText('Waiting for the two amounts');
    await expectAccessible(theirs);
    await expectNoSidewaysScroll(theirs);
    await theirs.getByRole('button', { name: 'Enter Amounts' }).click();
    const dialog = theirs.getByRole('dialog', { name: 'Enter the two amounts' });
    const first = dialog.getByLabel('First Amount');
    const second = dialog.getByLabel('Second Amount');
    await first.fill('1.00');
    await dialog.getByRole('button', { name: 'Check Amounts' }).click();
    await expect(dialog).toContainText('Enter an amount of less than $1.00');
    await expectAccessible(theirs);
    await first.fill(amounts[1] ?? '');
    await second.fill(amounts[1] ?? '');
    await dialog.getByRole('button', { name: 'Check Amounts' }).click();
    await expect(dialog).toContainText('These are not the amounts of the two deposits.');
    await expect(dialog).toContainText('2 tries left.');
    await expectAccessible(theirs);

    await page.goto(`${origin}/admin/bank-accounts?account=${account.id}`);
    await expect(
      page.getByText(/^In payout file 0002, arrived on .*, 1 of 3 tries used$/),
    ).toBeVisible();
    const verify = page.getByRole('button', { name: 'Verify', exact: true });
    await expect(verify).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible(page);

    await second.fill(amounts[0] ?? '');
    await dialog.getByRole('button', { name: 'Check Amounts' }).click();
    await expect(dialog).toBeHidden();
    await expect(rail).toContainText('Waiting for approval');
    await expect(verify).not.toHaveAttribute('aria-disabled', 'true');
    await verify.click();
    await question.getByRole('button', { name: 'Verify' }).click();
    await expect(theirs.getByText('Verified', { exact: true }).first()).toBeVisible();
    await Promise.all([page.goto('about:blank'), theirs.goto('about:blank')]);
  });
});
