import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentLink, KycDocument, Verification } from '#contract/api.ts';
import { addDays, addMonths, dayIn } from '#contract/calendar.ts';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { picture } from '#test/factories/images.ts';
import { kycVisits } from '#test/kyc-visitor.ts';
import type { KycVisits, Visitor } from '#test/kyc-visitor.ts';
import { signLink } from './document-link.ts';

let purser: TestApp;
let visits: KycVisits;
let jpeg: Buffer;

beforeAll(async () => {
  purser = await openTestApp();
  visits = kycVisits(purser);
  jpeg = await picture();
});
afterAll(() => purser.close());

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

const upload = (who: Visitor, type: string, bytes = jpeg, fileName?: string) =>
  visits.upload(who, type, bytes, { fileName });

describe('an upload', () => {
  test('becomes the current document of its type, without the path of its name', async () => {
    const owner = await visits.employee();
    const response = await upload(owner, 'id_front', jpeg, '../../../etc/cron.d/passport.png');
    expect(response.status).toBe(201);
    const { documents, completion } = await visits.application(owner);
    expect(documents).toEqual([await response.json()]);
    expect(documents).toEqual([
      expect.objectContaining({ type: 'id_front', status: 'pending', fileName: 'passport.png' }),
    ]);
    expect(completion).toMatchObject({ documentsUploaded: 1, documentsRequired: 2 });
  });

  test('is shown to its owner, and to administrators once it waits for them', async () => {
    const owner = await visits.employee();
    const publishedBy = async (type: string) => {
      await purser.db.deleteFrom('outbox').execute();
      expect((await upload(owner, type)).status).toBe(201);
      const rows = await purser.db
        .selectFrom('outbox')
        .select(['topic', 'userId'])
        .where('topic', '=', 'kyc')
        .distinct()
        .execute();
      return rows.map(({ userId }) => (userId === null ? 'admins' : 'owner')).toSorted();
    };
    expect(await publishedBy('id_front')).toEqual(['owner']);
    expect(await publishedBy('government_id')).toEqual(['admins', 'owner']);
  });

  test('takes the place of the one before, whose image is destroyed', async () => {
    const owner = await visits.employee();
    const first = (await (await upload(owner, 'id_back')).json()) as KycDocument;
    const second = (await (await upload(owner, 'id_back')).json()) as KycDocument;
    expect((await visits.application(owner)).documents.map(({ id }) => id)).toEqual([second.id]);
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

  test('moves the verification profile with wallet documents', async () => {
    const owner = await visits.employee();
    const profile = async () =>
      (await visits.ask<Verification>(owner, 'GET', '/api/kyc/verification')).reply;
    expect(await profile()).toMatchObject({ status: 'not_started', completionPercentage: 0 });
    await upload(owner, 'government_id');
    expect(await profile()).toMatchObject({ status: 'under_review', completionPercentage: 33 });
    await upload(owner, 'social_security');
    await upload(owner, 'social_security');
    expect(await profile()).toMatchObject({ completionPercentage: 67 });
  });

  test('has its date of issue for a proof of address, by the calendar of the company', async () => {
    const owner = await visits.employee();
    const today = dayIn('America/New_York', new Date());
    const send = (issuedOn?: string) =>
      visits.upload(owner, 'proof_of_address', jpeg, issuedOn === undefined ? {} : { issuedOn });
    const oldest = addMonths(today, -3);
    for (const [issuedOn, code] of [
      [undefined, 'issue_date_needed'],
      [addDays(today, 1), 'issue_date_future'],
      [addDays(oldest, -1), 'document_too_old'],
      ['2026-02-30', 'invalid_request'],
    ] as const) {
      const refused = await send(issuedOn);
      expect([issuedOn, refused.status, await codeOf(refused)]).toEqual([issuedOn, 422, code]);
    }
    const documents = async () =>
      (await visits.ask<Verification>(owner, 'GET', '/api/kyc/verification')).reply.documents;
    expect(await documents(), 'nothing was kept').toEqual([]);
    for (const issuedOn of [today, oldest]) {
      expect((await send(issuedOn)).status).toBe(201);
      expect(await documents()).toMatchObject([{ type: 'proof_of_address', issuedOn }]);
    }
    const other = await visits.upload(owner, 'government_id', jpeg, { issuedOn: '2001-01-01' });
    expect(await other.json()).toMatchObject({ type: 'government_id', issuedOn: null });
  });

  test.each([
    ['an empty body', Buffer.alloc(0), 422, 'image_invalid'],
    ['a page', Buffer.from('<!doctype html><title>x</title>'), 422, 'image_invalid'],
    ['5 MB and a byte', Buffer.alloc(MAX_IMAGE_BYTES + 1), 413, 'image_too_large'],
  ])('of %s is refused and leaves nothing', async (_what, body, status, code) => {
    const owner = await visits.employee();
    const response = await upload(owner, 'id_front', body);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect((await visits.application(owner)).documents).toEqual([]);
  });

  test('is refused for a kind of document that does not exist', async () => {
    const response = await upload(await visits.employee(), 'selfie');
    expect(response.status).toBe(422);
  });

  test('is taken in turn from sixty people concurrently', async () => {
    const people: Visitor[] = [];
    for (let count = 0; count < 60; count += 1) people.push(await visits.employee());
    const responses = await Promise.all(people.map((person) => upload(person, 'id_front')));
    expect(responses.map(({ status }) => status)).toEqual(people.map(() => 201));
  });

  test('sixty times concurrently by one person is taken or refused, and leaves one', async () => {
    const owner = await visits.employee();
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => upload(owner, 'id_front')),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(60 - LIMITS.uploads.perPerson);
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await visits.application(owner)).documents).toHaveLength(1);
  });
});

describe('a link to a document', () => {
  async function linked(): Promise<{ owner: Visitor; link: DocumentLink; id: string }> {
    const owner = await visits.employee();
    const { id } = (await (await upload(owner, 'id_front')).json()) as KycDocument;
    const link = await visits.ask<DocumentLink>(owner, 'POST', `/api/kyc/documents/${id}/link`);
    return { owner, link: link.reply, id };
  }

  test('gives its owner the image as a download that can do nothing', async () => {
    const beganMs = Date.now();
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
    // In whole seconds.
    expect(Date.parse(link.expiresAt) - beganMs).toBeGreaterThan(3_599_000);
  });

  test('is worth nothing to anybody else, changed, or expired', async () => {
    const { owner, link, id } = await linked();
    const other = await visits.employee();
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

  test('is not made to a document of another person', async () => {
    const { id } = await linked();
    const other = await visits.employee();
    expect((await visits.ask(other, 'POST', `/api/kyc/documents/${id}/link`)).status).toBe(404);
  });
});
