import { returnsFile } from '#test/factories/returns-file.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { approvedWithdrawal, BANK_SETTINGS, settlePayoutFile } from './support/payouts.ts';
import { apiAs, signIn } from './support/people.ts';
import { changeSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('a returns file is refused, booked once, and its change is accepted', async ({
  page,
  company,
}) => {
  const back = await approvedWithdrawal(company, 'Returnedpay', 21_700n);
  const stays = await approvedWithdrawal(company, 'Changedbank', 11_300n);
  const admin = await apiAs('admin');
  const ids = [back.id, stays.id];
  let number = '';
  await expect(async () => {
    // Another test may take the bank away in between.
    await changeSettings(BANK_SETTINGS);
    const body = { withdrawalIds: ids, billIds: [] };
    const file = await ask(admin, 'adminMakePayoutFile', { body });
    const params = { id: file.id };
    await ask(admin, 'adminDownloadPayoutFile', { params });
    await ask(admin, 'adminSendPayoutFile', { params });
    ({ number } = file);
  }).toPass();
  const { entries } = await ask(admin, 'adminGetPayoutFile', { params: { number } });
  const factsOf = (id: string) => {
    const { traceNumber = '', reference = '' } = entries.find((entry) => entry.id === id) ?? {};
    return { trace: traceNumber, reference };
  };
  // The bank account is free to be corrected once its payment is completed, which the file does.
  await settlePayoutFile(number);
  const records = returnsFile([
    { code: 'R03', ...factsOf(back.id), amountMinor: 21_700n },
    { code: 'C01', ...factsOf(stays.id), corrected: '4400917788' },
    { code: 'R04', trace: '084207319999999', amountMinor: 24_000n, name: 'HOLLOWAY B' },
  ]);
  const text = records.join('\n');

  await page.goto('/admin/payouts');
  await page.getByRole('button', { name: 'Upload Returns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload returns' });
  const choose = (content: string) =>
    dialog.locator('input[type="file"]').setInputFiles({
      name: 'northgate-returns.ach',
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    });
  await choose(text.replaceAll('000000045700', '000000045800'));
  await expect(dialog.getByRole('alert')).toContainText('columns 33 to 44');
  await expect(dialog.getByRole('table', { name: 'Control totals' })).toContainText('$458.00');
  await expectAccessible(page);
  await choose(text);
  await expect(dialog).toContainText('1 payout came back: $217.00');
  await dialog.getByRole('button', { name: 'Book Returns $217.00' }).click();

  await expect(
    page.getByRole('heading', { name: 'Returns of December 8', level: 1 }),
  ).toBeVisible();
  await expect(page.getByText('Read, 3 of 3 entries')).toBeVisible();
  const returned = page.getByRole('table', { name: 'Returned payouts and what followed' });
  await expect(returned).toContainText('$217.00 is back in Salary Wallet');
  await expect(returned).toContainText('has to be corrected and verified');
  await expect(page.getByText('HOLLOWAY B')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const paid = await ask(await apiAs(back.person), 'getWithdrawal', { params: { id: back.id } });
  expect(paid.status).toBe('returned');

  // Its payout file has it below.
  const below = page.getByRole('table', { name: `What came back in file ${number}` });
  const shown = page.url();
  await page.goto('/admin/payouts');
  await expect(below).toContainText('Aanya Returnedpay');
  await expect(below).toContainText('R03 No account or unable to locate');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto(shown);

  // The same file again books nothing.
  await page.getByRole('button', { name: 'Upload Returns' }).click();
  await choose(text);
  await expect(dialog.getByText('This file was booked before.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: /^Update Bank Account of Aanya Changedbank/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('•••• 7788');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Update Bank Account' }).click();
  const changes = page.getByRole('table', { name: 'Changes of bank details' });
  await expect(changes).toContainText('Updated');
  const { items } = await ask(await apiAs(stays.person), 'listBankAccounts', {});
  expect(items).toMatchObject([{ accountNumberLast4: '7788', status: 'verified' }]);

  await page.getByRole('button', { name: 'Not Ours' }).click();
  await question.getByRole('button', { name: 'Not Ours' }).click();
  const others = page.getByRole('table', { name: 'Entries for which nothing was booked' });
  await expect(others).toContainText('Set aside as not ours');
});

test('returns that cannot be loaded are named once, with a way to try again', async ({
  page,
  faults,
}) => {
  faults.allow(/ERR_FAILED/);
  await page.route(/\/api\/admin\/returns(?:\?|$)/, (route) => route.abort());
  await page.goto('/admin/returns');
  await expect(page.getByText(/^Failed to load/)).toHaveText('Failed to load the returns');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1);
  await expectAccessible(page);

  await page.unrouteAll();
  faults.allowRefusal(404, '/api/admin/returns');
  await page.goto('/admin/returns?file=01a21bb5-94f5-7340-a130-871f9078db8c');
  await expect(page.getByText('This returns file was not found.')).toBeVisible();
});
