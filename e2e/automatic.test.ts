import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { changeTransfers, runTransfers } from '#server/modules/transfers/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { draftOwnAmounts } from '#test/payroll-fixture.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { sendDraft } from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('an employee sets up transfers after each payroll, orders, pauses and ends them', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  await page.goto('/employee/withdraw');
  await page.getByRole('link', { name: 'Automatic Transfers' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Automatic Transfers');
  await expect(page.getByText('No automatic transfers')).toBeVisible();

  await page.getByRole('button', { name: 'Add Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Transfer' });
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(dialog.getByText('Choose an account').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('50');
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(page.getByText('Transfer Added', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 transfer' })).toBeVisible();

  await page.getByRole('button', { name: 'Add Transfer' }).click();
  await dialog.getByRole('radio', { name: 'A percent of the payroll' }).check();
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('100.5');
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(dialog.getByText('Enter a percent from 0.01 to 100').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('12.5');
  await dialog.getByRole('button', { name: 'Add Transfer' }).click();
  await expect(page.getByRole('heading', { name: '2 transfers' })).toBeVisible();

  const rules = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^More:/ }) });
  await expect(rules.first()).toContainText('$50.00 to');
  const up = page.getByRole('button', { name: /^Move up: 12\.5%/ });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(rules.first()).toContainText('12.5% to');

  await page.getByRole('button', { name: 'Skip Next' }).click();
  await expect(page.getByText('which is skipped')).toBeVisible();
  await page.getByRole('button', { name: 'Run It' }).click();
  await page.getByRole('button', { name: 'Pause All' }).click();
  await expect(page.getByText(/^Paused since/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start Again' }).click();
  await expect(page.getByRole('button', { name: 'Pause All' })).toBeVisible();

  await page.getByRole('button', { name: /^More: 12\.5%/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove Transfer' }).click();
  await expect(page.getByRole('heading', { name: '1 transfer' })).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Automatic Transfers' })).toContainText('$50.00');
});

test('an admin moves a transfer back that followed a payment', async ({
  page,
  context,
  company,
}) => {
  const { db, services, admin } = company;
  const mei = await company.createEmployee({
    firstName: 'Mei',
    lastName: 'Movedback',
    fundedMinor: 100n,
  });
  const savings = await fundedWallet(db, services, mei.by, 0n, 'savings');
  const { walletId } = await db
    .selectFrom('payrollLine')
    .select('walletId')
    .where('userId', '=', mei.id)
    .executeTakeFirstOrThrow();
  const to = { kind: 'wallet', id: savings.id } as const;
  const rules = [{ kind: 'fixed', amount: money(5_000n, 'USD'), to }] as const;
  await withTx(db, (tx) =>
    changeTransfers(tx, services, mei.by, {
      walletId: walletId ?? '',
      version: 0,
      rules: [...rules],
    }),
  );
  const draft = await draftOwnAmounts(db, admin.actor, new Map([[mei.id, 71_300n]]));
  // Today: one of yesterday would become the last payroll, with which those that other tests review are compared.
  const { id } = await sendDraft(company, admin.actor, draft.id);
  await postPayroll(db, services, id);
  const balances = async () =>
    (await ask(await apiAs(mei), 'listWallets', {})).accounts.map(
      ({ available }) => available.minor,
    );
  // The server's own job may be faster.
  await runTransfers(db, services);
  await expect.poll(balances).toEqual(['66400', '5000']);

  await signIn(context, 'admin');
  await page.goto(`/admin/payroll?tab=history&batch=${id}`);
  await page.getByRole('button', { name: /^Reverse Mei Movedback/ }).click();
  const followed = page.getByRole('region', { name: 'Automatic transfers after this payment' });
  await expect(followed).toContainText('$50.00 to Savings');
  await expectAccessible(page);
  await followed.getByRole('button', { name: /^Move Back \$50\.00 from/ }).click();
  await expect(page.getByText('Transfer Moved Back', { exact: true })).toBeVisible();
  await expect(followed).toContainText('Moved back');
  expect(await balances()).toEqual(['71400', '0']);
});
