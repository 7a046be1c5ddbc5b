import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import {
  cookieHeader,
  createEmployee,
  createPerson,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import type { Call, Identity } from '../identity.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { signIn } from './sign-in.ts';
import { signUp } from '../sign-up/sign-up.ts';

/** Counts how often a password is hashed, by Node's own account of what it starts. */
let hashes = 0;
const counter = createHook({
  init: (_id, type) => {
    if (type === 'ARGON2REQUEST') hashes += 1;
  },
});

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterAll(() => opened.close());

const call = (cookie?: string, ipAddress = '192.0.2.7'): Call => ({
  origin: { requestId: newId(), ipAddress, userAgent: 'Test browser' },
  headers: new Headers(cookie === undefined ? {} : { cookie }),
});

const newcomer = () => ({
  firstName: 'Maya',
  lastName: 'Okafor',
  email: `${newId()}@purser.test`,
  password: 'Choose-me-1',
});

const refusal = (code: string) => expect.objectContaining({ code });

async function auditOf(personId: string): Promise<string[]> {
  const rows = await opened.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

describe('sign-up', () => {
  test('makes an employee with a number, a salary wallet and an application', async () => {
    const person = newcomer();
    // Before there is an admin, nobody gets a wallet (ensureEmployee).
    await createPerson(opened.db, { role: 'admin' });
    expect(await signUp(identity, call(), person)).toEqual({ status: 'created' });
    const { reply } = await signIn(identity, call(), person);
    expect(reply).toMatchObject({
      user: {
        firstName: 'Maya',
        lastName: 'Okafor',
        email: person.email,
        role: 'employee',
        department: 'general',
        position: 'Employee',
        employeeId: expect.stringMatching(/^EMP-\d{4}$/),
      },
      kycStatus: 'in_progress',
      confirmsEmail: false,
    });
    const userId = reply.user?.id ?? '';
    const wallets = await opened.db
      .selectFrom('wallet')
      .select('type')
      .where('userId', '=', userId)
      .execute();
    expect(wallets).toEqual([{ type: 'salary' }]);
    expect(await auditOf(userId)).toEqual(
      expect.arrayContaining(['user.signed_up', 'session.started']),
    );
    const { password } = await opened.db
      .selectFrom('authAccount')
      .select('password')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('with a role in it makes an employee all the same', async () => {
    const person = newcomer();
    const hostile = { role: 'admin', employeeNumber: 'EMP-0001', emailVerified: true };
    await signUp(identity, call(), Object.assign(person, hostile));
    const row = await opened.db
      .selectFrom('appUser')
      .select(['role', 'emailVerified', 'employeeNumber'])
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ role: 'employee', emailVerified: false });
    expect(row.employeeNumber).not.toBe('EMP-0001');
  });

  test('refuses an address that has an account, in any case, also of two concurrent ones', async () => {
    const person = newcomer();
    const results = await Promise.allSettled([
      signUp(identity, call(), person),
      signUp(identity, call(), person),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'account_exists' },
    });
    const shouted = { ...person, email: person.email.toUpperCase() };
    await expect(signUp(identity, call(), shouted)).rejects.toEqual(refusal('account_exists'));
  });

  test('names the field of a password that is easy to guess, also for a known address', async () => {
    const known = await createEmployee(opened.db, services);
    for (const email of [known.email, newcomer().email]) {
      for (const password of ['Letmein-2026', 'Okafor-rules-7']) {
        await expect(
          signUp(identity, call(), { ...newcomer(), email, password }),
        ).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'password' }] });
      }
    }
  });

  test('names the field of an address that only looks like one', async () => {
    const person = { ...newcomer(), email: 'a@b..cd' };
    await expect(signUp(identity, call(), person)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'email' }],
    });
  });
});

describe('sign-in', () => {
  test('answers with a cookie that scripts cannot read, and with no token', async () => {
    const person = await createEmployee(opened.db, services);
    const { reply, cookies } = await signIn(identity, call(), {
      ...person,
      password: TEST_PASSWORD,
    });
    const [cookie = ''] = cookies;
    expect(cookies.map((each) => each.split('=')[0])).toEqual([
      'purser.session_token',
      'purser.browser',
    ]);
    expect(cookie).toMatch(/^purser\.session_token=/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain('Path=/');
    expect(cookie).not.toContain('Secure');
    const [token = ''] = decodeURIComponent(cookie.split(/[=;]/)[1] ?? '').split('.');
    expect(token).toHaveLength(43);
    expect(JSON.stringify(reply)).not.toContain(token);
    const row = await opened.db
      .selectFrom('authSession')
      .selectAll()
      .where('userId', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('has a cookie of this host alone where Purser is reached by https', async () => {
    const secure = createTestIdentity(opened, services, { url: 'https://pay.example.com' });
    const person = await createEmployee(opened.db, services);
    const { cookies } = await signIn(secure, call(), { ...person, password: TEST_PASSWORD });
    expect(cookies[0]).toMatch(
      /^__Host-purser\.session_token=[^;]+;.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(cookies[0]).not.toContain('Domain');
    const resolved = await resolveSession(secure, new Headers({ cookie: cookieHeader(cookies) }));
    expect(resolved?.actor.id).toBe(person.id);
  });

  test('refuses a wrong password and an unknown address alike, and hashes for both', async () => {
    const person = await createEmployee(opened.db, services);
    const invited = await createEmployee(opened.db, services);
    await opened.db.deleteFrom('authAccount').where('userId', '=', invited.id).execute();
    for (const email of [person.email, invited.email, `${newId()}@purser.test`]) {
      hashes = 0;
      counter.enable();
      await expect(signIn(identity, call(), { email, password: 'Wrong-purser-1' })).rejects.toEqual(
        refusal('invalid_credentials'),
      );
      counter.disable();
      expect(hashes).toBe(1);
    }
    expect(await auditOf(person.id)).toContain('session.refused');
  });

  test('always starts a new session and ends the one the browser came with', async () => {
    const person = await createEmployee(opened.db, services);
    const credentials = { email: person.email, password: TEST_PASSWORD };
    const first = cookieHeader((await signIn(identity, call(), credentials)).cookies);
    const second = cookieHeader((await signIn(identity, call(first), credentials)).cookies);
    expect(second).not.toBe(first);
    expect(await resolveSession(identity, new Headers({ cookie: first }))).toBeNull();
    expect(await resolveSession(identity, new Headers({ cookie: second }))).not.toBeNull();
  });

  test('says so to a deactivated person, but only with the right password', async () => {
    const person = await createEmployee(opened.db, services);
    const { cookies } = await signIn(identity, call(), { ...person, password: TEST_PASSWORD });
    await opened.db
      .updateTable('appUser')
      .set({ deactivatedAt: new Date() })
      .where('id', '=', person.id)
      .execute();
    await expect(signIn(identity, call(), { ...person, password: TEST_PASSWORD })).rejects.toEqual(
      refusal('account_deactivated'),
    );
    await expect(
      signIn(identity, call(), { ...person, password: 'Wrong-purser-1' }),
    ).rejects.toEqual(refusal('invalid_credentials'));
    const headers = new Headers({ cookie: cookieHeader(cookies) });
    expect(await resolveSession(identity, headers)).toBeNull();
  });

  test('completes what a sign-up that was cut off left out', async () => {
    const person = newcomer();
    const cutOff = { ...identity, completePerson: () => Promise.reject(new Error('killed')) };
    await expect(signUp(cutOff, call(), person)).rejects.toThrow('killed');
    const { reply } = await signIn(identity, call(), person);
    expect(reply).toMatchObject({
      user: { employeeId: expect.stringMatching(/^EMP-/) },
      kycStatus: 'in_progress',
    });
  });
});

describe('attempts', () => {
  test('too many on one account are refused with the time to wait, until it was the right one', async () => {
    const limited = createTestIdentity(opened, services, {
      limits: { signInToAccount: { attempts: 3, perS: 60 } },
    });
    const person = await createEmployee(opened.db, services);
    const wrong = { email: person.email, password: 'Wrong-purser-1' };
    const right = { email: person.email, password: TEST_PASSWORD };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(signIn(limited, call(), wrong)).rejects.toEqual(refusal('invalid_credentials'));
    }
    await signIn(limited, call(), right);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(signIn(limited, call(), wrong)).rejects.toEqual(refusal('invalid_credentials'));
    }
    await expect(signIn(limited, call(), right)).rejects.toMatchObject({
      code: 'too_many_requests',
      details: { retryAfterS: expect.toSatisfy((s: number) => s > 0 && s <= 60) },
    });
  });

  test('by a stranger do not keep the person out, who is on another network', async () => {
    const limited = createTestIdentity(opened, services, {
      limits: { signInToAccount: { attempts: 3, perS: 60 } },
    });
    const { email } = await createEmployee(opened.db, services);
    const stranger = call(undefined, '198.51.100.9');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(
        signIn(limited, stranger, { email, password: `Wrong-${attempt}` }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/invalid_cred|too_many/) });
    }
    await signIn(limited, call(), { email, password: TEST_PASSWORD });
  });

  test('from many networks on one account meet a limit of their own', async () => {
    const limited = createTestIdentity(opened, services, {
      limits: { signInToAccountAnywhere: { attempts: 2, perS: 60 } },
    });
    const { email } = await createEmployee(opened.db, services);
    const from = (host: number) =>
      signIn(limited, call(undefined, `203.0.113.${host}`), { email, password: 'Wrong-purser-1' });
    await expect(from(1)).rejects.toEqual(refusal('invalid_credentials'));
    await expect(from(2)).rejects.toEqual(refusal('invalid_credentials'));
    await expect(from(3)).rejects.toEqual(refusal('too_many_requests'));
  });

  test('with one password on many accounts meet a limit of their own', async () => {
    const limited = createTestIdentity(opened, services, {
      limits: { wrongPasswordFromAddress: { attempts: 2, perS: 60 } },
    });
    const spray = async () => {
      const { email } = await createEmployee(opened.db, services);
      const password = 'Spring-2026';
      return signIn(limited, call(undefined, '203.0.113.77'), { email, password });
    };
    await expect(spray()).rejects.toEqual(refusal('invalid_credentials'));
    await expect(spray()).rejects.toEqual(refusal('invalid_credentials'));
    await expect(spray()).rejects.toEqual(refusal('too_many_requests'));
  });

  test('from one address are counted across processes, an IPv6 /64 being one address', async () => {
    const limits = { signUpFromAddress: { attempts: 2, perS: 60 } };
    const [one, two] = [0, 1].map(() => createTestIdentity(opened, services, { limits }));
    if (one === undefined || two === undefined) throw new Error('two were made');
    await signUp(one, call(undefined, '2001:db8:0:1::5'), newcomer());
    await signUp(two, call(undefined, '2001:db8::1:9:8:7:6'), newcomer());
    await expect(signUp(one, call(undefined, '2001:0db8:0:1:ffff::'), newcomer())).rejects.toEqual(
      refusal('too_many_requests'),
    );
    await signUp(one, call(undefined, '2001:db8:0:2::5'), newcomer());
    await signUp(two, call(undefined, '192.0.2.200'), newcomer());
  });
});
