import type { Locator, Page } from '@playwright/test';
import { submittedApplication } from '#test/factories/kyc.ts';
import { ask } from './support/api.ts';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

const TABS_AT_MOST = 60;

/** Goes on by Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < TABS_AT_MOST; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

async function createApplicant(
  company: Company,
  firstName: string,
  lastName: string,
): Promise<Person & { applicationId: string }> {
  const person = await company.createEmployee({ firstName, lastName });
  const { id } = await submittedApplication(company.db, company.services, person.by);
  return { ...person, applicationId: id };
}

test('applications are reviewed with the keyboard alone', async ({ page, company }) => {
  for (const name of ['Ada', 'Ben', 'Cy']) await createApplicant(company, name, 'Keyes');
  await page.goto('/admin/kyc-review');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search applications' }));
  await page.keyboard.type('keyes');
  await expect(page.getByText('Showing 1 to 3 of 3')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Open application of Ada Keyes' }));
  await page.keyboard.press('Enter');

  const desk = page.getByRole('dialog', { name: 'KYC review' });
  const title = desk.getByRole('heading', { level: 2 });
  await expect(title).toHaveText('Ada Keyes');
  await expect(title).toBeFocused();
  await expect(page).toHaveURL(/application=/);
  // The key does what the button does, which waits for the queue.
  const next = desk.getByRole('button', { name: 'Next in the queue' });
  await expect(next).toBeEnabled();
  await page.keyboard.press('j');
  await expect(title).toHaveText('Ben Keyes');
  await expect(title).toBeFocused();
  await expect(desk.getByRole('button', { name: 'Previous in the queue' })).toBeEnabled();
  await page.keyboard.press('k');
  await expect(title).toHaveText('Ada Keyes');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Next in the queue')).toBeVisible();
  await page.keyboard.press('j');
  await escape(sheet);
  await expect(sheet).toBeHidden();
  await expect(title).toHaveText('Ada Keyes');

  await test.step('the image is zoomed, turned and changed for the other', async () => {
    await expect(title).toBeFocused();
    await page.keyboard.press('2');
    await expect(desk.getByRole('button', { name: /^Back of ID/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    const image = desk.getByRole('group', { name: /^Back of ID, / });
    await tabTo(page, image);
    await page.keyboard.press('+');
    await page.keyboard.press(']');
    await expect(image).toHaveAccessibleName('Back of ID, 125%, turned by 90 degrees');
  });

  await test.step('a rejection waits for its reason', async () => {
    await page.keyboard.press('r');
    await expect(desk.getByText('Rejection reason is required')).toBeVisible();
    const notes = desk.getByLabel('Notes', { exact: true });
    await expect(notes).toBeFocused();
    await page.keyboard.type('A raja is not an applicant.');
    await expect(title).toHaveText('Ada Keyes');
    await tabTo(page, desk.getByRole('button', { name: 'Reject', exact: true }));
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Reject this application?' });
    await expect(question).toContainText('A raja is not an applicant.');
    await tabTo(page, question.getByRole('button', { name: 'Reject' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Application Rejected', { exact: true })).toBeVisible();
    await expect(desk.getByText(/^Rejected by Renee Albright/)).toBeVisible();
    await expect(title).toBeFocused();
  });

  await test.step('the next one is there although this one left the queue', async () => {
    await expect(next).toBeEnabled();
    await page.keyboard.press('j');
    await expect(title).toHaveText('Ben Keyes');
    // The key does what the button does.
    await expect(desk.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
    await page.keyboard.press('a');
    const question = page.getByRole('alertdialog', { name: 'Approve this application?' });
    await tabTo(page, question.getByRole('button', { name: 'Approve' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Application Approved', { exact: true })).toBeVisible();
    await expect(desk.getByText(/^Approved by Renee Albright/)).toBeVisible();
  });

  await escape(desk);
  await expect(desk).toBeHidden();
  await expect(page).not.toHaveURL(/application=/);
  await expect(page.getByText('Showing 1 in the queue')).toBeVisible();
});

test('single keys can be turned off', async ({ page, company }) => {
  const { applicationId } = await createApplicant(company, 'Dee', 'Lindon');
  await page.goto(`/admin/kyc-review?search=Lindon&application=${applicationId}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  await desk.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Use single keys at the desk').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(desk.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  await page.keyboard.press('a');
  await page.keyboard.press('r');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(desk.getByText('Rejection reason is required')).toBeHidden();
});

test('a resubmission names what has to be changed, and the employee reads it', async ({
  page,
  company,
}) => {
  const applicant = await createApplicant(company, 'Eve', 'Mossop');
  await page.goto(`/admin/kyc-review?application=${applicant.applicationId}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  const requestMore = desk.getByRole('button', { name: 'Request resubmission' });
  await expect(desk.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  await expect(requestMore).toBeHidden();
  await desk.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(desk.getByText('Rejection reason is required')).toBeVisible();
  await desk.getByRole('button', { name: 'Move to review' }).click();
  await expect(desk.getByText('Rejection reason is required')).toHaveCount(0);
  await expect(page.getByText('Application Moved to Review', { exact: true })).toBeVisible();
  await requestMore.click();

  const dialog = page.getByRole('dialog', { name: 'Request resubmission' });
  const send = dialog.getByRole('button', { name: 'Request resubmission' });
  await send.click();
  await expect(dialog.getByRole('alert')).toContainText('Name at least one section or document');
  await expect(dialog.getByRole('alert')).toContainText('Notes are required');
  await dialog.getByLabel('Contact Details', { exact: true }).check();
  await dialog.getByLabel('Back of ID', { exact: true }).check();
  await dialog.getByLabel('What is wrong with Contact Details').fill('The city is missing.');
  await send.click();
  await expect(dialog.getByRole('alert')).toContainText('Enter what has to be changed');
  await dialog.getByRole('button', { name: 'Use a template' }).click();
  // General notes stand for what has none of its own.
  await page.getByRole('menuitem', { name: /too dark or blurred/ }).click();
  await send.click();

  await expect(page.getByText('Resubmission Requested', { exact: true })).toBeVisible();
  await expect(desk.getByText('Waiting for the employee')).toBeVisible();
  await expect(desk.getByText('The city is missing.')).toBeVisible();
  await expect(desk.getByRole('button', { name: /^Back of ID/ })).toContainText('Rejected');
  const application = await ask(await apiAs(applicant), 'getMyApplication', {});
  expect(application.status).toBe('resubmit_required');
  expect(application.resubmissionItems.map(({ item }) => item)).toEqual(['contact', 'id_back']);
  expect(application.resubmissionNotes).toContain('too dark or blurred');
});

test('a rejected document keeps its application from being approved', async ({ page, company }) => {
  const applicant = await createApplicant(company, 'Kit', 'Raeburn');
  await page.goto(`/admin/kyc-review?application=${applicant.applicationId}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await desk.getByRole('button', { name: 'Reject Front of ID' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject Front of ID' });
  await dialog.getByLabel('Reason').fill('The photo is covered.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(desk.getByText('The photo is covered.')).toBeVisible();
  await expect(desk.getByRole('button', { name: /^Front of ID/ })).toBeFocused();
  const approve = desk.getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  await expect(desk.getByText(/^A document is rejected/)).toBeVisible();
  await desk.getByRole('button', { name: 'Approve Front of ID' }).click();
  await approve.click();
  const question = page.getByRole('alertdialog', { name: 'Approve this application?' });
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Application Approved', { exact: true })).toBeVisible();
  await expect(desk.getByRole('button', { name: /^Back of ID/ })).toContainText('Approved');
});

test('typed text is kept on the way to another one and back', async ({ page, company }) => {
  for (const name of ['Lea', 'Max']) await createApplicant(company, name, 'Sallow');
  await page.goto('/admin/kyc-review?search=Sallow');
  await page.getByRole('button', { name: 'Open application of Lea Sallow' }).click();
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  const notes = desk.getByLabel('Notes', { exact: true });
  await notes.fill('The address is incomplete.');
  await desk.getByRole('button', { name: 'Next in the queue' }).click();
  await expect(desk.getByRole('heading', { level: 2 })).toHaveText('Max Sallow');
  await expect(notes).toHaveValue('');
  await desk.getByRole('button', { name: 'Previous in the queue' }).click();
  await expect(notes).toHaveValue('The address is incomplete.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open application of Lea Sallow' }).click();
  await expect(notes).toHaveValue('The address is incomplete.');
});

test('an image is moved by dragging it', async ({ page, company }) => {
  const applicant = await createApplicant(company, 'Ned', 'Tarrant');
  await page.goto(`/admin/kyc-review?application=${applicant.applicationId}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await desk.getByRole('button', { name: 'Zoom in' }).click();
  const image = desk.locator('image');
  await expect(image).toHaveAttribute('transform', 'translate(0 0) rotate(0) scale(1.25)');
  const stage = desk.getByRole('group', { name: 'Front of ID, 125%' });
  await stage.hover({ position: { x: 100, y: 100 } });
  await page.mouse.down();
  await stage.hover({ position: { x: 130, y: 100 } });
  await page.mouse.up();
  await stage.hover({ position: { x: 160, y: 100 } });
  await expect(image).toHaveAttribute('transform', /^translate\([1-9][\d.]* 0\)/);
  await desk.getByRole('button', { name: '125%, show as it was' }).click();
  await expect(image).toHaveAttribute('transform', 'translate(0 0) rotate(0) scale(1)');
});

test('notes stay among admins, and what others use too is pointed out', async ({
  page,
  company,
}) => {
  await createApplicant(company, 'Fay', 'Norwood');
  const applicant = await createApplicant(company, 'Gus', 'Norwood');
  await page.goto(`/admin/kyc-review?application=${applicant.applicationId}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByRole('list', { name: 'Duplicate signals' })).toContainText(
    'Same ID number as',
  );
  await desk.getByRole('button', { name: 'Add note' }).click();
  await expect(desk.getByText('Write a note first')).toBeVisible();
  await desk.getByLabel('New private note').fill('Ask Fay about the shared number.');
  await desk.getByRole('button', { name: 'Add note' }).click();
  const notes = desk.getByRole('list', { name: 'Private notes' });
  await expect(notes).toContainText('Ask Fay about the shared number.');
  await expect(notes).toContainText('Renee Albright');
  const own = await ask(await apiAs(applicant), 'getMyApplication', {});
  expect(JSON.stringify(own)).not.toContain('Ask Fay');

  // The next one is typed while one is sent.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/admin/kyc/*/notes', async (route) => {
    await isReleased;
    await route.continue();
  });
  const note = desk.getByLabel('New private note');
  await note.fill('Fay answered.');
  await desk.getByRole('button', { name: 'Add note' }).click();
  await note.fill('They are sisters.');
  release();
  await expect(notes).toContainText('Fay answered.');
  await expect(note).toHaveValue('They are sisters.');
});

test('a missing application says so', async ({ page, faults }) => {
  faults.allowRefusal(404, '/api/admin/kyc/');
  await page.goto('/admin/kyc-review?application=01a1fe43-f4f6-789f-8679-24194a991267');
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByText('This application was not found.')).toBeVisible();
  await expect(page.getByText('Failed to load application details')).toBeVisible();
});
