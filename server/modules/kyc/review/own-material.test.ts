import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentLink } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { kycVisits } from '#test/kyc-visitor.ts';
import type { KycVisits } from '#test/kyc-visitor.ts';
import { addNote } from './notes.ts';
import { findProfile } from '../documents/profile.ts';

let purser: TestApp;
let visits: KycVisits;
let applicant: TestPerson;
let colleague: TestPerson;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  visits = kycVisits(purser);
  [applicant, colleague] = [
    await createAdmin(purser.db, purser.services),
    await createAdmin(purser.db, purser.services),
  ];
  cookie = await purser.cookieOf(applicant);
});
afterAll(() => purser.close());

const ask = (method: string, path: string, body?: unknown) =>
  visits.ask<{ code?: string }>({ cookie }, method, path, body);
const refused = { status: 403, reply: { code: 'own_request' } };

test('an admin neither opens, claims, notes nor decides their own application', async () => {
  const { db, services } = purser;
  const { id, version, documents } = await submittedApplication(db, services, applicant.by);
  const text = 'The address is a letter box.';
  await withTx(db, (tx) => addNote(tx, services, colleague.by, { itemId: id, text }));

  const application = `/api/admin/kyc/applications/${id}`;
  const queue = `/api/admin/kyc/queue/${id}`;
  expect(await ask('GET', application)).toMatchObject(refused);
  expect(await ask('POST', `${queue}/claim`, {})).toMatchObject(refused);
  expect(await ask('POST', `${queue}/notes`, { text: 'All is well.' })).toMatchObject(refused);
  expect(await ask('POST', `${application}/approve`, { version })).toMatchObject(refused);
  for (const document of documents) {
    expect(await ask('POST', `/api/admin/kyc/documents/${document.id}/link`)).toMatchObject(
      refused,
    );
  }
});

test('an admin neither opens, claims nor notes their own wallet documents', async () => {
  const { db, services } = purser;
  const { id } = await giveDocument(db, services, applicant.by, { type: 'government_id' });
  const profile = await findProfile(db, applicant.id);
  const queue = `/api/admin/kyc/queue/${profile?.id}`;
  expect(await ask('GET', `/api/admin/kyc/verifications/${profile?.id}`)).toMatchObject(refused);
  expect(await ask('POST', `${queue}/claim`, {})).toMatchObject(refused);
  expect(await ask('POST', `${queue}/notes`, { text: 'All is well.' })).toMatchObject(refused);
  const link = await visits.ask<DocumentLink>(
    { cookie: await purser.cookieOf(colleague) },
    'POST',
    `/api/admin/kyc/documents/${id}/link`,
  );
  expect(link.status).toBe(200);
  // Nothing came under review by being asked for.
  expect(await findProfile(db, applicant.id)).toMatchObject({ reviewStatus: 'submitted' });
});
