import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentLink, KycApplication, KycDocument, Verification } from '#contract/api.ts';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { picture } from '#test/factories/images.ts';
import { COMPLETE_ANSWERS, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { signLink } from './document-link.ts';

let purser: TestApp;
let admin: TestPerson;
let jpeg: Buffer;

beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  jpeg = await picture();
});
afterAll(() => purser.close());

interface Visitor extends TestPerson {
  cookie: string;
}

async function employee(): Promise<Visitor> {
  const person = await createEmployee(purser.db, purser.services);
  return { ...person, cookie: await purser.cookieOf(person) };
}

const upload = (who: { cookie: string }, type: string, body: Buffer = jpeg, fileName = 'id.png') =>
  purser.ask('POST', `/api/kyc/documents/${type}?fileName=${encodeURIComponent(fileName)}`, {
    cookie: who.cookie,
    body,
  });

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

interface Answer<Reply> {
  status: number;
  reply: Reply;
}

async function ask<Reply>(
  who: { cookie: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Reply>> {
  const response = await purser.ask(method, path, { cookie: who.cookie, body });
  return { status: response.status, reply: (await response.json()) as Reply };
}

const application = async (who: { cookie: string }) =>
  (await ask<KycApplication>(who, 'GET', '/api/kyc/application')).reply;

async function filled(): Promise<Visitor & { version: number }> {
  const owner = await employee();
  const { version } = await application(owner);
  const answers = COMPLETE_ANSWERS;
  const saved = await ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
    version,
    answers,
  });
  expect(saved.status).toBe(200);
  return { ...owner, version: saved.reply.version };
}

describe('an upload', () => {
  test('becomes the current document of its type, without the path of its name', async () => {
    const owner = await employee();
    const response = await upload(owner, 'id_front', jpeg, '../../../etc/cron.d/passport.png');
    expect(response.status).toBe(201);
    const { documents, completion } = await application(owner);
    expect(documents).toEqual([await response.json()]);
    expect(documents).toEqual([
      expect.objectContaining({ type: 'id_front', status: 'pending', fileName: 'passport.jpg' }),
    ]);
    expect(completion).toMatchObject({ documentsUploaded: 1, documentsRequired: 2 });
  });

  test('takes the place of the one before, whose image is destroyed', async () => {
    const owner = await employee();
    const first = (await (await upload(owner, 'id_back')).json()) as KycDocument;
    const second = (await (await upload(owner, 'id_back')).json()) as KycDocument;
    expect((await application(owner)).documents.map(({ id }) => id)).toEqual([second.id]);
    const row = await purser.db
      .selectFrom('kycDocument')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ fileId: null, fileNameEncrypted: null, imageHash: null });
    const file = await purser.db
      .selectFrom('kycFile')
      .select('state')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    expect(file.state).toBe('discarded');
  });

  test('of wallet documents moves the verification profile', async () => {
    const owner = await employee();
    const profile = async () =>
      (await ask<Verification>(owner, 'GET', '/api/kyc/verification')).reply;
    expect(await profile()).toMatchObject({ status: 'not_started', completionPercentage: 0 });
    await upload(owner, 'government_id');
    expect(await profile()).toMatchObject({ status: 'under_review', completionPercentage: 33 });
    await upload(owner, 'social_security');
    const { documents } = await profile();
    const removed = await ask(owner, 'DELETE', `/api/kyc/documents/${documents[0]?.id}`);
    expect(removed.status).toBe(200);
    expect(await profile()).toMatchObject({ completionPercentage: 33 });
  });

  test.each([
    ['an empty body', Buffer.alloc(0), 422, 'image_invalid'],
    ['a page', Buffer.from('<!doctype html><title>x</title>'), 422, 'image_invalid'],
    ['5 MB and a byte', Buffer.alloc(MAX_IMAGE_BYTES + 1), 413, 'image_too_large'],
  ])('of %s is refused and leaves nothing', async (_what, body, status, code) => {
    const owner = await employee();
    const response = await upload(owner, 'id_front', body);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect((await application(owner)).documents).toEqual([]);
  });

  test('of a kind of document there is not is refused', async () => {
    const response = await upload(await employee(), 'selfie');
    expect(response.status).toBe(422);
  });

  test('of sixty people at once is taken in turn', async () => {
    const people: Visitor[] = [];
    for (let count = 0; count < 60; count += 1) people.push(await employee());
    const responses = await Promise.all(people.map((person) => upload(person, 'id_front')));
    expect(responses.map(({ status }) => status)).toEqual(people.map(() => 201));
  }, 60_000);

  test('sixty times at once by one person is refused but for a few', async () => {
    const owner = await employee();
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => upload(owner, 'id_front')),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(56);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await application(owner)).documents).toHaveLength(1);
  });
});

describe('a link to a document', () => {
  async function linked(): Promise<{ owner: Visitor; link: DocumentLink; id: string }> {
    const owner = await employee();
    const { id } = (await (await upload(owner, 'id_front')).json()) as KycDocument;
    const link = await ask<DocumentLink>(owner, 'POST', `/api/kyc/documents/${id}/link`);
    return { owner, link: link.reply, id };
  }

  test('gives its owner the image as a download that can do nothing', async () => {
    const { owner, link } = await linked();
    const response = await purser.ask('GET', link.url, { cookie: owner.cookie });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="id.jpg"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(new Date(link.expiresAt).getTime() - Date.now()).toBeGreaterThan(3_590_000);
  });

  test('is worth nothing to anybody else, changed, or expired', async () => {
    const { owner, link, id } = await linked();
    const other = await employee();
    const otherId = ((await (await upload(other, 'id_front')).json()) as KycDocument).id;
    const past = { now: () => new Date(Date.now() - 3_601_000) };
    const expired = signLink(
      { vault: purser.services.vault, clock: past },
      { documentId: id, viewerId: owner.id },
    );
    const at = new URL(link.url, 'http://localhost');
    const [expires, signature] = [at.searchParams.get('expires'), at.searchParams.get('signature')];
    const flipped = `${signature?.startsWith('A') ? 'B' : 'A'}${signature?.slice(1)}`;
    const refused: [string, Visitor][] = [
      [link.url, other],
      [expired.url, owner],
      [`/api/documents/${id}?expires=${expires}&signature=${flipped}`, owner],
      [`/api/documents/${id}?expires=${Number(expires) + 9}&signature=${signature}`, owner],
      [`/api/documents/${otherId}?expires=${expires}&signature=${signature}`, owner],
      [`/api/documents/${id}?expires=${expires}&signature=`, owner],
    ];
    for (const [url, who] of refused) {
      const response = await purser.ask('GET', url, { cookie: who.cookie });
      expect([response.status, await codeOf(response)], url).toEqual([410, 'link_invalid']);
    }
    expect((await purser.ask('GET', link.url)).status).toBe(401);
  });

  test('is not made to a document of somebody else, nor are its files removed', async () => {
    const { id } = await linked();
    const other = await employee();
    expect((await ask(other, 'POST', `/api/kyc/documents/${id}/link`)).status).toBe(404);
    expect((await ask(other, 'DELETE', `/api/kyc/documents/${id}`)).status).toBe(404);
  });

  test('made by an admin is recorded, and its owner sees by whom', async () => {
    const { owner, id } = await linked();
    const desk = { cookie: await purser.cookieOf(admin) };
    const made = await ask<DocumentLink>(desk, 'POST', `/api/admin/kyc/documents/${id}/link`);
    expect((await purser.ask('GET', made.reply.url, desk)).status).toBe(200);
    expect((await ask(owner, 'GET', '/api/kyc/openings')).reply).toEqual({
      items: [{ what: 'id_front', by: admin.name, at: expect.any(String) }],
    });
  });
});

describe('an application through the API', () => {
  test('is not submitted without an answer or an image', async () => {
    const owner = await filled();
    await upload(owner, 'id_front');
    const cleared = await ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
      version: owner.version,
      answers: { occupation: null },
    });
    const refused = await ask(owner, 'POST', '/api/kyc/application/submit', {
      version: cleared.reply.version,
    });
    expect(refused).toMatchObject({
      status: 422,
      reply: {
        code: 'application_incomplete',
        errors: [{ path: 'occupation' }, { path: 'id_back' }],
      },
    });
  });

  test('keeps its status whatever an autosave says', async () => {
    const owner = await filled();
    const saved = await ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
      version: owner.version,
      status: 'approved',
      answers: { status: 'approved', city: 'Tacoma', decidedBy: admin.id },
    });
    expect(saved).toMatchObject({
      status: 200,
      reply: { status: 'in_progress', decidedAt: null, answers: { city: 'Tacoma' } },
    });
    expect(saved.reply.answers).not.toHaveProperty('status');
  });

  test('is told to a screen that did not see another one save', async () => {
    const owner = await filled();
    const save = (city: string) =>
      ask(owner, 'PUT', '/api/kyc/application', { version: owner.version, answers: { city } });
    expect(await save('Tacoma')).toMatchObject({ status: 200 });
    expect(await save('Olympia')).toMatchObject({
      status: 409,
      reply: { code: 'application_stale' },
    });
    expect((await application(owner)).answers.city).toBe('Tacoma');
  });

  test('is submitted once of two at once, and nothing of it changes afterwards', async () => {
    const owner = await filled();
    await upload(owner, 'id_front');
    const back = (await (await upload(owner, 'id_back')).json()) as KycDocument;
    const submit = () =>
      ask(owner, 'POST', '/api/kyc/application/submit', { version: owner.version });
    const both = await Promise.all([submit(), submit()]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { version } = await application(owner);
    const edit = await ask(owner, 'PUT', '/api/kyc/application', {
      version,
      answers: { city: 'Tacoma' },
    });
    const replace = await upload(owner, 'id_back');
    const remove = await ask(owner, 'DELETE', `/api/kyc/documents/${back.id}`);
    expect([edit.status, replace.status, remove.status]).toEqual([409, 409, 409]);
    expect((await application(owner)).documents).toHaveLength(2);
  });

  test('in progress is neither approved nor opened by another employee', async () => {
    const owner = await filled();
    const { id, version } = await application(owner);
    const desk = { cookie: await purser.cookieOf(admin) };
    const path = `/api/admin/kyc/applications/${id}`;
    expect(await ask(desk, 'POST', `${path}/approve`, { version })).toMatchObject({
      status: 409,
      reply: { code: 'application_wrong_status' },
    });
    expect((await ask(await employee(), 'GET', path)).status).toBe(403);
  });

  test('of an admin’s own is decided by somebody else', async () => {
    const { id, version } = await submittedApplication(purser.db, purser.services, admin.by);
    const desk = { cookie: await purser.cookieOf(admin) };
    const approve = await ask(desk, 'POST', `/api/admin/kyc/applications/${id}/approve`, {
      version,
    });
    expect(approve).toMatchObject({ status: 403, reply: { code: 'own_request' } });
  });
});
