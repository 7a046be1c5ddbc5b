import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { newId } from '#server/lib/ids.ts';
import { confirmEmailChange } from '#server/modules/identity/email-change/confirm-email-change.ts';
import { requestEmailChange } from '#server/modules/identity/email-change/request-email-change.ts';
import type { Call, Identity } from '#server/modules/identity/identity.ts';
import { mailLinks } from '#server/modules/identity/mail-links.ts';
import { getMySecurity } from '#server/modules/identity/second-factor/my-security.ts';
import { resolveSession } from '#server/modules/identity/sessions/resolve-session.ts';
import { signIn } from '#server/modules/identity/sign-in/sign-in.ts';
import { createTestIdentity } from './factories/identity.ts';
import { createEmployee, signInCookie, TEST_PASSWORD } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';
import { expectSoundBooks } from './sound-books.ts';

export const call = (cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers({ cookie }),
});
export const refusal = (code: string): unknown => expect.objectContaining({ code });
export const newAddress = (): string => `${newId()}@purser.test`;

/**
 * People who change their addresses, for the tests of one file. After each test the books are sound.
 *
 * @param onOpen given the database and the accounts in it, before the first test
 */
export function emailChangeFixture(
  onOpen: (company: { opened: TestDb; identity: Identity }) => void,
) {
  const services = createTestServices(new Date().toISOString());
  let opened: TestDb;
  let identity: Identity;
  beforeAll(async () => {
    opened = await openTestDb();
    identity = createTestIdentity(opened, services, { confirmsEmail: true });
    onOpen({ opened, identity });
  });
  afterEach(() => expectSoundBooks(opened.db));
  afterAll(() => opened.close());

  /** An employee at two places, and what changing the address does. */
  async function employee() {
    const person = await createEmployee(opened.db, services);
    const here = await signInCookie(identity, person.id);
    const elsewhere = await signInCookie(identity, person.id);
    const request = (email: string) => requestEmailChange(identity, person.by, email);
    const mails = async () => {
      const rows = await opened.db
        .selectFrom('outbox')
        .select(['topic', 'payload'])
        .where('kind', '=', 'mail')
        .where('userId', '=', person.id)
        .orderBy('id')
        .execute();
      return rows.map(({ topic, payload }) => ({ topic, ids: payload as Record<string, string> }));
    };
    const changeId = async () =>
      (await mails()).findLast(({ topic }) => topic === 'confirm-new-email')?.ids[
        'emailChangeId'
      ] ?? '';
    const changeToken = async () => (await mailLinks(identity).changeToken(await changeId())) ?? '';
    const reportToken = async () => (await mailLinks(identity).reportToken(await changeId())) ?? '';
    const confirm = (token: string, cookie = '') =>
      confirmEmailChange(identity, call(cookie), token);
    const row = () =>
      opened.db
        .selectFrom('appUser')
        .select(['email', 'emailVerified', 'passwordResetAt', 'payoutsFrozenAt'])
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow();
    const entersWith = (email: string, password = TEST_PASSWORD) =>
      signIn(identity, call(), { email, password }).then(
        () => true,
        () => false,
      );
    const security = () =>
      getMySecurity(opened.db, { userId: person.id, now: services.clock.now() });
    return {
      ...person,
      here,
      elsewhere,
      request,
      mails,
      changeToken,
      reportToken,
      confirm,
      row,
      entersWith,
      security,
    };
  }
  const isAlive = async (cookie: string) =>
    (await resolveSession(identity, new Headers({ cookie }))) !== null;
  return { services, employee, isAlive };
}
