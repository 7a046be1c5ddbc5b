import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { gatherForDigest, makeDigests, readDigest } from './digests.ts';
import { changeEmailPreferences } from './email-preferences.ts';

const services = createTestServices();
const { clock } = services;
/** The company's morning is 07:00, five hours behind UTC in December. */
const timeZone = 'America/New_York';
const make = () => makeDigests(opened.db, { clock, timeZone });

let opened: TestDb;
let maya: CommandContext;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());
beforeEach(async () => {
  maya = await createPersonBy(opened.db);
  await choose(maya, { emailFrequency: 'daily' });
});
afterEach(async () => {
  await sql`DELETE FROM email_digest_item`.execute(opened.db);
  await sql`DELETE FROM email_digest`.execute(opened.db);
  await sql`DELETE FROM outbox`.execute(opened.db);
});

function choose(by: CommandContext, change: RouteArguments<'changeEmailPreferences'>['body']) {
  return withTx(opened.db, (tx) => changeEmailPreferences(tx, services, by, change));
}

/** Creates a notification that waits for a digest since that moment. */
async function waiting({ actor }: CommandContext, title: string, at: string): Promise<string> {
  const notificationId = newId();
  await opened.db
    .insertInto('notification')
    .values({
      id: notificationId,
      userId: actor.id,
      kind: 'welcome',
      type: 'profile',
      title,
      message: title,
      createdAt: new Date(at),
    })
    .execute();
  await gatherForDigest(opened.db, { notificationId, userId: actor.id, at: new Date(at) });
  return notificationId;
}

/** Digests queued for a person, each with its notices. */
async function mailed({ actor }: CommandContext): Promise<string[][]> {
  const rows = await opened.db
    .selectFrom('outbox')
    .select(sql<string>`payload ->> 'digestId'`.as('digestId'))
    .where('kind', '=', 'mail')
    .where('topic', '=', 'digest')
    .where('userId', '=', actor.id)
    .orderBy('id')
    .execute();
  const digests = await Promise.all(rows.map(({ digestId }) => readDigest(opened.db, digestId)));
  return digests.map((notices) => notices.map(({ title }) => title));
}

describe('a daily digest', () => {
  test('is sent in the company’s morning, once, with all that waited until then', async () => {
    await waiting(maya, 'evening', '2026-12-07T22:00:00Z');
    await waiting(maya, 'night', '2026-12-08T11:59:59Z');
    clock.set('2026-12-08T11:59:59Z');
    expect(await make()).toBe(0);
    await waiting(maya, 'breakfast', '2026-12-08T12:00:00Z');
    clock.set('2026-12-08T12:00:00Z');
    expect(await make()).toBe(1);
    clock.set('2026-12-08T18:00:00Z');
    expect(await make()).toBe(0);
    expect(await mailed(maya)).toEqual([['evening', 'night']]);

    clock.set('2026-12-09T12:05:00Z');
    expect(await make()).toBe(1);
    expect(await mailed(maya)).toEqual([['evening', 'night'], ['breakfast']]);
  });

  test("follows the company's clock when it changes", async () => {
    // On the Sunday of the change: from then on 07:00 is four hours behind UTC.
    await waiting(maya, 'spring', '2027-03-13T20:00:00Z');
    clock.set('2027-03-14T10:59:59Z');
    expect(await make()).toBe(0);
    clock.set('2027-03-14T11:00:00Z');
    expect(await make()).toBe(1);
  });

  test('is made later by a server that was down at that hour', async () => {
    await waiting(maya, 'evening', '2026-12-07T22:00:00Z');
    await waiting(maya, 'noon', '2026-12-08T17:00:00Z');
    clock.set('2026-12-08T20:00:00Z');
    expect(await make()).toBe(1);
    expect(await mailed(maya)).toEqual([['evening']]);
  });

  test('combines the days that a server was down, and is not sent at night', async () => {
    await waiting(maya, 'Monday', '2026-12-07T22:00:00Z');
    await waiting(maya, 'Tuesday', '2026-12-08T22:00:00Z');
    clock.set('2026-12-09T06:00:00Z');
    expect(await make()).toBe(0);
    clock.set('2026-12-09T12:00:00Z');
    expect(await make()).toBe(1);
    expect(await mailed(maya)).toEqual([['Monday', 'Tuesday']]);
  });

  test('leaves out notifications that the person has deleted', async () => {
    const id = await waiting(maya, 'deleted', '2026-12-07T22:00:00Z');
    await waiting(maya, 'kept', '2026-12-07T22:00:00Z');
    await opened.db
      .updateTable('notification')
      .set({ deletedAt: clock.now() })
      .where('id', '=', id)
      .execute();
    clock.set('2026-12-08T12:00:00Z');
    await make();
    expect(await mailed(maya)).toEqual([['kept']]);
  });
});

describe('a weekly summary', () => {
  beforeEach(async () => void (await choose(maya, { emailFrequency: 'weekly' })));

  test("is sent on Monday morning, with the week's notifications", async () => {
    await waiting(maya, 'Tuesday', '2026-12-01T15:00:00Z');
    await waiting(maya, 'Sunday', '2026-12-06T15:00:00Z');
    for (const day of ['02', '05', '06']) {
      clock.set(`2026-12-${day}T15:00:00Z`);
      expect(await make(), day).toBe(0);
    }
    clock.set('2026-12-07T12:00:00Z');
    expect(await make()).toBe(1);
    await waiting(maya, 'Monday', '2026-12-07T15:00:00Z');
    clock.set('2026-12-13T23:00:00Z');
    expect(await make()).toBe(0);
    expect(await mailed(maya)).toEqual([['Tuesday', 'Sunday']]);
  });

  test('is sent on Tuesday when the server was down on Monday', async () => {
    await waiting(maya, 'Friday', '2026-12-04T15:00:00Z');
    clock.set('2026-12-08T09:00:00Z');
    expect(await make()).toBe(0);
    clock.set('2026-12-08T12:00:00Z');
    expect(await make()).toBe(1);
    clock.set('2026-12-09T12:00:00Z');
    expect(await make()).toBe(0);
  });
});

test('a person who switches back to immediate mail gets the waiting notifications as a last digest', async () => {
  await waiting(maya, 'waited', '2026-12-07T22:00:00Z');
  await choose(maya, { emailFrequency: 'immediate' });
  clock.set('2026-12-08T12:00:00Z');
  expect(await make()).toBe(1);
  expect(await mailed(maya)).toEqual([['waited']]);
});

test('a notification that a retried job gathers again is in no second digest', async () => {
  const notificationId = await waiting(maya, 'once', '2026-12-07T22:00:00Z');
  clock.set('2026-12-08T12:00:00Z');
  await make();
  const again = { notificationId, userId: maya.actor.id, at: clock.now() };
  await gatherForDigest(opened.db, again);
  clock.set('2026-12-09T12:00:00Z');
  expect(await make()).toBe(0);
});

test('two concurrent processes make each digest once', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => createPersonBy(opened.db)));
  for (const person of people) {
    await choose(person, { emailFrequency: 'daily' });
    await waiting(person, 'once', '2026-12-07T22:00:00Z');
  }
  clock.set('2026-12-08T12:00:00Z');
  const made = await Promise.all([make(), make(), make()]);
  expect(made.reduce((sum, count) => sum + count)).toBe(people.length);
  for (const person of people) expect(await mailed(person)).toEqual([['once']]);
});

test.each(['email_digest', 'email_digest_item', 'outbox'])(
  'killed before it writes %s, it leaves nothing behind, and the next one makes the digest',
  async (table) => {
    await waiting(maya, 'safe', '2026-12-07T22:00:00Z');
    clock.set('2026-12-08T12:00:00Z');
    const owner = new Client({ connectionString: opened.ownerUrl });
    await owner.connect();
    try {
      // Reads continue; the next write to the table waits, and its connection is killed there.
      await owner.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      const dying = make();
      const outcome = dying.then(
        () => 'made',
        () => 'died',
      );
      await until(async () => {
        const { rowCount } = await opened.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE relation = '${table}'::regclass AND NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rowCount === 1;
      });
      expect(await outcome).toBe('died');
      await owner.query('ROLLBACK');
    } finally {
      await owner.end();
    }
    const left = await opened.db.selectFrom('emailDigest').selectAll().execute();
    expect(left).toEqual([]);
    expect(await mailed(maya)).toEqual([]);
    expect(await make()).toBe(1);
    expect(await mailed(maya)).toEqual([['safe']]);
  },
);
