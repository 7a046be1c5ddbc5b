import type { Page } from '@playwright/test';
import { addDays, addMonths, dayIn } from '#contract/calendar.ts';
import { KYC_DOCUMENT_LABELS, WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import { picture } from '#test/factories/images.ts';
import { giveDocument } from '#test/factories/kyc.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const today = () => dayIn('America/New_York', new Date());

/** Fills in the dialog about a proof of address that was chosen, first with a date that is refused. */
async function giveIssueDate(
  page: Page,
  { refused, given }: { refused?: string; given: string },
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Proof of Address' });
  const date = dialog.getByLabel('Date of Issue');
  const upload = dialog.getByRole('button', { name: 'Upload' });
  if (refused !== undefined) {
    await upload.click();
    await expect(date).toHaveAccessibleDescription(/Enter the date of issue/);
    await date.fill(refused);
    await upload.click();
    await expect(date).toHaveAccessibleDescription(/must not be older than 3 months/);
    await expectAccessible(page);
  }
  await date.fill(given);
  await upload.click();
  await expect(dialog).toBeHidden();
}

test('three documents are uploaded, one is rejected and replaced, and all are approved', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee();
  await signIn(context, person);
  await page.goto('/employee/bank-details');
  const card = page.locator('.collapsible').filter({ hasText: 'KYC Verification Status' });
  await expect(card.getByText('Not Started')).toBeVisible();
  await expect(card.getByRole('progressbar')).toHaveCount(0);

  const svg = { name: 'id.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
  await card.getByLabel('Upload Government ID').setInputFiles(svg);
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid File' })).toBeVisible();

  for (const [index, type] of WALLET_DOCUMENT_TYPES.entries()) {
    const label = KYC_DOCUMENT_LABELS[type];
    const buffer = await picture('jpeg', { seed: index + 20 });
    await card
      .getByLabel(`Upload ${label}`)
      .setInputFiles({ name: `${type}.jpg`, mimeType: 'image/jpeg', buffer });
    if (type === 'proof_of_address') {
      await expect(card.getByText(`${type}.jpg`), 'it waits for its date').toHaveCount(0);
      await giveIssueDate(page, { refused: addMonths(today(), -4), given: addDays(today(), -9) });
    }
    await expect(card.getByText(new RegExp(`^${type}.jpg, .*uploaded`))).toBeVisible();
  }
  await expect(card.getByText('3 of 3')).toBeVisible();
  await expect(card.getByText('Under Review')).toBeVisible();
  await expect(card.getByText(/^Submitted on /)).toBeVisible();

  const admin = await apiAs('admin');
  const { documents } = await ask(await apiAs(person), 'getMyVerification', {});
  for (const { id, type, version } of documents) {
    const params = { id };
    if (type === 'proof_of_address') {
      const reason = 'The bill is not yours.';
      await ask(admin, 'adminRejectDocument', { params, body: { version, reason } });
    } else {
      await ask(admin, 'adminApproveDocument', { params, body: { version } });
    }
  }
  await test.step('the card follows by itself', async () => {
    await expect(card.getByText(/^Rejected on /)).toBeVisible();
    await expect(card.getByText('The bill is not yours.').first()).toBeVisible();
    await expectAccessible(page);
  });

  const buffer = await picture('jpeg', { seed: 40 });
  await card
    .getByLabel('Replace Proof of Address')
    .setInputFiles({ name: 'new-bill.jpg', mimeType: 'image/jpeg', buffer });
  await giveIssueDate(page, { given: today() });
  await expect(card.getByText(/^new-bill.jpg, dated .*, uploaded/)).toBeVisible();
  await expect(card.getByText('Under Review')).toBeVisible();
  const bill = (await ask(await apiAs(person), 'getMyVerification', {})).documents.find(
    ({ type }) => type === 'proof_of_address',
  );
  expect(bill?.issuedOn).toBe(today());
  if (bill === undefined) return;
  await ask(admin, 'adminApproveDocument', {
    params: { id: bill.id },
    body: { version: bill.version },
  });
  await expect(card.getByText(/^Verified on /)).toBeVisible();
  await expect(card.getByText('Verified', { exact: true })).toBeVisible();
  await expect(card.getByLabel(/^(Upload|Replace) /)).toHaveCount(0);
});

describeVisits('the profile', (looks) => {
  test('shows the identity check and its documents', async ({ page, context, company }) => {
    const person = await company.createEmployee();
    await giveDocument(company.db, company.services, person.by, { type: 'government_id' });
    await signIn(context, person);
    await page.goto('/employee/profile');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile Settings');
    await expectFineInLooks(page, looks);
    await page.getByRole('tab', { name: 'KYC Info' }).click();
    await expect(page.getByText('1 of 3')).toBeVisible();
    await page.getByRole('button', { name: 'KYC Documents' }).click();
    const documents = page.getByRole('dialog', { name: 'KYC Documents' });
    await expect(documents.getByRole('listitem')).toHaveCount(3);
    await expectFineInLooks(page, looks);
    await documents.getByRole('button', { name: 'View Government ID' }).click();
    await expect(page.getByRole('dialog', { name: 'Government ID' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
