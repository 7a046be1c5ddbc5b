import { submittedApplication } from '#test/factories/kyc.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('the second admin sees who has an application, and can take it over', async ({
  page,
  company,
  openAs,
}) => {
  const other = await company.createAdmin({ firstName: 'Otis', lastName: 'Second' });
  const applicant = await company.createEmployee({ firstName: 'Hal', lastName: 'Overton' });
  const { id } = await submittedApplication(company.db, company.services, applicant.by);
  await page.goto(`/admin/kyc-review?search=Overton&application=${id}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByRole('heading', { level: 2 })).toHaveText('Hal Overton');

  const theirs = await openAs(other);
  await theirs.goto('/admin/kyc-review?search=Overton');
  const row = theirs.getByRole('row', { name: /Hal Overton/ });
  await expect(row).toContainText('Renee Albright');
  await row.getByRole('button', { name: /^Review/ }).click();
  await expect(theirs.getByText('Renee Albright has this open.')).toBeVisible();
  await theirs.getByRole('button', { name: 'Take over' }).click();
  await expect(theirs.getByText('Renee Albright has this open.')).toBeHidden();
  await expect(desk.getByText('Otis Second has this open.')).toBeVisible();

  await theirs.keyboard.press('Escape');
  await expect(desk.getByText('Otis Second has this open.')).toBeHidden();
});

test('a decision on what has changed meanwhile is refused, and the newer state is shown', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/approve');
  const other = await company.createAdmin({ firstName: 'Pia', lastName: 'Faster' });
  const applicant = await company.createEmployee({ firstName: 'Ida', lastName: 'Pollard' });
  const application = await submittedApplication(company.db, company.services, applicant.by);
  await page.goto(`/admin/kyc-review?application=${application.id}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await desk.getByRole('button', { name: 'Approve', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Approve this application?' });
  await expect(question).toBeVisible();
  await ask(await apiAs(other), 'adminRejectApplication', {
    params: { id: application.id },
    body: { version: application.version, reason: 'Not the same person.' },
  });
  await question.getByRole('button', { name: 'Approve' }).click();

  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('Action Failed');
  await expect(refusal).toContainText('This application');
  await expect(question).toBeHidden();
  await expect(desk.getByText(/^Rejected by Pia Faster/)).toBeVisible();
  await expect(desk.getByText('Not the same person.')).toBeVisible();
  const own = await ask(await apiAs(applicant), 'getMyApplication', {});
  expect(own.status).toBe('rejected');
});
