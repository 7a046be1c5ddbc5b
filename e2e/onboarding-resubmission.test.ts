import { submittedApplication } from '#test/factories/kyc.ts';
import { picture } from '#test/factories/images.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { heading } from './support/wizard.ts';

test('a reviewer’s request is next to the field it concerns, and is corrected', async ({
  page,
  context,
  company,
  faults,
}) => {
  // Recording a trace reads the preview of a chosen image, which no script of ours may.
  faults.allow(/Connecting to 'blob:|connect-src stopped blob/);
  const person = await company.createEmployee({ firstName: 'Noor', lastName: 'Haddad' });
  const { id, version } = await submittedApplication(company.db, company.services, person.by);
  const admin = await apiAs('admin');
  const params = { id };
  const inReview = await ask(admin, 'adminMoveToReview', { params, body: { version } });
  const asked = await ask(admin, 'adminRequestResubmission', {
    params,
    body: {
      version: inReview.application.version,
      notes: 'Two things to correct.',
      items: [
        { item: 'employment', note: 'Please name your employer.' },
        { item: 'id_back', note: 'The barcode is cut off.' },
      ],
    },
  });
  expect(asked.status).toBe('resubmit_required');

  await signIn(context, person);
  await page.goto('/employee/kyc-status');
  // Each thing once: in the message, and not again in the course or next to the image.
  for (const words of ['Two things to correct.', 'The barcode is cut off.']) {
    await expect(page.getByText(words)).toHaveCount(1);
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Update Documents' }).click();

  await expect(heading(page)).toHaveText('Identification');
  await expect(page.getByText('The barcode is cut off.')).toHaveCount(1);
  await expect(page.getByText('Please name your employer.')).toBeHidden();
  await expectAccessible(page);
  await page.getByLabel('Back of ID', { exact: true }).setInputFiles({
    name: 'back-again.jpg',
    mimeType: 'image/jpeg',
    buffer: await picture('jpeg', { seed: 9 }),
  });
  await expect(page.getByText('back-again.jpg has been uploaded successfully')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(heading(page)).toHaveText('Employment & Income');
  await expect(page.getByText('Please name your employer.')).toBeVisible();
  await page.getByLabel('Employer Name').fill('Tallis & Reed, Inc.');

  for (const title of ['Security Setup', 'Compliance & Risk', 'Review & Submit']) {
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(heading(page)).toHaveText(title);
  }
  await page.getByRole('button', { name: 'Submit Application' }).click();
  await expect(page.getByText('Application Submitted', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/employee/dashboard');

  await page.goto('/employee/kyc-status');
  await expect(page.getByText('Under Review', { exact: true })).toBeVisible();
  await expect(page.getByText('Submitted again')).toBeVisible();
});
