import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { approvedWithdrawal, BANK_SETTINGS, settlePayoutFile } from './support/payouts.ts';
import { changeSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('two withdrawals are paid by a file, from choice to settlement', async ({ page, company }) => {
  await changeSettings(BANK_SETTINGS);
  const one = await approvedWithdrawal(company, 'Payoutfile', 31_700n);
  await approvedWithdrawal(company, 'Secondpayout', 12_300n);
  await page.goto('/admin/payouts');
  await expectAccessible(page);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Aanya Payoutfile')).toContainText('$317.00');
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill('secondpayout');
  await expect(row('Aanya Payoutfile')).toBeHidden();
  await expect(row('Aanya Secondpayout')).toContainText('$123.00');
  // The address keeps the search, so that reload and Back do.
  await expect(page).toHaveURL(/search=secondpayout/);
  await page.reload();
  await expect(row('Aanya Secondpayout')).toContainText('$123.00');
  await expect(page.getByRole('searchbox', { name: 'Search payouts' })).toHaveValue('secondpayout');
  const exporting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const exported = await readFile(await (await exporting).path(), 'utf8');
  expect(exported).toContain('Aanya Secondpayout');
  expect(exported).not.toContain('Aanya Payoutfile');
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill('');
  await expect(row('Aanya Payoutfile')).toBeVisible();
  // Everything is chosen at first. Others of this company stay out of the file.
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  // All are chosen, then none. A payment that another test makes ready in between is not.
  await expect(async () => {
    await all.setChecked(true);
    await all.setChecked(false);
    await expect(page.getByText(/^0 of \d+ selected/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  for (const name of ['Payoutfile', 'Secondpayout']) {
    await row(name).getByRole('checkbox').click();
  }
  await page.getByRole('button', { name: 'Make Payout File' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('$440.00 from Northgate Commerce Bank');
  await question.getByRole('button', { name: 'Make Payout File' }).click();

  await expect(page.getByRole('heading', { name: /^Payout file \d{4}$/ })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('7 of 7');
  await page.getByRole('button', { name: 'Download Once' }).click();
  const downloading = page.waitForEvent('download');
  await question.getByRole('button', { name: 'Download Once' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^payout-\d{4}\.ach$/);
  expect(await readFile(await download.path(), 'utf8')).toContain('0000031700');
  await expect(page.getByRole('button', { name: 'Download Again' })).toBeVisible();

  await page.getByRole('button', { name: 'Mark as Sent' }).click();
  await question.getByRole('button', { name: 'Mark as Sent' }).click();
  await expect(row('Payoutfile')).toContainText('Processing');
  await expect(page.getByRole('button', { name: 'Settle' })).toBeVisible();
  const heading = await page.getByRole('heading', { name: /^Payout file/ }).textContent();
  await settlePayoutFile(heading?.slice(-4) ?? '');
  await expect(row('Payoutfile')).toContainText('Completed');
  await expect(page.getByRole('list', { name: 'Progress of the file' })).toContainText('Settled');
  const paid = await ask(await apiAs(one.person), 'getWithdrawal', { params: { id: one.id } });
  // The company keeps its bank: other tests make files of it, too.
  expect(paid.status).toBe('completed');
});
