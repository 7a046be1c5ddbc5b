import { readFileSync } from 'node:fs';
import { withTx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { approveIdentity, submittedApplication } from '#test/factories/kyc.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, inEachLook } from './support/looks.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { heading } from './support/wizard.ts';

test('a new application is incomplete, without documents, and seen by nobody', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createEmployee());
  await page.goto('/employee/kyc-status');
  await expect(heading(page)).toHaveText('KYC Status');
  await expect(page.getByText('Not provided').first()).toBeVisible();
  await expect(page.getByText('No documents uploaded')).toBeVisible();
  await expect(
    page.getByText('Upload your documents to get started with verification'),
  ).toBeVisible();
  await expect(page.getByText('No one has opened anything')).toBeVisible();
  await page.getByRole('link', { name: 'Upload Documents' }).click();
  await expect(heading(page)).toHaveText('Identification');
});

test('the person sees who opened what, keeps a copy, and looks closely', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee();
  const { id } = await submittedApplication(company.db, company.services, person.by);
  await ask(await apiAs('admin'), 'adminGetApplication', { params: { id } });
  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  await expect(page.getByText('Under Review', { exact: true })).toBeVisible();
  await expect(page.getByText('Waiting for a decision')).toBeVisible();
  const accessLog = page.getByRole('region', { name: 'Who opened your information' });
  await expect(accessLog.getByRole('listitem')).toContainText(['Application']);
  await expect(accessLog.getByText('Renee Albright')).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Front of ID' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^scan/);
  expect(readFileSync(await download.path()).length).toBeGreaterThan(100);

  await page.getByRole('button', { name: 'View Back of ID' }).click();
  const viewer = page.getByRole('dialog', { name: 'Back of ID' });
  await viewer.getByRole('button', { name: 'Zoom in' }).click();
  await viewer.getByRole('button', { name: 'Rotate right' }).click();
  await expect(viewer.getByRole('group')).toHaveAccessibleName(
    'Back of ID, 125%, turned by 90 degrees',
  );
  await expectAccessible(page);
  await escape(viewer);
  await expect(viewer).toBeHidden();
});

test('everything that was ever opened can be read', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  const { db, services } = company;
  const admin = await company.db
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('name', '=', 'Renee Albright')
    .executeTakeFirstOrThrow();
  await submittedApplication(db, services, person.by);
  await withTx(db, async (tx) => {
    for (let times = 0; times < 21; times += 1) {
      recordAudit(tx, {
        by: { actor: { ...admin, role: 'admin' } },
        action: 'kyc.application_opened',
        subjectType: 'kyc_application',
        subjectId: null,
        personId: person.id,
      });
    }
  });
  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  const accessLog = page.getByRole('region', { name: 'Who opened your information' });
  await expect(accessLog.getByRole('listitem')).toHaveCount(20);
  await accessLog.getByRole('button', { name: 'Show more' }).click();
  await expect(accessLog.getByRole('listitem')).toHaveCount(21);
  await expect(accessLog.getByRole('button', { name: 'Show more' })).toBeHidden();
});

test('a download that fails says so', async ({ page, context, company, faults }) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  const person = await company.createEmployee();
  await submittedApplication(company.db, company.services, person.by);
  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  const button = page.getByRole('button', { name: 'Download Front of ID' });
  await expect(button).toBeVisible();
  await context.setOffline(true);
  await button.click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByText('Could not generate download link for the document.')).toBeVisible();
  await context.setOffline(false);
});

test('after a rejection a new application begins', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  const { id, version } = await submittedApplication(company.db, company.services, person.by);
  await ask(await apiAs('admin'), 'adminRejectApplication', {
    params: { id },
    body: { version, reason: 'The document has expired.' },
  });
  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  await expect(page.getByText('The document has expired.').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start New Application' }).click();
  await expect(page).toHaveURL('/onboarding');
  await expect(page.getByText(/of 8$/)).toBeVisible();
  await page.goto('/employee/kyc-status');
  await expect(page.getByText('Not submitted yet')).toBeVisible();
});

describeVisits('an approved identity', (looks) => {
  test('is shown', async ({ page, context, company }) => {
    const person = await company.createEmployee();
    await approveIdentity(company.db, company.services, person.by, company.admin);
    await signIn(context, person);
    await page.goto('/employee/kyc-status');
    await inEachLook(page, looks, async () => {
      await expect(page.getByText('Congratulations!')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});
