import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import {
  createAdmin,
  createEmployee,
  signInCookie,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { record } from '#server/modules/journal/index.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { changePassword } from '../new-password/change-password.ts';
import type { Call, Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { reportNotice } from './report-notice.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { createInvite } from '../invites/create-invite.ts';
import { findInvite } from '../invites/find-invite.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { shutOut } from './shut-out.ts';
import { signIn } from '../sign-in/sign-in.ts';

const THIEFS_PASSWORD = 'Taken-over-2026';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterEach(() => expectSoundBooks(opened.db));
afterAll(() => opened.close());

const call = (cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers({ cookie }),
});

/** An employee whose password a thief has changed, and the link in the mail about that. */
async function robbed() {
  const person = await createEmployee(opened.db, services);
  const thiefs = await signInCookie(identity, person.id);
  await changePassword(
    identity,
    { ...call(thiefs), actor: person },
    { currentPassword: TEST_PASSWORD, newPassword: THIEFS_PASSWORD },
  );
  const { id } = await opened.db
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', person.id)
    .where('kind', '=', 'password-changed')
    .executeTakeFirstOrThrow();
  const token = (await mailLinks(identity).noticeToken(id)) ?? '';
  const row = () =>
    opened.db
      .selectFrom('appUser')
      .select(['payoutsFrozenAt', 'passwordResetAt'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
  const entersWith = (password: string) =>
    signIn(identity, call(), { email: person.email, password }).then(
      () => true,
      () => false,
    );
  return { ...person, thiefs: await signInCookie(identity, person.id), token, row, entersWith };
}
const report = (token: string) => reportNotice(identity, call(), token);
const isRefused = expect.objectContaining({ code: 'link_invalid' });

test('"this was not me" shuts a thief with the password out, and freezes payouts', async () => {
  const admin = await createAdmin(opened.db, services);
  const person = await robbed();
  await report(person.token);
  expect(await resolveSession(identity, new Headers({ cookie: person.thiefs }))).toBeNull();
  expect(await person.entersWith(THIEFS_PASSWORD)).toBe(false);
  const at = services.clock.now();
  expect(await person.row()).toEqual({ payoutsFrozenAt: at, passwordResetAt: at });
  expect(await noticesOf(opened.db, person.id, 'notice-reported')).toHaveLength(1);
  expect(await noticesOf(opened.db, admin.id, 'payouts-frozen')).toEqual([
    `${person.name} reported "Your password was changed" as not theirs. Their payouts are frozen until an administrator releases them.`,
  ]);
  const reset = (await mailLinks(identity).resetToken(person.email)) ?? '';
  await resetPassword(identity, call(), { token: reset, password: 'Mine-again-2026' });
  expect(await person.entersWith('Mine-again-2026')).toBe(true);
  // Later acts of the owner stay: the link has done its work.
  await expect(report(person.token)).rejects.toEqual(isRefused);
  expect(await person.entersWith('Mine-again-2026')).toBe(true);
});

test('an API key and an invite that a thief made in the name of an admin end with it', async () => {
  const admin = await createAdmin(opened.db, services);
  const { token } = await withTx(opened.db, (tx) => createInvite(tx, services, admin.by));
  const { id } = await withTx(opened.db, async (tx) => {
    await createApiKey(tx, services, admin.by, {
      name: 'Thief',
      scopes: ['people:read'],
      days: 30,
    });
    return tx
      .selectFrom('apiKey')
      .select('id')
      .where('createdBy', '=', admin.id)
      .executeTakeFirstOrThrow();
  });
  await withTx(opened.db, async (tx) => {
    const by = { actor: 'system' } as const;
    const at = services.clock.now();
    await shutOut(tx, by, { userId: admin.id, passwordHash: '', since: at, at });
    record(tx, by, 'sign_in.recorded', { id: admin.id });
  });
  const key = await opened.db
    .selectFrom('apiKey')
    .select(['revokedAt', 'revokedBy'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(key).toEqual({ revokedAt: services.clock.now(), revokedBy: admin.id });
  const invited = await findInvite(opened.db, { token, now: services.clock.now() });
  expect(invited).toBeUndefined();
});

test('the thief cannot spend that link by another change, and of two concurrent ones one works', async () => {
  const person = await robbed();
  await withTx(opened.db, (tx) =>
    tx.deleteFrom('authVerification').where('value', '=', person.id).execute(),
  );
  const both = await Promise.allSettled([report(person.token), report(person.token)]);
  expectOneWins(both, 'link_invalid');
});

test('a link that is made up, of another purpose or too old changes nothing', async () => {
  const person = await robbed();
  const reset = (await mailLinks(identity).resetToken(person.email)) ?? '';
  const [notice = ''] = (
    await opened.db
      .selectFrom('notification')
      .select('id')
      .where('userId', '=', person.id)
      .execute()
  ).map(({ id }) => id);
  const ofAddress = (await mailLinks(identity).reportToken(notice)) ?? '';
  for (const token of ['made-up', reset, ofAddress]) {
    await expect(report(token)).rejects.toEqual(isRefused);
  }
  const now = services.clock.now();
  services.clock.set(new Date(now.getTime() + 169 * 3_600_000).toISOString());
  await expect(report(person.token)).rejects.toEqual(isRefused);
  services.clock.set(now.toISOString());
  expect((await person.row()).payoutsFrozenAt).toBeNull();
  expect(await person.entersWith(THIEFS_PASSWORD)).toBe(true);
});
