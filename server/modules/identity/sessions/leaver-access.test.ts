import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATHS } from '#contract/paths.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { cookieHeader, createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { mailLinks } from '../mail-links.ts';

let purser: TestApp;
let admin = '';
let grace: TestPerson;

beforeAll(async () => {
  purser = await openTestApp();
  admin = await purser.cookieOf(await createAdmin(purser.db, purser.services));
  grace = await createEmployee(purser.db, purser.services, { firstName: 'Grace' });
  await fundedWallet(purser.db, purser.services, grace.by, 192_000n);
});
afterAll(() => purser.close());

const decide = (what: 'deactivate' | 'reactivate') =>
  purser.ask('POST', `/api/admin/people/${grace.id}/${what}`, {
    cookie: admin,
    body: { reason: 'Left' },
  });
const linkToken = async () => (await mailLinks(purser.identity).documentsToken(grace.email)) ?? '';
const open = (token: string, cookie?: string) =>
  purser.ask(...PATHS.openDocuments, { body: { token }, ...(cookie && { cookie }) });
const openedCookie = async () =>
  cookieHeader((await open(await linkToken())).headers.getSetCookie());
const documents = async (cookie: string) => purser.ask(...PATHS.listAccountDocuments, { cookie });

describe('the documents of a person who left', () => {
  test('have no link while the person is here', async () => {
    expect(await mailLinks(purser.identity).documentsToken(grace.email)).toBeNull();
    const refused = await purser.ask('POST', `/api/admin/people/${grace.id}/documents-link`, {
      cookie: admin,
    });
    expect(await refused.json()).toMatchObject({ code: 'person_still_here' });
  });

  test('open once by a link, for an hour, and nothing else does', async () => {
    await decide('deactivate');
    const token = await linkToken();
    const opened = await open(token);
    const [setCookie = ''] = opened.headers.getSetCookie();
    expect(setCookie).toMatch(/Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax/);
    const cookie = cookieHeader([setCookie]);
    const list = await documents(cookie);
    expect(await list.json()).toMatchObject({
      payslips: { items: [{ amount: { minor: '192000' } }], total: 1 },
    });
    expect((await purser.ask(...PATHS.getShell, { cookie })).status).toBe(401);
    expect((await open(token)).status).toBe(410);

    await sql`UPDATE auth_verification SET expires_at = now() - interval '1 second'`.execute(
      purser.db,
    );
    expect((await documents(cookie)).status).toBe(401);
  });

  test('are closed by the person, and by coming back', async () => {
    const cookie = await openedCookie();
    await purser.ask(...PATHS.closeDocuments, { cookie });
    expect((await documents(cookie)).status).toBe(401);

    const another = await openedCookie();
    expect((await documents(another)).status).toBe(200);
    const waiting = await linkToken();
    await decide('reactivate');
    expect((await documents(another)).status).toBe(401);
    expect((await open(waiting)).status).toBe(410);
    await decide('deactivate');
    expect((await documents(another)).status).toBe(401);
  });

  test('are of the person alone: the session that the browser had ends', async () => {
    const colleague = await createEmployee(purser.db, purser.services);
    const session = await purser.cookieOf(colleague);
    await open(await linkToken(), session);
    expect((await documents(session)).status).toBe(401);
  });

  test('are reached by a link that the admin is shown where no mail server is set', async () => {
    const made = await purser.ask('POST', `/api/admin/people/${grace.id}/documents-link`, {
      cookie: admin,
    });
    const { link } = (await made.json()) as { link: { url: string } };
    const url = new URL(link.url);
    expect(url.origin + url.pathname).toBe(`${TEST_ORIGIN}/my-documents`);
    expect((await open(url.searchParams.get('token') ?? '')).status).toBe(200);
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_event WHERE person_id = ${grace.id} AND action LIKE 'documents.%'
       ORDER BY id DESC LIMIT 2`.execute(purser.db);
    expect(rows.map(({ action }) => action)).toEqual([
      'documents.opened',
      'documents.link_created',
    ]);
  });

  test('are asked for by address, which answers the same for everybody', async () => {
    const mails = async () => {
      const { rows } = await sql<{ userId: string }>`
        SELECT user_id FROM outbox WHERE kind = 'mail' AND topic = 'open-documents'`.execute(
        purser.db,
      );
      return rows.map(({ userId }) => userId);
    };
    const before = (await mails()).length;
    for (const email of ['nobody@purser.test', grace.email]) {
      const answer = await purser.ask(...PATHS.requestDocumentsLink, { body: { email } });
      expect(await answer.json()).toEqual({ ok: true });
    }
    expect((await mails()).slice(before)).toEqual([grace.id]);
  });
});
