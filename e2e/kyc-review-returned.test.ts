import { picture } from '#test/factories/images.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { expectAccessible } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a person whose application comes back sees the request, and the image from before', async ({
  page,
  context,
  company,
}) => {
  const { db, services } = company;
  const person = await company.createEmployee({ firstName: 'Ida', lastName: 'Marlowe' });
  const { id, version } = await submittedApplication(db, services, person.by);
  const admin = await apiAs('admin');
  const params = { id };
  const { application } = await ask(admin, 'adminMoveToReview', { params, body: { version } });
  const front = application.documents.find(({ type }) => type === 'id_front');
  await ask(admin, 'adminRejectDocument', {
    params: { id: front?.id ?? '' },
    body: { version: front?.version ?? 0, reason: 'A finger covers the name.' },
  });
  await ask(admin, 'adminRequestResubmission', {
    params,
    body: {
      version: application.version,
      notes: 'Two pictures, please.',
      items: [{ item: 'id_back', note: 'The barcode is cut off.' }],
    },
  });
  for (const [type, seed] of [
    ['id_front', 71],
    ['id_back', 72],
  ] as const) {
    const image = await picture('png', { seed });
    await giveDocument(db, services, person.by, { type, image, fileName: `again-${type}.png` });
  }
  const owner = await apiAs(person);
  const corrected = await ask(owner, 'getMyApplication', {});
  await ask(owner, 'submitMyApplication', { body: { id, version: corrected.version } });

  await signIn(context, 'admin');
  await page.goto(`/admin/kyc-review?application=${id}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  const history = desk.getByRole('list', { name: 'Actions history' });
  await expect(history.getByRole('listitem')).toContainText([
    'Submitted',
    'Moved to review',
    /Two pictures, please\.\s*Back of ID: The barcode is cut off\.\s*Front of ID: A finger covers the name\./,
    'Submitted again',
    'Waiting for a decision',
  ]);
  await expect(desk.getByText('again-id_front.png')).toBeVisible();
  await expectAccessible(page);

  const earlier = desk.getByRole('listitem').filter({ hasText: 'Rejected' });
  await earlier.getByRole('button', { name: /^Front of ID, / }).click();
  await expect(desk.getByText('scan.png')).toBeVisible();
  await expect(desk.getByText('A finger covers the name.').last()).toBeVisible();
  // It is there to be compared with.
  await expect(desk.getByRole('button', { name: 'Approve Front of ID' })).toBeHidden();
  await desk.getByRole('button', { name: /^Back of ID\s*Pending/ }).click();
  await expect(desk.getByText('again-id_back.png')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Approve Back of ID' })).toBeVisible();
});
