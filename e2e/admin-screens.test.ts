import { fundedWallet, verifiedBank, withdrawalIn } from '#test/factories/money.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { openedReview } from './support/payroll.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

describeVisits('a filled-in payroll', (looks) => {
  test('is accessible with its preview and its review', async ({ page, context }) => {
    await signIn(context, 'admin');
    await page.goto('/admin/payroll');
    await page.getByLabel('Wallet Type').selectOption('savings');
    await page.getByLabel('Department').selectOption('engineering');
    await page.getByRole('textbox', { name: 'Amount' }).fill('10');
    await page.getByLabel('Description').fill('Looked at, never sent');
    const review = page.getByRole('button', { name: /^Review Payroll \$/ });
    await expect(review).toBeVisible();
    await expectFineInLooks(page, looks);
    await review.click();
    await openedReview(page);
    await expectFineInLooks(page, looks);
  });
});

describeVisits('the details of a withdrawal', (looks) => {
  test('are accessible', async ({ page, context, company }) => {
    // One of its own: the newest of the list may be another test's, which comes back from the bank in between.
    const { db, services, admin } = company;
    const { by, lastName } = await company.createEmployee({
      lastName: `Looked${Date.now()}`,
      isApproved: true,
    });
    const wallet = await fundedWallet(db, services, by, 90_000n);
    const payee = { by, wallet, bank: await verifiedBank(db, services, { owner: by, admin }) };
    await withdrawalIn(db, services, { payee, admin, status: 'completed' });
    await signIn(context, 'admin');
    await page.goto(`/admin/withdrawals?status=completed&search=${lastName}`);
    const rows = page.getByRole('table', { name: 'Withdrawal requests' });
    await rows.getByRole('button', { name: /^Open / }).click();
    const details = page.getByRole('dialog', { name: 'Withdrawal details' });
    await expect(details.getByText('Arrived')).toBeVisible();
    await expectFineInLooks(page, looks);
    await details.getByRole('button', { name: 'Returned by bank' }).click();
    await expect(page.getByRole('dialog', { name: 'Returned by bank' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
