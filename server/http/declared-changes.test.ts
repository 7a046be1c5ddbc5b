import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteName } from '#contract/paths.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { watchChanges } from '#test/declared-changes.ts';
import { createAdmin } from '#test/factories/people.ts';
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

  test('that forgets a topic is named', async () => {
    expect(await problemOf('renamePasskey', markRead)).toBe(
      'renamePasskey writes notification and declares none of notifications',
    );
    const announce = (tx: Tx) => publish(tx, { topic: 'people', userId: null });
    expect(await problemOf('renamePasskey', announce)).toBe(
      'renamePasskey publishes people of admins, which it does not declare',
    );
  });

  test('that names a topic too many is named', async () => {
    expect(await problemOf('markAllNotificationsRead', () => undefined)).toBe(
      'markAllNotificationsRead declares notifications of owner, and writes no table that shows there',
    );
  });
});
