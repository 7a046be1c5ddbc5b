import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteReply, Session } from '#contract/api.ts';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { picture } from '#test/factories/images.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { AVATAR_EDGE_PX } from './crop-avatar.ts';

let purser: TestApp;
let admin: string;

beforeAll(async () => {
  purser = await openTestApp();
  admin = await purser.cookieOf(await createAdmin(purser.db, purser.services));
});
afterAll(() => purser.close());

async function someone() {
  const person = await createEmployee(purser.db, purser.services);
  return { id: person.id, cookie: await purser.cookieOf(person) };
}

const send = (cookie: string, body: Buffer) => purser.ask('POST', '/api/avatar', { cookie, body });

async function setPicture(cookie: string, seed = 1): Promise<string> {
  const response = await send(cookie, await picture('jpeg', { seed }));
  expect(response.status).toBe(201);
  return ((await response.json()) as RouteReply<'uploadMyAvatar'>).avatarUrl;
}

async function shownTo(cookie: string): Promise<string | null> {
  const response = await purser.ask('GET', '/api/session', { cookie });
  return ((await response.json()) as Session).avatarUrl;
}

const statusOf = async (url: string, cookie?: string) =>
  (await purser.ask('GET', url, cookie === undefined ? {} : { cookie })).status;

test('a picture is a small square JPEG without metadata, encrypted where it rests', async () => {
  const { id, cookie } = await someone();
  const original = await sharp(await picture('jpeg', { seed: 3 }))
    .withExif({ IFD0: { Artist: 'Secret Place' } })
    .jpeg()
    .toBuffer();
  const sent = await send(cookie, original);
  const { avatarUrl } = (await sent.json()) as { avatarUrl: string };
  expect(await shownTo(cookie)).toBe(avatarUrl);

  const response = await purser.ask('GET', avatarUrl, { cookie });
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  const bytes = Buffer.from(await response.arrayBuffer());
  const { format, width, height, exif } = await sharp(bytes).metadata();
  expect({ format, width, height, exif }).toEqual({
    format: 'jpeg',
    width: AVATAR_EDGE_PX,
    height: AVATAR_EDGE_PX,
    exif: undefined,
  });
  const { imageEncrypted } = await purser.db
    .selectFrom('avatar')
    .select('imageEncrypted')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(imageEncrypted).includes(bytes.subarray(0, 16))).toBe(false);
});

test('it is shown to its owner and to admins, and to nobody else', async () => {
  const [owner, other] = [await someone(), await someone()];
  const url = await setPicture(owner.cookie);
  expect(await statusOf(url, owner.cookie)).toBe(200);
  expect(await statusOf(url, admin)).toBe(200);
  expect(await statusOf(url, other.cookie)).toBe(404);
  expect(await statusOf(url)).toBe(401);
});

test('another one takes its place, and it can be removed', async () => {
  const { id, cookie } = await someone();
  const first = await setPicture(cookie, 5);
  const second = await setPicture(cookie, 6);
  expect(second).not.toBe(first);
  expect(await statusOf(first, cookie)).toBe(404);

  const listed = await purser.ask('GET', '/api/admin/employees?pageSize=100', { cookie: admin });
  const { items } = (await listed.json()) as RouteReply<'adminListEmployees'>;
  expect(items.find((employee) => employee.id === id)?.avatarUrl).toBe(second);

  const remove = () => purser.ask('POST', '/api/avatar/remove', { cookie });
  expect((await remove()).status).toBe(200);
  expect((await remove()).status, 'a second time').toBe(200);
  expect(await shownTo(cookie)).toBeNull();
  expect(await statusOf(second, cookie)).toBe(404);
  const events = await purser.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', id)
    .where('action', 'like', 'person.picture%')
    .orderBy('id')
    .execute();
  expect(events.map(({ action }) => action)).toEqual([
    'person.picture_set',
    'person.picture_set',
    'person.picture_removed',
  ]);
});

test.each([
  ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, 'image_invalid'],
  ['5 MB and a byte', Buffer.alloc(MAX_IMAGE_BYTES + 1), 413, 'image_too_large'],
])('%s is refused and keeps the one before', async (_what, body, status, code) => {
  const { cookie } = await someone();
  const url = await setPicture(cookie);
  const response = await send(cookie, body);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    status,
    code,
  ]);
  expect(await shownTo(cookie)).toBe(url);
});
