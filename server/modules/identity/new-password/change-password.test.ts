import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SAME_PASSWORD } from '#contract/passwords.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import {
  cookieHeader,
  createEmployee,
  signInCookie,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { changePassword } from './change-password.ts';
import type { Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { resetPassword } from './reset-password.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { signIn } from '../sign-in/sign-in.ts';

const NEW_PASSWORD = 'Another-one-2';
const services = createTestServices(new Date().toISOString());
const origin = { requestId: newId(), ipAddress: '192.0.2.7', userAgent: 'Browser' };

let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterEach(() => expectSoundBooks(opened.db));
afterAll(() => opened.close());

/** An employee at two places, and what changing the password here does. */
async function signedIn() {
  const { id, email, by } = await createEmployee(opened.db, services);
  const here = await signInCookie(identity, id);
  const elsewhere = await signInCookie(identity, id);
  const change = (currentPassword: string, newPassword = NEW_PASSWORD, cookie = here) =>
    changePassword(
      identity,
      { actor: by.actor, origin, headers: new Headers({ cookie }) },
      { currentPassword, newPassword },
    );
  const entersWith = (password: string) =>
    signIn(identity, { origin, headers: new Headers() }, { email, password }).then(
      () => true,
      () => false,
    );
  const isAlive = async (cookie: string) =>
    (await resolveSession(identity, new Headers({ cookie }))) !== null;
  return { id, email, here, elsewhere, change, entersWith, isAlive };
}

async function recordedOf(userId: string) {
  const trail = await opened.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('subjectId', '=', userId)
    .where('action', 'like', 'password.%')
    .orderBy('id')
    .execute();
  const mails = await opened.db
    .selectFrom('outbox')
    .select('topic')
    .where('kind', '=', 'mail')
    .where('userId', '=', userId)
    .execute();
  return { actions: trail.map(({ action }) => action), mails: mails.map(({ topic }) => topic) };
}

test('changes it, renews this session and ends the others', async () => {
  const person = await signedIn();
  const { cookies } = await person.change(TEST_PASSWORD);
  expect(await person.isAlive(cookieHeader(cookies))).toBe(true);
  expect(await person.isAlive(person.here)).toBe(false);
  expect(await person.isAlive(person.elsewhere)).toBe(false);
  expect(await person.entersWith(TEST_PASSWORD)).toBe(false);
  expect(await person.entersWith(NEW_PASSWORD)).toBe(true);
  expect(await recordedOf(person.id)).toEqual({
    actions: ['password.changed'],
    mails: ['notification'],
  });
});

test('refuses the present one as a new one, and changes nothing', async () => {
  const person = await signedIn();
  const { cookies } = await person.change(TEST_PASSWORD);
  const here = cookieHeader(cookies);
  const elsewhere = await signInCookie(identity, person.id);
  await expect(person.change(NEW_PASSWORD, NEW_PASSWORD, here)).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'newPassword', message: SAME_PASSWORD }],
  });
  expect(await person.isAlive(elsewhere)).toBe(true);
  // Whoever does not know it does not learn it from that.
  await expect(person.change('Wrong-purser-1', NEW_PASSWORD, here)).rejects.toMatchObject({
    code: 'invalid_password',
  });
});

test('spends the links that were mailed to choose another', async () => {
  const person = await signedIn();
  const token = (await mailLinks(identity).resetToken(person.email)) ?? '';
  await person.change(TEST_PASSWORD);
  const late = resetPassword(
    identity,
    { origin, headers: new Headers() },
    { token, password: 'Yet-another-3' },
  );
  await expect(late).rejects.toMatchObject({ code: 'link_invalid' });
});

test('refuses a wrong present password, changes nothing and records it', async () => {
  const person = await signedIn();
  await expect(person.change('Wrong-purser-1')).rejects.toMatchObject({ code: 'invalid_password' });
  expect(await person.isAlive(person.here)).toBe(true);
  expect(await person.isAlive(person.elsewhere)).toBe(true);
  expect(await person.entersWith(TEST_PASSWORD)).toBe(true);
  expect(await recordedOf(person.id)).toEqual({ actions: ['password.change_refused'], mails: [] });
});

test('stops a person who guesses at an open screen', async () => {
  const person = await signedIn();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(person.change(`Wrong-purser-${attempt}`)).rejects.toMatchObject({
      code: 'invalid_password',
    });
  }
  await expect(person.change(TEST_PASSWORD)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await person.entersWith(TEST_PASSWORD)).toBe(true);
});

test.each([
  ['Summer2026!', 'easy to guess'],
  ['Person-of-work-7', '"person"'],
  ['My-company-rocks-7', '"company"'],
])('refuses %s at its field, without asking for the present one', async (chosen, words) => {
  const person = await signedIn();
  await expect(person.change(TEST_PASSWORD, chosen)).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'newPassword', message: expect.stringContaining(words) }],
  });
  expect(await person.entersWith(TEST_PASSWORD)).toBe(true);
});
