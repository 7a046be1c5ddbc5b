import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createAdmin, createEmployee, signInCookie } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import type { Identity } from '../identity.ts';
import { readSessionEnd } from '../queries.ts';
import { resolveSession } from './resolve-session.ts';
import { sessionCookie, sessionHashOf } from './cookies.ts';
import { signOut } from './sign-out.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterAll(() => opened.close());

async function auditOf(personId: string): Promise<string[]> {
  const rows = await opened.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

describe('a session', () => {
  const cookieOf = ({ id }: { id: string }) => signInCookie(identity, id);
  const resolve = (cookie: string, more: Record<string, string> = {}, at?: Date) =>
    resolveSession(
      at === undefined ? identity : { ...identity, services: { clock: { now: () => at } } },
      new Headers({ cookie, ...more }),
    );
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  test('names the person, their role and name', async () => {
    const person = await createEmployee(opened.db, services, { firstName: 'Sam', lastName: 'Lee' });
    expect(await resolve(`theme=dark; ${await cookieOf(person)}`)).toMatchObject({
      actor: { id: person.id, role: 'employee', name: 'Sam Lee' },
    });
  });

  test('is nobody for a cookie that is not ours, altered, unsigned, or ended', async () => {
    const person = await createEmployee(opened.db, services);
    const cookie = await cookieOf(person);
    const [name = '', value = ''] = cookie.split('=');
    const token = decodeURIComponent(value).split('.')[0];
    const forgeries = [
      '',
      `${name}=`,
      `${name}=%E0%A4%A`,
      `${name}=${token}`,
      `${name}=${token}.`,
      `${name}=${token}.AAAA`,
      `${name}=x${value}`,
      `other=${value}`,
    ];
    for (const forged of forgeries) expect(await resolve(forged)).toBeNull();
    // Nor once the true one was seen, whose signature is not verified a second time.
    const itsOwner = { actor: { id: person.id } };
    expect(await resolve(cookie)).toMatchObject(itsOwner);
    expect(await resolve(cookie)).toMatchObject(itsOwner);
    for (const forged of forgeries) expect(await resolve(forged)).toBeNull();
    const { cookies } = await signOut(identity, {
      origin: { requestId: newId(), ipAddress: null, userAgent: null },
      headers: new Headers({ cookie }),
      actor: person,
    });
    expect(cookies[0]).toMatch(/^purser\.session_token=;.*Max-Age=0/);
    expect(await resolve(cookie)).toBeNull();
    expect(await auditOf(person.id)).toContain('session.ended');
  });

  test('goes on if Better Auth started it', async () => {
    const { id } = await createEmployee(opened.db, services);
    const secrets = ['a secret of today', 'the secret of yesterday, which is long enough'];
    // The migration has replaced the token by its hash.
    await sql`INSERT INTO auth_session (user_id, expires_at, token_hash)
      VALUES (${id}, now() + interval '1 day',
              encode(sha256('Kq3vX8bN1mZc5LtR7wYsE2yUaJ4dGfP9'), 'hex'))`.execute(opened.db);
    const cookie =
      'purser.session_token=Kq3vX8bN1mZc5LtR7wYsE2yUaJ4dGfP9.X1UgDS7hXOs9Qed8%2FhUyg9z0upB6GIM8eUSbAqrmyLw%3D';
    const headers = new Headers({ cookie });
    expect(await resolveSession({ ...identity, secrets }, headers)).toMatchObject({
      actor: { id },
    });
    expect(await resolveSession(identity, headers)).toBeNull();
  });

  test('is not opened by what the database holds of it', async () => {
    const { id } = await createEmployee(opened.db, services);
    const cookie = await signInCookie(identity, id);
    const { tokenHash } = await opened.db
      .selectFrom('authSession')
      .select('tokenHash')
      .where('userId', '=', id)
      .executeTakeFirstOrThrow();
    const [name = '', value = ''] = cookie.split('=');
    const signature = value.slice(value.indexOf('.'));
    for (const forged of [
      tokenHash,
      `${tokenHash}${signature}`,
      sessionCookie(identity, tokenHash),
    ]) {
      const sent = forged.startsWith(name) ? forged : `${name}=${forged}`;
      expect(await resolve(sent.split(';')[0] ?? '')).toBeNull();
    }
  });

  test('ends a week after sign-in', async () => {
    const cookie = await cookieOf(await createEmployee(opened.db, services));
    // In use all the time.
    const seenAt = (lastSeenAt: Date) =>
      opened.db.updateTable('authSession').set({ lastSeenAt }).execute();
    await seenAt(inMinutes(7 * 1_440 - 1));
    expect(await resolve(cookie, {}, inMinutes(7 * 1_440 - 1))).not.toBeNull();
    expect(await resolve(cookie, {}, inMinutes(7 * 1_440 + 1))).toBeNull();
  });

  test("ends when idle for the company's time, an admin's and an employee's", async () => {
    const admin = await createAdmin(opened.db, services);
    const cookie = await cookieOf(admin);
    const person = await createEmployee(opened.db, services);
    const employee = await cookieOf(person);
    expect(await resolve(cookie, {}, inMinutes(29))).not.toBeNull();
    expect(await resolve(cookie, {}, inMinutes(58))).not.toBeNull();
    expect(await resolve(cookie, {}, inMinutes(89))).toBeNull();
    expect(await resolve(cookie)).toBeNull();
    expect(await auditOf(admin.id)).toContain('session.timed_out');
    expect(await resolve(employee, {}, inMinutes(59))).not.toBeNull();
    expect(await resolve(employee, {}, inMinutes(118))).not.toBeNull();
    expect(await resolve(employee, {}, inMinutes(179))).toBeNull();
    expect(await resolve(employee)).toBeNull();
    expect(await auditOf(person.id)).toContain('session.timed_out');
  });

  test('is not kept alive by what a screen asks by itself', async () => {
    const cookie = await cookieOf(await createAdmin(opened.db, services));
    expect(await resolve(cookie, { 'purser-background': '1' }, inMinutes(29))).not.toBeNull();
    expect(await resolve(cookie, {}, inMinutes(31))).toBeNull();
  });

  test('says when it ends, and whether it can be extended', async () => {
    const person = await createEmployee(opened.db, services);
    const tokenHash = sessionHashOf(identity, new Headers({ cookie: await cookieOf(person) }));
    const row = await opened.db
      .selectFrom('authSession')
      .select('lastSeenAt')
      .where('userId', '=', person.id)
      .executeTakeFirstOrThrow();
    const endAfter = (minutes: number) =>
      readSessionEnd(opened.db, {
        tokenHash,
        role: 'employee',
        now: new Date(row.lastSeenAt.getTime() + minutes * 60_000),
      });
    expect(await endAfter(20)).toEqual({ endsInMs: 40 * 60_000, canBeExtended: true });
    expect(await endAfter(90)).toEqual({ endsInMs: 0, canBeExtended: true });
    // A week after signing in it ends, however busy.
    await opened.db
      .updateTable('authSession')
      .set({ expiresAt: new Date(row.lastSeenAt.getTime() + 30 * 60_000) })
      .where('userId', '=', person.id)
      .execute();
    expect(await endAfter(20)).toEqual({ endsInMs: 10 * 60_000, canBeExtended: false });
    await opened.db.deleteFrom('authSession').where('userId', '=', person.id).execute();
    await expect(endAfter(20)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('notes its use at most once a minute', async () => {
    const person = await createEmployee(opened.db, services);
    const cookie = await cookieOf(person);
    const lastSeen = async () => {
      const row = await opened.db
        .selectFrom('authSession')
        .select('lastSeenAt')
        .where('userId', '=', person.id)
        .executeTakeFirstOrThrow();
      return row.lastSeenAt.getTime();
    };
    const before = await lastSeen();
    await resolve(cookie, {}, new Date(before + 59_000));
    expect(await lastSeen()).toBe(before);
    await resolve(cookie, {}, new Date(before + 60_000));
    expect(await lastSeen()).toBe(before + 60_000);
  });

  test('holds for both of two that one person starts concurrently', async () => {
    const person = await createEmployee(opened.db, services);
    const [one, two] = await Promise.all([cookieOf(person), cookieOf(person)]);
    expect(await resolve(one)).not.toBeNull();
    expect(await resolve(two)).not.toBeNull();
    await withTx(opened.db, (tx) =>
      tx.deleteFrom('authSession').where('userId', '=', person.id).execute(),
    );
    expect(await resolve(one)).toBeNull();
  });
});
