import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/lib/ids.ts';
import { appCode } from '#scripts/app-code.ts';
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
import { changePassword } from './new-password/change-password.ts';
import type { Call, Identity } from './identity.ts';
import { resolveSession } from './sessions/resolve-session.ts';
import { readSecretUse, rotateSecret } from './rotate-secret.ts';
import { decryptText, encryptText } from './secrets.ts';
import { signIn } from './sign-in/sign-in.ts';
import { setUpTwoFactor, turnOnTwoFactor } from './second-factor/two-factor.ts';
import { verifySecondFactor } from './sign-in/verify-second-factor.ts';

const services = createTestServices(new Date().toISOString());
const newSecret = () => randomBytes(32).toString('base64');
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterEach(() => expectSoundBooks(opened.db));
afterAll(() => opened.close());

const serverWith = (...secrets: readonly string[]) =>
  createTestIdentity(opened, services, { secrets });
const call = (cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers({ cookie }),
});

/** An employee with two-factor on, of a server with that one secret. */
async function personWithTwoFactor(server: Identity) {
  const person = await createEmployee(opened.db, services);
  const by = { ...call(await signInCookie(server, person.id)), actor: person.by.actor };
  const { reply } = await setUpTwoFactor(server, by, TEST_PASSWORD);
  const before = appCode(reply.key, new Date(Date.now() - 30_000));
  const { cookies } = await turnOnTwoFactor(server, by, before);
  const enterWith = async (at: Identity, code: string) => {
    const { cookies: challenge } = await signIn(at, call(), {
      email: person.email,
      password: TEST_PASSWORD,
    });
    return verifySecondFactor(at, call(cookieHeader(challenge)), code);
  };
  return { ...person, ...reply, cookie: cookieHeader(cookies), enterWith };
}

const isAlive = async (server: Identity, cookie: string) =>
  (await resolveSession(server, new Headers({ cookie }))) !== null;

test('a former secret keeps sessions, what is done in them, apps and recovery codes', async () => {
  const [old, next] = [newSecret(), newSecret()];
  const before = serverWith(old);
  const person = await personWithTwoFactor(before);
  const plain = await createEmployee(opened.db, services);
  const cookie = await signInCookie(before, plain.id);

  const after = serverWith(next, old);
  expect(await isAlive(after, person.cookie)).toBe(true);
  expect(await isAlive(serverWith(next), person.cookie)).toBe(false);
  await person.enterWith(after, appCode(person.key));
  const [code = ''] = person.recoveryCodes;
  await person.enterWith(after, code);
  await expect(person.enterWith(after, code)).rejects.toMatchObject({ code: 'code_invalid' });
  // Its cookie was signed by the former secret.
  const changed = await changePassword(
    after,
    { ...call(cookie), actor: plain.by.actor },
    { currentPassword: TEST_PASSWORD, newPassword: 'Another-one-2' },
  );
  expect(await isAlive(serverWith(next), cookieHeader(changed.cookies))).toBe(true);
});

test('a sign-in that waits for its code goes on under the next secret', async () => {
  const [old, next] = [newSecret(), newSecret()];
  const before = serverWith(old);
  const person = await personWithTwoFactor(before);
  const { cookies } = await signIn(before, call(), {
    email: person.email,
    password: TEST_PASSWORD,
  });
  const after = serverWith(next, old);
  const { reply } = await verifySecondFactor(
    after,
    call(cookieHeader(cookies)),
    appCode(person.key),
  );
  expect(reply.user?.id).toBe(person.id);
});

test('a server that is not restarted yet knows what the new secret signs, once it is listed', async () => {
  const [old, next] = [newSecret(), newSecret()];
  const waiting = serverWith(old, next);
  const restarted = serverWith(next, old);
  const person = await personWithTwoFactor(restarted);
  expect(await isAlive(waiting, person.cookie)).toBe(true);
  await person.enterWith(waiting, appCode(person.key));
});

test('apps are moved to the new secret, which then is enough; recovery codes are not', async () => {
  const [old, next] = [newSecret(), newSecret()];
  const person = await personWithTwoFactor(serverWith(old));
  const both = [next, old];
  const used = await readSecretUse(opened.db, both);
  expect(used).toMatchObject({ formerApps: expect.toSatisfy((count: number) => count >= 1) });
  expect(await rotateSecret(opened.db, both)).toBeGreaterThanOrEqual(1);
  expect(await rotateSecret(opened.db, both)).toBe(0);
  expect(await readSecretUse(opened.db, both)).toMatchObject({ formerApps: 0 });

  const alone = serverWith(next);
  await person.enterWith(alone, appCode(person.key));
  const [code = ''] = person.recoveryCodes;
  await expect(person.enterWith(alone, code)).rejects.toMatchObject({ code: 'code_invalid' });
  await person.enterWith(serverWith(next, old), code);
});

test('text that Better Auth encrypted is read, with the version of its secret and without', () => {
  const secret = 'the secret of yesterday, which is long enough';
  const versioned =
    '$ba$2952809047$c1d479d958313643f3a442ab127a966d183559f8f93f3c7626ecf121d2aaca9ecb5bbf8c970fb788a27ad7621c07d12b474fb60c9f505008d2a51bf83a6d502387eddcccd18a16f9';
  const bare =
    '4f792c53d9bb19d17f60194ead4d344bed977b22a146dfe1fe0b296c984f2ab3ee475a1489dd92bbfe0330520930c58f2c39effe8a7c794bc5beba49f43de939bc1aed08d30236cc';
  for (const text of [versioned, bare]) {
    for (const secrets of [[secret], [newSecret(), secret]]) {
      expect(decryptText(secrets, text)).toBe('Zr4hK9wQ2mXc7LtB5nVsE8yUaJ1dGfP0');
    }
    expect(decryptText([newSecret()], text)).toBeNull();
    const last = text.endsWith('9') ? '8' : '9';
    expect(decryptText([secret], `${text.slice(0, -1)}${last}`)).toBeNull();
  }
});

test('the same text is never encrypted the same', () => {
  const secrets = [newSecret()];
  const [one, two] = [encryptText(secrets, 'text'), encryptText(secrets, 'text')];
  expect(one).not.toBe(two);
  expect([decryptText(secrets, one), decryptText(secrets, two)]).toEqual(['text', 'text']);
});
