import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteName } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { findProfile } from '#server/modules/kyc/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { watchChanges } from '#test/declared-changes.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let admin: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());
beforeEach(() => sql`DELETE FROM outbox`.execute(purser.db));

const ask = (method: string, path: string, body?: object) =>
  purser.ask(method, path, { cookie, ...(body && { body }) });
const published = () =>
  purser.db.selectFrom('outbox').select(['topic', 'userId']).where('kind', '=', 'event').execute();

describe('an operation', () => {
  const body = { list: 'adminListDeposits', name: 'Waiting', view: {} };

  test('publishes what it declares, to its actor and to administrators', async () => {
    expect((await ask('POST', '/api/admin/saved-views', body)).status).toBe(201);
    expect(await published()).toEqual([{ topic: 'saved-views', userId: admin.id }]);
  });

  test('publishes nothing where it is refused', async () => {
    expect((await ask('POST', '/api/admin/saved-views', body)).status).toBe(409);
    expect(await published()).toEqual([]);
  });
});

/** Each request is compared with its declaration, which `ask` of the test app does. */
describe('the declarations hold', () => {
  test('hold for a saved view that is renamed, deleted and restored', async () => {
    const body = { list: 'adminListBills', name: 'Paid', view: {} };
    const saved = await ask('POST', '/api/admin/saved-views', body);
    const { id } = (await saved.json()) as { id: string };
    const path = `/api/admin/saved-views/${id}`;
    expect((await ask('PUT', `${path}/name`, { name: 'Sent' })).status).toBe(200);
    expect((await ask('DELETE', path)).status).toBe(200);
    expect((await ask('POST', `${path}/restore`)).status).toBe(200);
  });

  test('hold for accounts that an employee and an admin open', async () => {
    const employee = await createEmployee(purser.db, purser.services);
    const own = { cookie: await purser.cookieOf(employee), body: { type: 'savings' } };
    expect((await purser.ask('POST', '/api/wallets', own)).status).toBe(201);
    const path = `/api/admin/employees/${employee.id}/wallets`;
    expect((await ask('POST', path, { type: 'retirement' })).status).toBe(201);
  });

  test('hold for a review, from its claim to a new application', async () => {
    const employee = await createEmployee(purser.db, purser.services);
    const { id, version } = await submittedApplication(purser.db, purser.services, employee.by);
    const [queue, application] = [
      `/api/admin/kyc/queue/${id}`,
      `/api/admin/kyc/applications/${id}`,
    ];
    expect((await ask('POST', `${queue}/claim`, { takeOver: false })).status).toBe(200);
    expect((await ask('POST', `${queue}/notes`, { text: 'Look at the back' })).ok).toBe(true);
    const moved = await ask('POST', `${application}/move-to-review`, { version });
    const review = (await moved.json()) as { application: { version: number } };
    const rejection = {
      version: review.application.version,
      reason: 'The photo is of another card',
    };
    expect((await ask('POST', `${application}/reject`, rejection)).status).toBe(200);
    expect((await ask('POST', `${queue}/release`)).status).toBe(200);
    const own = { cookie: await purser.cookieOf(employee) };
    expect((await purser.ask('POST', '/api/kyc/application/start-new', own)).status).toBe(201);
  });

  test('hold for wallet documents that are taken up and decided on', async () => {
    const employee = await createEmployee(purser.db, purser.services);
    const document = await giveDocument(purser.db, purser.services, employee.by, {
      type: 'government_id',
    });
    const profile = await findProfile(purser.db, employee.id);
    const claimed = await ask('POST', `/api/admin/kyc/queue/${profile?.id}/claim`, {
      takeOver: false,
    });
    expect(claimed.status).toBe(200);
    const path = `/api/admin/kyc/documents/${document.id}`;
    const approved = await ask('POST', `${path}/approve`, { version: document.version + 1 });
    expect(approved.status).toBe(200);
  });
});

/** Runs a command under the name of an operation, and returns the differences from its declaration. */
async function problemOf(name: RouteName, work: (tx: Tx) => unknown): Promise<string | null> {
  const run = async (tx: Tx) => void (await work(tx));
  const watched = watchChanges({ [name]: { kind: 'command', run } } as unknown as Handlers);
  const handler = watched.handlers[name] as unknown as { run: (tx: Tx) => Promise<void> };
  await withTx(purser.db, (tx) => handler.run(tx));
  try {
    watched.expectDeclared();
    return null;
  } catch (error) {
    return (error as Error).message.split('\n').slice(1).join('\n');
  }
}

describe('a declaration', () => {
  const markRead = (tx: Tx) => sql`UPDATE notification SET read_at = now()`.execute(tx);

  test('is held where the command writes what it names', async () => {
    expect(await problemOf('markAllNotificationsRead', markRead)).toBeNull();
  });

  test('fails by name if it forgets a topic', async () => {
    expect(await problemOf('renamePasskey', markRead)).toBe(
      'renamePasskey writes notification and declares none of notifications',
    );
    const announce = (tx: Tx) => publish(tx, { topic: 'people', userId: null });
    expect(await problemOf('renamePasskey', announce)).toBe(
      'renamePasskey publishes people of admins, which it does not declare',
    );
  });

  test('fails by name if it has a topic too many', async () => {
    expect(await problemOf('markAllNotificationsRead', () => undefined)).toBe(
      'markAllNotificationsRead declares notifications of owner, and writes no table that shows there',
    );
  });
});
