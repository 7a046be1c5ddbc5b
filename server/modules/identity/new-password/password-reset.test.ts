import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SAME_PASSWORD } from '#contract/passwords.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import {
  createAdmin,
  cookieHeader,
  createEmployee,
  signInCookie,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { confirmEmail } from '../sign-up/confirm-email.ts';
import type { Call, Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { listSessions } from '../queries.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { revokeOtherSessions, revokeSession } from '../sessions/revoke-session.ts';
import { sessionHashOf } from '../sessions/cookies.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { signUp } from '../sign-up/sign-up.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
let confirming: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
  confirming = createTestIdentity(opened, services, { confirmsEmail: true });
});
afterEach(() => expectSoundBooks(opened.db));
afterAll(() => opened.close());

const NEW_PASSWORD = 'Another-one-2';
const call = (): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers(),
});
const employee = () => createEmployee(opened.db, services);
const refusal = (code: string) => expect.objectContaining({ code });
const mailsTo = async (userId: string) => {
  const rows = await opened.db
    .selectFrom('outbox')
    .select(['topic', 'payload'])
    .where('kind', '=', 'mail')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ topic }) => topic);
};
async function resetToken(email: string): Promise<string> {
  const token = await mailLinks(identity).resetToken(email);
  if (token === null) throw new Error('no link for a known address');
  return token;
}

describe('a forgotten password', () => {
  test('is mailed about where the address is known, and answered alike where it is not', async () => {
    const person = await employee();
    await requestPasswordReset(identity, call(), person.email);
    expect(await mailsTo(person.id)).toEqual(['reset-password']);
    await requestPasswordReset(identity, call(), `${newId()}@purser.test`);
    expect(await mailLinks(identity).resetToken(`${newId()}@purser.test`)).toBeNull();
  });

  test('is not replaced by itself, and the token stays good', async () => {
    const person = await employee();
    const first = await resetToken(person.email);
    await resetPassword(identity, call(), { token: first, password: NEW_PASSWORD });
    const token = await resetToken(person.email);
    await expect(
      resetPassword(identity, call(), { token, password: NEW_PASSWORD }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'password', message: SAME_PASSWORD }],
    });
    await resetPassword(identity, call(), { token, password: 'A-third-one-3' });
  });

  test('is replaced with the mailed token, which ends every session', async () => {
    const person = await employee();
    const cookie = await signInCookie(identity, person.id);
    await resetPassword(identity, call(), {
      token: await resetToken(person.email),
      password: NEW_PASSWORD,
    });
    expect(await resolveSession(identity, new Headers({ cookie }))).toBeNull();
    const old = { email: person.email, password: TEST_PASSWORD };
    await expect(signIn(identity, call(), old)).rejects.toEqual(refusal('invalid_credentials'));
    await signIn(identity, call(), { email: person.email, password: NEW_PASSWORD });
    // Mails about the password, and about the browser, which is new although nobody had signed in before.
    expect(await mailsTo(person.id)).toEqual(['notification', 'notification']);
  });

  test('lets nobody in who has two-factor, whatever the mail was: it is one factor', async () => {
    for (const hasPassword of [true, false]) {
      const person = await createAdmin(opened.db, services);
      if (!hasPassword) {
        await opened.db.deleteFrom('authAccount').where('userId', '=', person.id).execute();
      }
      await opened.db
        .updateTable('appUser')
        .set({ twoFactorEnabled: true })
        .where('id', '=', person.id)
        .execute();
      const token = await resetToken(person.email);
      const { reply, cookies } = await resetPassword(identity, call(), {
        token,
        password: NEW_PASSWORD,
      });
      expect({ reply, cookies }).toEqual({ reply: { session: null }, cookies: [] });
      const entered = await signIn(identity, call(), {
        email: person.email,
        password: NEW_PASSWORD,
      });
      expect(entered.reply).toMatchObject({ user: null, awaitsSecondFactor: true });
    }
  });

  test('takes a token once, also of two concurrent ones, and spends the others with it', async () => {
    const person = await employee();
    const [one, two] = [await resetToken(person.email), await resetToken(person.email)];
    const reset = (token: string) =>
      resetPassword(identity, call(), { token, password: NEW_PASSWORD });
    const results = await Promise.allSettled([reset(one), reset(one)]);
    expectOneWins(results, 'link_invalid');
    await expect(reset(one)).rejects.toEqual(refusal('link_invalid'));
    await expect(reset(two)).rejects.toEqual(refusal('link_invalid'));
    await expect(reset('made-up')).rejects.toEqual(refusal('link_invalid'));
  });

  test('is not replaced with one that is easy to guess, which leaves the token good', async () => {
    const person = await employee();
    const token = await resetToken(person.email);
    for (const password of ['Password1!', 'Test-of-all-7']) {
      await expect(resetPassword(identity, call(), { token, password })).rejects.toMatchObject({
        code: 'invalid_request',
        fields: [{ path: 'password' }],
      });
    }
    const made = { token: 'made-up', password: 'Password1!' };
    await expect(resetPassword(identity, call(), made)).rejects.toEqual(refusal('link_invalid'));
    await resetPassword(identity, call(), { token, password: NEW_PASSWORD });
  });

  test('refuses an expired token', async () => {
    const person = await employee();
    const token = await resetToken(person.email);
    await withTx(opened.db, (tx) =>
      tx
        .updateTable('authVerification')
        .set({ expiresAt: new Date(Date.now() - 1_000) })
        .where('value', '=', person.id)
        .execute(),
    );
    const late = resetPassword(identity, call(), { token, password: NEW_PASSWORD });
    await expect(late).rejects.toEqual(refusal('link_invalid'));
  });

  test('leaves no token in the database', async () => {
    const person = await employee();
    const token = await resetToken(person.email);
    const rows = await opened.db.selectFrom('authVerification').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a company that confirms addresses by mail', () => {
  const newcomer = () => ({
    firstName: 'Maya',
    lastName: 'Okafor',
    email: `${newId()}@purser.test`,
    password: 'Choose-me-1',
  });
  const idOf = async (email: string) =>
    (
      await opened.db
        .selectFrom('appUser')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).id;

  test('nobody signs in before; the link of the mail lets them in, twice is fine', async () => {
    const person = newcomer();
    expect(await signUp(confirming, call(), person)).toEqual({ status: 'confirm_email' });
    const id = await idOf(person.email);
    expect(await mailsTo(id)).toEqual(['confirm-email']);
    await expect(signIn(confirming, call(), person)).rejects.toEqual(
      refusal('email_not_confirmed'),
    );
    expect(await mailsTo(id)).toEqual(['confirm-email', 'confirm-email']);
    const wrong = { ...person, password: 'Wrong-purser-1' };
    await expect(signIn(confirming, call(), wrong)).rejects.toEqual(refusal('invalid_credentials'));

    const token = (await mailLinks(confirming).confirmationToken(person.email)) ?? '';
    for (const bad of ['made-up', `${token}x`, token.slice(0, -1)]) {
      await expect(confirmEmail(confirming, call(), bad)).rejects.toEqual(refusal('link_invalid'));
    }
    await confirmEmail(confirming, call(), token);
    await confirmEmail(confirming, call(), token);
    const { reply } = await signIn(confirming, call(), person);
    expect(reply).toMatchObject({ user: { email: person.email }, confirmsEmail: true });
    expect(await mailLinks(confirming).confirmationToken(person.email)).toBeNull();
  });

  test('a known address is answered like a new one, and its owner is notified', async () => {
    const person = await employee();
    const again = { ...newcomer(), email: person.email };
    expect(await signUp(confirming, call(), again)).toEqual({ status: 'confirm_email' });
    expect(await mailsTo(person.id)).toEqual(['account-exists']);
    const { reply } = await signIn(confirming, call(), { ...person, password: TEST_PASSWORD });
    expect(reply.user?.firstName).toBe('Test');
  });

  test('needs no other confirmation from a person who has had the reset mail', async () => {
    const person = newcomer();
    await signUp(confirming, call(), person);
    await resetPassword(confirming, call(), {
      token: await resetToken(person.email),
      password: NEW_PASSWORD,
    });
    const input = { email: person.email, password: NEW_PASSWORD };
    expect((await signIn(confirming, call(), input)).reply.user?.email).toBe(person.email);
  });
});

describe('the list of sessions', () => {
  test('shows them without tokens, ends one or all others, and spares the present one', async () => {
    const person = await employee();
    const { cookies } = await signIn(identity, call(), { ...person, password: TEST_PASSWORD });
    const cookie = cookieHeader(cookies);
    const others = [
      await signInCookie(identity, person.id),
      await signInCookie(identity, person.id),
      await signInCookie(identity, person.id),
    ];
    const currentHash = sessionHashOf(identity, new Headers({ cookie }));
    const list = async () =>
      (
        await listSessions(opened.db, {
          userId: person.id,
          role: 'employee',
          currentHash,
          now: new Date(),
        })
      ).items;
    const items = await list();
    expect(items).toHaveLength(4);
    expect(items.filter(({ isCurrent }) => isCurrent)).toMatchObject([{ ipAddress: '192.0.2.7' }]);
    expect(JSON.stringify(items)).not.toContain(currentHash);

    const revoke = (id: string, by = person.by) =>
      withTx(opened.db, (tx) => revokeSession(tx, by, { id, currentHash }));
    const current = items.find(({ isCurrent }) => isCurrent)?.id ?? '';
    const other = items.find(({ isCurrent }) => !isCurrent)?.id ?? '';
    const stranger = await employee();
    await expect(revoke(other, stranger.by)).rejects.toEqual(refusal('not_found'));
    await expect(revoke(newId())).rejects.toEqual(refusal('not_found'));
    await expect(revoke(current)).rejects.toEqual(refusal('last_session'));
    await revoke(other);
    await expect(revoke(other)).rejects.toEqual(refusal('not_found'));
    expect(await list()).toHaveLength(3);

    await withTx(opened.db, (tx) => revokeOtherSessions(tx, person.by, { currentHash }));
    expect(await list()).toMatchObject([{ id: current, isCurrent: true }]);
    for (const ended of others) {
      expect(await resolveSession(identity, new Headers({ cookie: ended }))).toBeNull();
    }
    expect(await resolveSession(identity, new Headers({ cookie }))).not.toBeNull();
  });
});
