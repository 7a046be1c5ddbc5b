import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import type { Company } from './support/company.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { approvedWithdrawal, BANK_SETTINGS } from './support/payouts.ts';
import { apiAs, signIn } from './support/people.ts';
import { changeSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

/** The number of a file that was sent, with one payment to this person. */
async function sentFile(company: Company, lastName: string): Promise<string> {
  const { id } = await approvedWithdrawal(company, lastName, 24_300n);
  const admin = await apiAs('admin');
  let number = '';
  await expect(async () => {
    // Another test may take the bank away in between.
    await changeSettings(BANK_SETTINGS);
    const file = await ask(admin, 'adminMakePayoutFile', {
      body: { withdrawalIds: [id], billIds: [] },
    });
    await ask(admin, 'adminDownloadPayoutFile', { params: { id: file.id } });
    await ask(admin, 'adminSendPayoutFile', { params: { id: file.id } });
    ({ number } = file);
  }).toPass();
  return number;
}

test('the bank is asked to take a payment back, by a file that is downloaded once', async ({
  page,
  context,
  company,
}) => {
  const number = await sentFile(company, 'Takenback');
  await signIn(context, 'admin');
  await page.goto(`/admin/payouts/${number}`);
  await page.getByRole('button', { name: /^Ask the Bank to Reverse WD-.* Takenback/ }).click();
  const form = page.getByRole('dialog', { name: 'Ask the bank to reverse' });
  await form.getByLabel('Reason').selectOption({ label: 'Wrong receiver' });
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Prepare Reversal' }).click();
  const reversals = page.getByRole('table', {
    name: 'Payments that the bank is asked to take back',
  });
  await expect(reversals).toContainText('wrong receiver');
  await expect(page.getByRole('button', { name: /^Ask the Bank to Reverse/ })).toBeHidden();
  await expectAccessible(page);
  await reversals.getByRole('button', { name: /^Download Once/ }).click();
  const downloaded = page.waitForEvent('download');
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Download Once' }).click();
  expect((await downloaded).suggestedFilename()).toMatch(/^reversal-\d{4}\.ach$/);
  await reversals.getByRole('button', { name: /^Mark as Sent/ }).click();
  await question.getByRole('button', { name: 'Mark as Sent' }).click();
  await expect(reversals).toContainText('Sent');
});

describeVisits('a payment that is taken back', (looks) => {
  test('is readable and accessible', async ({ page, context, company }) => {
    const number = await sentFile(company, 'Takenlook');
    await signIn(context, 'admin');
    await page.goto(`/admin/payouts/${number}`);
    await page.getByRole('button', { name: /^Ask the Bank to Reverse/ }).click();
    await expectFineInLooks(page, looks);
    const form = page.getByRole('dialog', { name: 'Ask the bank to reverse' });
    await form.getByRole('button', { name: 'Prepare Reversal' }).click();
    await expect(
      page.getByRole('table', { name: 'Payments that the bank is asked' }),
    ).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
