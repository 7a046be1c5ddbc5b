import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentLink, RouteReply } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { kycVisits } from '#test/kyc-visitor.ts';
import type { KycVisits, Visitor } from '#test/kyc-visitor.ts';

type AccessLog = RouteReply<'listMyAccessLog'>;

let purser: TestApp;
let visits: KycVisits;
let admin: TestPerson;
let desk: { cookie: string };

beforeAll(async () => {
  purser = await openTestApp();
  visits = kycVisits(purser);
  admin = await createAdmin(purser.db, purser.services, { firstName: 'Renee' });
  desk = { cookie: await purser.cookieOf(admin) };
});
afterAll(() => purser.close());

const accessLogOf = async (owner: Visitor, query = '') =>
  (await visits.ask<AccessLog>(owner, 'GET', `/api/kyc/access-log${query}`)).reply;
const linkTo = (documentId: string, who = desk) =>
  visits.ask<DocumentLink>(who, 'POST', `/api/admin/kyc/documents/${documentId}/link`);
/**
 * Moves everything recorded so far back by an hour, as the owner; the trail's triggers forbid it to
 * others.
 */
async function anHourPasses(): Promise<void> {
  const owner = new pg.Client(purser.ownerUrl);
  await owner.connect();
  await owner.query(`ALTER TABLE audit_event DISABLE TRIGGER USER;
    UPDATE audit_event SET at = at - interval '1 hour';
    ALTER TABLE audit_event ENABLE TRIGGER USER`);
  await owner.end();
}

test('a document is opened when its image is fetched, and again when the link is used later', async () => {
  const owner = await visits.employee();
  const { id } = await giveDocument(purser.db, purser.services, owner.by, {
    type: 'government_id',
  });
  const { reply: link } = await linkTo(id);
  expect((await accessLogOf(owner)).items).toEqual([]);

  for (let times = 0; times < 3; times += 1) {
    expect((await purser.ask('GET', link.url, desk)).status).toBe(200);
  }
  const opened = { what: 'government_id', which: null, by: admin.name, at: expect.any(String) };
  expect((await accessLogOf(owner)).items).toEqual([opened]);
  await anHourPasses();
  await purser.ask('GET', link.url, desk);
  expect((await accessLogOf(owner)).items).toEqual([opened, opened]);
});

test('viewing one’s own image is not recorded', async () => {
  const owner = await visits.employee();
  const { id } = await giveDocument(purser.db, purser.services, owner.by, {
    type: 'government_id',
  });
  const link = await visits.ask<DocumentLink>(owner, 'POST', `/api/kyc/documents/${id}/link`);
  expect((await purser.ask('GET', link.reply.url, owner)).status).toBe(200);
  const { rows } = await sql`select from audit_event
    where subject_id = ${id} and action = 'kyc.document_opened'`.execute(purser.db);
  expect(rows).toEqual([]);
});

test('the whole access log can be read, a page at a time', async () => {
  const owner = await visits.employee();
  const { id } = await submittedApplication(purser.db, purser.services, owner.by);
  for (let times = 0; times < 3; times += 1) {
    await visits.ask(desk, 'GET', `/api/admin/kyc/applications/${id}`);
    await anHourPasses();
  }
  const first = await accessLogOf(owner, '?page=1&pageSize=2');
  const second = await accessLogOf(owner, '?page=2&pageSize=2');
  expect([first.items.length, first.hasMore]).toEqual([2, true]);
  expect([second.items.length, second.hasMore]).toEqual([1, false]);
  const times = [...first.items, ...second.items].map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('a link does not work for a person who is no longer an admin', async () => {
  const former = await createAdmin(purser.db, purser.services);
  const owner = await visits.employee();
  const { id } = await giveDocument(purser.db, purser.services, owner.by, {
    type: 'government_id',
  });
  const cookie = await purser.cookieOf(former);
  const { reply: link } = await linkTo(id, { cookie });
  await sql`UPDATE app_user SET role = 'employee' WHERE id = ${former.id}`.execute(purser.db);
  const response = await purser.ask('GET', link.url, { cookie: await purser.cookieOf(former) });
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ code: 'link_invalid' });
});

test('only its owner can see an application that was never submitted, and its images', async () => {
  const owner = await visits.employee();
  const { id } = await visits.application(owner);
  const front = await giveDocument(purser.db, purser.services, owner.by, { type: 'id_front' });
  expect(await visits.ask(desk, 'GET', `/api/admin/kyc/applications/${id}`)).toMatchObject({
    status: 404,
    reply: { code: 'application_not_found' },
  });
  expect(await linkTo(front.id)).toMatchObject({
    status: 404,
    reply: { code: 'document_not_found' },
  });
  expect((await accessLogOf(owner)).items).toEqual([]);
});
