import { argon2Sync, randomBytes } from 'node:crypto';
import type { Department } from '#contract/company.ts';
import type { Role } from '#contract/identity.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { Actor, CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createEmployeeAccount } from '#server/modules/employees/index.ts';
import { createAccount, createInvite, grantAdmin } from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { recognizeBrowser } from '#server/modules/identity/sessions/known-places.ts';
import { startSession } from '#server/modules/identity/sessions/start-session.ts';
import type { Services } from '#server/services.ts';

/** The password of everyone the factories make. */
export const TEST_PASSWORD = 'Test-purser-2026';

/** Its hash at the least cost: a test that signs somebody in is about something else than the time it takes. */
export const TEST_PASSWORD_HASH = leastCostHash(TEST_PASSWORD);

function leastCostHash(password: string): string {
  const nonce = randomBytes(16);
  const hash = argon2Sync('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 8,
    passes: 1,
  });
  const written = [nonce, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${written.join('$')}`;
}

export interface TestPerson extends Actor {
  email: string;
  /** To act as them: `requestWithdrawal(tx, services, person.by, ...)`. */
  by: CommandContext;
}

export interface PersonOptions {
  email?: string;
  firstName?: string;
  lastName?: string;
  department?: Department;
  position?: string;
}

/** An employee with a number, an empty salary wallet and an application in progress. */
export async function createEmployee(
  db: Db,
  services: Services,
  options: PersonOptions = {},
): Promise<TestPerson> {
  const { firstName = 'Test', lastName = 'Person' } = options;
  const email = options.email ?? `${newId()}@purser.test`;
  const { id } = await withTx(db, (tx) =>
    createEmployeeAccount(
      tx,
      services,
      { actor: 'system' },
      { ...options, email, firstName, lastName, passwordHash: TEST_PASSWORD_HASH },
    ),
  );
  return asPerson({ id, role: 'employee', name: `${firstName} ${lastName}` }, email);
}

async function makeAdmin(tx: Tx, services: Services, actor: Actor): Promise<void> {
  const { token } = await createInvite(tx, services, { actor: 'system' });
  await grantAdmin(tx, services, { actor }, token);
}

/** An employee who became an admin and stays an employee. */
export async function createEmployeeAdmin(
  db: Db,
  services: Services,
  options: PersonOptions = {},
): Promise<TestPerson> {
  const person = await createEmployee(db, services, options);
  await withTx(db, (tx) => makeAdmin(tx, services, person.by.actor));
  const actor = { id: person.id, role: 'admin', name: person.name, isAlsoEmployee: true } as const;
  return asPerson(actor, person.email);
}

/** An admin who never was an employee, made as all admins are: by redeeming an invite. */
export async function createAdmin(
  db: Db,
  services: Services,
  options: PersonOptions = {},
): Promise<TestPerson> {
  const { firstName = 'Test', lastName = 'Person', department = 'general' } = options;
  const email = options.email ?? `${newId()}@purser.test`;
  const account = { ...options, email, firstName, lastName, department };
  const name = `${firstName} ${lastName}`;
  const id = await withTx(db, async (tx) => {
    const by = { actor: 'system' } as const;
    const made = await createAccount(tx, services, by, {
      ...account,
      passwordHash: TEST_PASSWORD_HASH,
    });
    await makeAdmin(tx, services, { id: made.id, role: 'employee', name });
    return made.id;
  });
  return asPerson({ id, role: 'admin', name }, email);
}

export interface CookieOptions {
  /** False: as whoever has the cookie alone. */
  isConfirmed?: boolean;
  /** Time until which the browser counts as new; null, as usual: it does not. */
  newUntil?: Date | null;
}

/** A new session of that person, as the value of a Cookie header: its cookie, then that of a browser of its own. */
export async function signInCookie(
  identity: Identity,
  userId: string,
  { isConfirmed = true, newUntil = null }: CookieOptions = {},
): Promise<string> {
  const origin = { requestId: newId(), ipAddress: null, userAgent: null };
  const { browser, cookies } = recognizeBrowser(identity, new Headers());
  const cookie = await withTx(identity.db, (tx) =>
    startSession(tx, identity, { userId, origin, browser, newUntil, isConfirmed }),
  );
  return cookieHeader([cookie, ...cookies]);
}

/** Cookie header of a browser after these Set-Cookie headers. */
export function cookieHeader(setCookies: readonly string[]): string {
  return setCookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Cookie header of a browser that had cookies already, after these Set-Cookie headers. */
export function cookieAfter(former: string, setCookies: readonly string[]): string {
  const pairs = [...former.split('; '), ...setCookies.map((cookie) => cookie.split(';')[0] ?? '')];
  return [...new Map(pairs.map((pair) => [pair.split('=')[0], pair])).values()].join('; ');
}

/** A person as a bare row: no sign-in, no wallet, no application. For tests of the lower modules. */
export async function createPerson(
  db: Db,
  person: {
    role?: Role;
    firstName?: string;
    lastName?: string;
    email?: string;
    createdAt?: Date;
  } = {},
): Promise<Actor> {
  const { role = 'employee', firstName = 'Test', lastName = 'Person', createdAt } = person;
  const id = newId();
  const email = person.email ?? `${id}@purser.test`;
  const name = `${firstName} ${lastName}`;
  await db
    .insertInto('appUser')
    .values({
      id,
      email,
      name,
      firstName,
      lastName,
      role,
      acceptedAt: new Date(),
      ...(createdAt && { createdAt }),
    })
    .execute();
  return { id, role, name };
}

/** As a request of theirs would act. */
export async function createPersonBy(
  db: Db,
  person: Parameters<typeof createPerson>[1] = {},
): Promise<CommandContext> {
  return { actor: await createPerson(db, person) };
}

function asPerson(actor: Actor, email: string): TestPerson {
  return { ...actor, email, by: { actor } };
}
