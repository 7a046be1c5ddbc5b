import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { POSITION_COOKIE } from '#contract/identity.ts';
import type { RouteName } from '#contract/api.ts';
import { DatabaseUnavailableError } from '#server/db/connection-watch.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { createDb } from '#server/db/pool.ts';
import { openReplica } from '#server/db/replica.ts';
import type { ReadOutcome } from '#server/db/replica.ts';
import { withTx } from '#server/db/tx.ts';
import { relayBatch } from '#server/events/relay.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import { mountTestApp } from '#test/app.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import type { TestDb } from '#test/open-db.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';
import type { OwnReplica } from '#test/own-replica.ts';
import { openReplicatedCompany } from '#test/replicated-company.ts';
import type { ReplicaServer, ReplicatedCompany } from '#test/replicated-company.ts';
import { until } from '#test/until.ts';

let company: ReplicatedCompany;
let own: OwnReplica;
let database: TestDb;
let first: ReplicaServer;
let second: ReplicaServer;

beforeAll(async () => {
  company = await openReplicatedCompany();
  ({ own, database, first, second } = company);
});
afterAll(() => company?.close());
beforeEach(async () => {
  await until(company.isSound);
  for (const server of [first, second]) server.outcomes();
});

/** Checkouts of a pool while something is done. */
async function checkouts(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = () => (count += 1);
  pool.on('acquire', add);
  await work();
  pool.off('acquire', add);
  return count;
}

describe('a read that may be late', () => {
  const ID: Partial<Record<RouteName, string>> = {
    getHistoryEvent: `${randomUUID()}.salary`,
    listQuestions: `${randomUUID()}.salary`,
    adminGetAuditEvent: '1',
    getAccountDocument: 'statement.salary.2025-01',
    downloadAccountDocument: 'statement.salary.2025-01',
    downloadDocumentArchive: '2025',
  };
  const QUERY: Partial<Record<RouteName, string>> = { getAccountSpan: '?account=salary' };
  const late = OPERATIONS.filter(({ spec }) => spec.mayBeLate);

  test.each(late)(
    '$name is answered by the replica, after the primary knew who asks',
    async ({ name, path, spec }) => {
      const { cookie } = spec.access === 'admin' ? company.admin : company.payee;
      const address = pathWith(path, ID[name]) + (QUERY[name] ?? '');
      const response = await first.ask('GET', address, { cookie });
      await response.arrayBuffer();
      expect([200, 404]).toContain(response.status);
      // A thing that is not there is looked for once more, on the primary.
      expect([name, ...first.outcomes()]).toEqual([name, 'replica']);
    },
  );

  test('takes one connection of the primary, for the session, and none for the rest', async () => {
    // It compares the positions once, at its start.
    const quiet = await company.openServer({ compareEveryMs: 60_000 });
    await until(async () => (await quiet.replica.check()) === true);
    const counts: number[] = [];
    const ofReplica = () =>
      checkouts(quiet.replica.pool, async () => void (await company.countWithdrawals(quiet)));
    counts.push(await checkouts(company.requests, async () => void counts.push(await ofReplica())));
    const [replica = 0, primary] = counts;
    expect([primary, quiet.outcomes()]).toEqual([1, ['replica']]);
    expect(replica).toBeGreaterThan(0);
    await Promise.all([quiet.replica.end(), quiet.live.stop()]);
  });

  test('with an API key is answered by the primary: it keeps no cookie, and follows webhooks', async () => {
    const created = await first.ask('POST', '/api/admin/api-keys', {
      cookie: company.admin.cookie,
      body: {
        name: 'Reports',
        scopes: ['transactions:read'],
        days: 30,
        dailyLimit: { minor: '100', currency: 'USD' },
      },
    });
    const { key } = (await created.json()) as { key: string };
    const reply = await first.ask('GET', '/api/admin/transactions', {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(reply.status).toBe(200);
    expect(first.outcomes()).toEqual([]);
  });
});

test('every other read is answered by the primary alone', async () => {
  const others = OPERATIONS.filter(({ method, spec }) => method === 'GET' && !spec.mayBeLate);
  for (const { path, spec } of others) {
    const { cookie } = spec.access === 'admin' ? company.admin : company.payee;
    await (await first.ask('GET', pathWith(path), { cookie })).arrayBuffer();
  }
  expect(first.outcomes()).toEqual([]);
});

describe('an own change', () => {
  test('is in the next read of any process, however late the replica is', async () => {
    const before = await company.countWithdrawals(first);
    await company.whilePaused(async () => {
      const cookie = await company.withdraw(first);
      expect(await company.countWithdrawals(first, cookie)).toBe(before + 1);
      expect(await company.countWithdrawals(second, cookie)).toBe(before + 1);
      expect([first.outcomes().at(-1), second.outcomes()]).toEqual(['behind', ['behind']]);
      // Whoever does not know of it may read what was there some moments before.
      expect(await company.countWithdrawals(second)).toBe(before);
      expect(second.outcomes()).toEqual(['replica']);
    });
  });

  test('is read from the replica again once the replica has it', async () => {
    const cookie = await company.withdraw(first);
    const count = await company.countWithdrawals(second, cookie);
    await until(async () => {
      expect(await company.countWithdrawals(second, cookie)).toBe(count);
      return second.outcomes().at(-1) === 'replica';
    });
  });

  test('whose position cannot be asked for sends the next reads to the primary', async () => {
    const broken = { ...first.replica, position: () => Promise.reject(new Error('away')) };
    const app = await mountTestApp(database, { replica: broken });
    const cookie = await company.withdraw({ ...app, replica: broken, outcomes: () => [] });
    await app.live.stop();
    expect(cookie).toContain(String(Number.MAX_SAFE_INTEGER));
    await company.countWithdrawals(first, cookie);
    expect(first.outcomes()).toEqual(['behind']);
  });
});

test('a live event brings the position of its change, so that the screen reads it from any process', async () => {
  const stream = await second.app.request('/api/events?sinceMs=1', {
    headers: { cookie: company.payee.cookie },
  });
  const reader = stream.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const before = await company.countWithdrawals(first);
  const earlier = await first.replica.position();
  await company.whilePaused(async () => {
    await company.withdraw(first);
    await relayBatch(database.db);
    let heard = '';
    /** The stream begins with what changed before it was open. */
    const reported = () =>
      [...heard.matchAll(/data: (\{"topic":"withdrawals".*\})/g)]
        .map(([, data = '']) => (JSON.parse(data) as { position: number }).position)
        .find((position) => position > earlier);
    while (reported() === undefined) {
      const { value } = await reader.read();
      heard += new TextDecoder().decode(value);
    }
    const cookie = `${company.payee.cookie}; ${POSITION_COOKIE}=${reported()}`;
    for (const server of [first, second]) {
      expect(await company.countWithdrawals(server, cookie)).toBe(before + 1);
    }
  });
  await reader.cancel();
});

describe('the primary answers instead', () => {
  test('while the replica is too far behind, without asking it', async () => {
    const server = await company.openServer({ lateAtMostMs: 1_500 });
    await company.whilePaused(async () => {
      await company.withdraw(first);
      await until(async () => String(await server.replica.check()).includes('s behind'));
      server.outcomes();
      const count = await company.countWithdrawals(server);
      const rows = await database.db.selectFrom('withdrawal').select('id').execute();
      expect(count).toBe(rows.length);
      expect(server.outcomes()).toEqual(['behind']);
      await until(() => server.replica.lagS() > 1);
    });
    await until(async () => (await server.replica.check()) === true);
    await until(() => server.replica.lagS() === 0);
    await Promise.all([server.replica.end(), server.live.stop()]);
  });

  test('within a bounded time while the replica is frozen, and without asking it once that is known', async () => {
    const { probe } = LIMITS.replica;
    const server = await company.openServer({ probe });
    await until(async () => (await server.replica.check()) === true);
    own.freeze();
    try {
      // Without a bound they would never be answered.
      const all = await Promise.all([1, 2, 3].map(() => company.countWithdrawals(server)));
      expect(new Set(all).size).toBe(1);
      await until(async () => (await server.replica.check()) === 'the replica does not answer');
      expect(await checkouts(server.replica.pool, () => company.countWithdrawals(server))).toBe(0);
      expect(server.outcomes()).not.toContain('replica');
    } finally {
      own.thaw();
    }
    await Promise.all([server.replica.end(), server.live.stop()]);
  });

  test('when the replica is killed, and it answers again once it runs', async () => {
    await own.kill();
    await company.countWithdrawals(first);
    expect(first.outcomes()).toEqual(['failed']);
    await until(async () => (await first.replica.check()) === 'the replica does not answer');
    await own.start();
    await until(company.isSound);
    await company.countWithdrawals(first);
    expect(first.outcomes()).toEqual(['replica']);
  });

  test('when a change of the primary ends a read of the replica', async () => {
    await withClient(database.superuserUrl, async (client) => {
      await client.query('CREATE TABLE scratch AS SELECT 1 AS one');
      await client.query('GRANT SELECT ON scratch TO purser_app');
      await until(async () => {
        const { rows } = await first.replica.pool.query("SELECT to_regclass('scratch') AS found");
        return (rows as { found: string | null }[])[0]?.found !== null;
      });
      const isReading = async () => {
        const { rows } = await first.replica.pool.query(
          "SELECT FROM pg_stat_activity WHERE query LIKE '%FROM scratch' AND wait_event = 'PgSleep'",
        );
        return rows.length > 0;
      };
      const begin = () => {
        const reading = first.replica.read(0);
        const slow = sql<{ one: number }>`
          SELECT one, pg_sleep(CASE WHEN pg_is_in_recovery() THEN 50 ELSE 0 END) FROM scratch`.execute(
          reading.db,
        );
        let isOver = false;
        const over = () => void (isOver = true);
        void slow.then(over, over);
        return { reading, slow, isOver: () => isOver };
      };
      let { reading, slow, isOver } = begin();
      await until(async () => {
        // On a busy machine the replica may have answered too late a moment before: then the primary was read.
        if (isOver()) ({ reading, slow, isOver } = begin());
        return isReading();
      });
      first.outcomes();
      await client.query('ALTER TABLE scratch ADD COLUMN two int');
      const { rows } = await slow;
      expect(rows).toMatchObject([{ one: 1 }]);
      expect(first.outcomes()).toEqual(['failed']);
      expect(reading.usedReplica()).toBe(false);
      await client.query('DROP TABLE scratch');
    });
  });
});

test('no root is exported of a block that the primary has and no standby', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const roots = createMemoryRoots();
  const waitFor = (standbys: string) =>
    withClient(database.superuserUrl, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await client.query('SELECT pg_reload_conf()');
      await until(async () => {
        const { rows } = await client.query<{ names: string }>(
          "SELECT current_setting('synchronous_standby_names') AS names",
        );
        return rows[0]?.names === standbys;
      });
      // The checkpointer tells the others of it, and has read it itself before it makes one.
      await client.query('CHECKPOINT');
    });
  /** Ends the wait of its COMMIT, after which the primary shows what it wrote. */
  const sealInVain = async () => {
    const cancelled = until(() =>
      withClient(database.superuserUrl, async (client) => {
        const { rowCount } = await client.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        );
        return rowCount === 1;
      }),
    );
    const sealer = createTestSealer(database.db, privateKey, { roots });
    const [outcome] = await Promise.allSettled([sealer.run(), cancelled]);
    expect(outcome).toMatchObject({ reason: expect.any(DatabaseUnavailableError) });
    expect(roots.kept).toEqual([]);
  };
  await waitFor('a_standby_that_is_gone');
  try {
    await sealInVain();
    const { height } = await database.db
      .selectFrom('ledgerBlock')
      .select('height')
      .executeTakeFirstOrThrow();
    expect(height).toBe(1n);
    // Another process finds the block.
    await sealInVain();
  } finally {
    await waitFor('');
  }
  await createTestSealer(database.db, privateKey, { roots }).run();
  expect(roots.kept).toMatchObject([{ height: 1n }]);
});

test('reads do not go back and forth: after one of the primary, all of the request are', async () => {
  const reading = first.replica.read(0);
  await sql`SELECT 1`.execute(reading.db);
  await expect(sql`SELECT 1 / 0`.execute(reading.db)).rejects.toThrow('division by zero');
  await sql`SELECT 1`.execute(reading.db);
  expect(first.outcomes()).toEqual(['replica', 'failed']);
});

test('nothing is written through a reading, also not on the primary', async () => {
  const { db } = first.replica.read(0);
  await expect(sql`DELETE FROM notification`.execute(db)).rejects.toMatchObject({ code: '25006' });
  await expect(withTx(db, (tx) => sql`DELETE FROM notification`.execute(tx))).rejects.toThrow(
    'a connection of another driver',
  );
  const { rows } = await first.replica.pool.query(
    "SELECT current_setting('default_transaction_read_only') AS setting",
  );
  expect(rows).toEqual([{ setting: 'on' }]);
});

test('a server that is no replica of the database is not read', async () => {
  const seen: ReadOutcome[] = [];
  const primary = openReplica({
    url: database.appUrl,
    db: createDb(company.instead),
    log: silentLog,
    onOutcome: (outcome) => seen.push(outcome),
    limits: { compareEveryMs: 50 },
  });
  await until(async () => String(await primary.check()).includes('no replica'));
  await sql`SELECT 1`.execute(primary.read(0).db);
  expect(seen).toEqual(['other']);
  await primary.end();
  // The last test: a replica that has become a primary of its own writes a history of its own.
  await own.promote();
  await until(async () => String(await first.replica.check()).includes('no replica'));
  await company.countWithdrawals(first);
  expect(first.outcomes()).toEqual(['other']);
});
