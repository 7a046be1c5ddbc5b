import { WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import { giveDocument } from '#test/factories/kyc.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** A person whose three wallet documents wait. */
async function createHolder(company: Company, lastName: string): Promise<Person> {
  const person = await company.createEmployee({ firstName: 'Holder', lastName });
  for (const type of WALLET_DOCUMENT_TYPES) {
    await giveDocument(company.db, company.services, person.by, { type });
  }
  return person;
}

test('search, filters, sorting and pages live in the address', async ({ page }) => {
  await page.goto('/admin/kyc-review');
  await expect(page.getByRole('heading', { level: 1, name: 'KYC Management' })).toBeVisible();
  await expect(page.getByText(/^Oldest waits /)).toBeVisible();
  const status = page.getByLabel('Status');
  await expect(status.locator('option').first()).toHaveText(/^Waiting \(\d+\)$/);
  await status.selectOption('approved');
  await expect(page).toHaveURL(/status=approved/);
  await page.getByLabel('Kind').selectOption('application');
  await expect(page).toHaveURL(/kind=application/);
  await page.getByRole('button', { name: 'Employee', exact: true }).click();
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(page.getByText(/^Showing 16 to/)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Employee' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await page.getByRole('searchbox', { name: 'Search applications' }).fill('nobody is called that');
  await expect(page.getByText('No applications found')).toBeVisible();
  await expect(page).toHaveURL(/search=nobody/);
});

test('applications in progress are listed, and lead to their people', async ({ page, company }) => {
  await company.createEmployee({ firstName: 'Ines', lastName: 'Unsubmitted' });
  await page.goto('/admin/kyc-review?status=in_progress&search=Unsubmitted');
  const row = page.getByRole('row').filter({ hasText: 'Ines Unsubmitted' });
  await expect(row).toContainText('Open since');
  await expect(row).toContainText('In progress');
  await row.getByRole('button', { name: /^Open Employee/ }).click();
  await expect(page).toHaveURL(/admin\/employees\/[\da-f-]{36}/);
});

test('wallet documents are decided one by one, in the same queue', async ({ page, company }) => {
  const holder = await createHolder(company, 'Quill');
  await page.goto('/admin/kyc-review?search=Quill');
  await page.getByRole('button', { name: 'Review wallet documents of Holder Quill' }).click();
  await expect(page).toHaveURL(/documents=/);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  const chosen = (label: string) => desk.getByRole('button', { name: new RegExp(`^${label}`) });
  await expect(chosen('Government ID')).toContainText('Under review');
  await expect(desk.getByRole('button', { name: 'Approve Government ID' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(chosen('Government ID')).toContainText('Approved');

  await test.step('one that is rejected needs a reason', async () => {
    await chosen('Proof of Address').click();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Reject Proof of Address' });
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await expect(dialog.getByText('Rejection reason is required')).toBeVisible();
    await dialog.getByRole('button', { name: 'Use a template' }).click();
    await page.getByRole('menuitem', { name: /older than 3 months/ }).click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await expect(page.getByText('Document Rejected', { exact: true })).toBeVisible();
    await expect(chosen('Proof of Address')).toContainText('Rejected');
  });

  await test.step('a slip is corrected, and all three verify the holder', async () => {
    await desk.getByRole('button', { name: 'Approve Proof of Address' }).click();
    await expect(chosen('Proof of Address')).toContainText('Approved');
    await chosen('Social Security').click();
    await desk.getByRole('button', { name: 'Approve Social Security' }).click();
    await expect(desk.getByText('Verified')).toBeVisible();
  });
  const own = await ask(await apiAs(holder), 'getMyVerification', {});
  expect(own.status).toBe('verified');
});
