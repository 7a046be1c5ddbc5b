import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { makeBusyCompany } from '#test/busy-company.ts';
import type { BusyCompany } from '#test/busy-company.ts';
import { createTestServices } from '#test/factories/services.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import type { OwnerDb } from '#test/unguarded.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import { verifyNewest, verifyNightly, verifyWhole } from './jobs.ts';
import { areBooksSound, getBooks } from './queries.ts';
import { beginRun } from './runs.ts';
import { updateBooksRules } from './update-books-rules.ts';
import { VERIFYING_LOCK, verifyBooks } from './verify-books.ts';
import type { BooksVerifier } from './verify-books.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const stop = { signal: new AbortController().signal };

let database: TestDb;
let owner: OwnerDb;
let company: BusyCompany;
let verifier: BooksVerifier;
const roots = createMemoryRoots();

beforeAll(async () => {
  database = await openTestDb();
  owner = openOwner(database.ownerUrl);
  const services = createTestServices();
  company = await makeBusyCompany(database.db, services);
  verifier = {
    db: database.db,
    services,
    keys: { current: privateKey, former: [] },
    roots,
    log: silentLog,
    // Half of the time at the gentle pace is pauses. It reads the same queries (newest-part.test.ts).
    pace: 'snapshot',
  };
  await seal();
});
afterAll(async () => {
  await owner.close();
  await database.close();
});
beforeEach(async () => {
  await verifyWhole(verifier, stop);
  const { problems } = await getBooks(database.db);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
});

async function seal(): Promise<void> {
  await createTestSealer(database.db, privateKey, { roots }).run();
}

const asAdmin = (): CommandContext => company.admin;
const setBalance = (change: bigint) =>
  sql`UPDATE ledger_account SET posted = posted + ${change}
       WHERE id = ${company.ben.wallet.ledgerAccountId}`;

/** Changes a balance without the ledger's checks, and corrects it after `work`. */
async function whileUnsound(work: () => Promise<void>): Promise<void> {
  const change = (by: bigint) =>
    withTx(owner.db, async (tx) => {
      await sql`ALTER TABLE ledger_account DISABLE TRIGGER USER`.execute(tx);
      await setBalance(by).execute(tx);
      await sql`ALTER TABLE ledger_account ENABLE TRIGGER USER`.execute(tx);
    });
  await change(1n);
  try {
    await work();
  } finally {
    await change(-1n);
  }
}

async function inbox(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('notification')
    .select('title')
    .where('userId', '=', company.admin.actor.id)
    .where('title', 'like', 'Books %')
    .orderBy('createdAt')
    .execute();
  return rows.map(({ title }) => title);
}

const unsoundRun = sql`
  INSERT INTO verification_run (started_at, finished_at, is_sound) VALUES (now(), now(), false)`;
const soundRun = sql`
  INSERT INTO verification_run (started_at, finished_at, is_sound) VALUES (now(), now(), true)`;
const recordOf = (action: string) => sql`
  INSERT INTO audit_event (actor_role, action, subject_type) VALUES ('system', ${action}, 'books')`;

/** Newest record of what verifications found. */
async function newestRecord(): Promise<string | undefined> {
  const row = await database.db
    .selectFrom('auditEvent')
    .select('action')
    .where('subjectType', '=', 'books')
    .where('action', 'like', 'books.found_%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.action;
}

/** Number of finished runs of everything. */
async function wholeRuns(): Promise<number> {
  const rows = await database.db
    .selectFrom('verificationRun')
    .select('id')
    .where('afterHeight', 'is', null)
    .where('finishedAt', 'is not', null)
    .execute();
  return rows.length;
}

const approve = () =>
  withTx(database.db, (tx) =>
    withdrawalActs.approve(tx, createTestServices(), asAdmin(), {
      id: company.withdrawals.pending,
    }),
  );

describe('a run', () => {
  test('finds no problem in all of a busy company, with the server’s database role', async () => {
    expect(await verifyBooks({ ...verifier, pace: 'gentle' }, { extent: 'whole' })).toBe(true);
    expect(await getBooks(database.db)).toMatchObject({
      areSound: true,
      verifying: null,
      last: { isSound: true },
      lastWhole: { isSound: true },
      problems: [],
      payoutsStoppedAt: null,
    });
  });

  test('is the only one at a time', async () => {
    const both = await Promise.all([
      verifyBooks(verifier, { extent: 'whole' }),
      verifyBooks(verifier, { extent: 'whole' }),
    ]);
    expect(new Set(both)).toEqual(new Set([null, true]));
  });

  test('begins where the last sound one ended', async () => {
    await verifyNewest(verifier, stop);
    const rows = await database.db
      .selectFrom('verificationRun')
      .select(['afterHeight', 'headHeight', 'isSound'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(rows[1]).toMatchObject({ afterHeight: null, isSound: true });
    expect(rows[0]).toMatchObject({ afterHeight: rows[1]?.headHeight, isSound: true });
  });

  test('holds off while a payroll is posted, but not for longer than a quarter of an hour', async () => {
    const runs = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM verification_run`.execute(database.db);
      return rows[0]?.count;
    };
    const before = Number(await runs());
    await verifyNewest(verifier, stop, () => Promise.resolve(true));
    expect(await runs()).toBe(before);
    const now = verifier.services.clock.now().getTime();
    const later = new Date(now + LIMITS.verify.newestAtLeastEveryMs);
    await verifyNewest({ ...verifier, services: { clock: { now: () => later } } }, stop, () =>
      Promise.resolve(true),
    );
    expect(await runs()).toBe(before + 1);
    await verifyNewest(verifier, stop, () => Promise.resolve(false));
    expect(await runs()).toBe(before + 2);
  });

  test('waits for a run of the newest part, if all was requested', async () => {
    const before = await wholeRuns();
    await withTx(database.db, (tx) => beginRun(tx, new Date(), { afterHeight: 1n }));
    expect(await getBooks(database.db)).toMatchObject({ verifying: 'newest' });
    const waits = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    let asked: Promise<void> | undefined;
    await withTx(database.db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${VERIFYING_LOCK})`.execute(tx);
      asked = verifyWhole(verifier, stop, () => {
        waits.resolve();
        return isOver.promise;
      });
      await waits.promise;
      expect(await wholeRuns()).toBe(before);
    });
    isOver.resolve();
    await asked;
    expect(await getBooks(database.db)).toMatchObject({ verifying: null });
    expect(await wholeRuns()).toBe(before + 1);
  });

  test('is the running one, if all is requested during another run', async () => {
    const id = await withTx(database.db, (tx) => beginRun(tx, new Date(), { afterHeight: null }));
    await withTx(database.db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${VERIFYING_LOCK})`.execute(tx);
      expect(await getBooks(database.db)).toMatchObject({ verifying: 'all' });
      await verifyWhole(verifier, stop);
    });
    const running = await database.db
      .selectFrom('verificationRun')
      .select('id')
      .where('finishedAt', 'is', null)
      .execute();
    expect(running).toEqual([{ id }]);
  });

  test('reports nothing if it was stopped, and the next one replaces it', async () => {
    const stopped = AbortSignal.abort(new Error('the server stops'));
    const gentle = { ...verifier, pace: 'gentle' } as const;
    await expect(verifyBooks(gentle, { extent: 'whole', signal: stopped })).rejects.toThrow(
      'the server stops',
    );
    expect(await getBooks(database.db)).toMatchObject({ verifying: 'all', areSound: true });
    await verifyNewest(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({ verifying: null, areSound: true });
  });
});

describe('a problem', () => {
  test('stops payouts and notifies every admin, until a run of everything is sound', async () => {
    await whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        problems: expect.arrayContaining([
          expect.objectContaining({
            check: 'account-balance',
            id: company.ben.wallet.ledgerAccountId,
          }),
        ]),
        payoutsStoppedAt: expect.any(String),
      });
      await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });
      const start = withTx(database.db, (tx) =>
        withdrawalActs.startProcessing(tx, createTestServices(), asAdmin(), {
          id: company.withdrawals.approved,
        }),
      );
      await expect(start).rejects.toMatchObject({ code: 'payouts_stopped' });
      // A second problem sends no second notification.
      await verifyWhole(verifier, stop);
    });
    expect(await inbox()).toEqual(['Books Not Sound']);

    // A run of the newest part no longer sees the problem, and says nothing about the rest.
    await verifyNewest(verifier, stop);
    expect(await areBooksSound(database.db)).toBe(false);
    await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });

    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({ areSound: true, payoutsStoppedAt: null });
    expect(await inbox()).toEqual(['Books Not Sound', 'Books Sound Again']);
  });

  test.each<{ what: string; rows: RawBuilder<unknown>[] }>([
    { what: 'a run without its record', rows: [unsoundRun] },
    { what: 'a record without its run', rows: [recordOf('books.found_unsound')] },
    { what: 'both', rows: [unsoundRun, recordOf('books.found_unsound')] },
  ])('that the server’s role invents by $what hides no other one', async ({ rows }) => {
    for (const row of rows) await row.execute(database.db);
    await whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: expect.any(String),
      });
      expect(await newestRecord()).toBe('books.found_unsound');
      expect((await inbox()).at(-1)).toBe('Books Not Sound');
      await verifyNewest(verifier, stop);
      expect(await areBooksSound(database.db)).toBe(false);
    });
    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({
      areSound: true,
      problems: [],
      payoutsStoppedAt: null,
    });
    expect(await newestRecord()).toBe('books.found_sound');
  });

  test.each<{ what: string; row: RawBuilder<unknown> }>([
    { what: 'a run', row: soundRun },
    { what: 'a record', row: recordOf('books.found_sound') },
  ])('that the server’s role hides by $what stays found', async ({ row }) => {
    await whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      await row.execute(database.db);
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: expect.any(String),
      });
      expect(await newestRecord()).toBe('books.found_unsound');
    });
    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({ areSound: true, payoutsStoppedAt: null });
  });

  test('does not hold back a payout that was already sent to the bank', async () => {
    await whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      const completed = await withTx(database.db, (tx) =>
        withdrawalActs.complete(tx, createTestServices(), asAdmin(), {
          id: company.withdrawals.processing,
        }),
      );
      expect(completed.status).toBe('completed');
    });
    await seal();
  });

  test('does not stop payouts if the company chose that, and stops them once it chooses otherwise', async () => {
    const choose = (stopPayoutsWhenUnsound: boolean) =>
      withTx(database.db, async (tx) => {
        await updateBooksRules(tx, createTestServices(), asAdmin(), { stopPayoutsWhenUnsound });
        return getBooks(tx);
      });
    expect(await choose(false)).toMatchObject({ stopPayoutsWhenUnsound: false });
    await whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: null,
      });
      expect(await choose(true)).toMatchObject({ payoutsStoppedAt: expect.any(String) });
      await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });
      expect(await choose(false)).toMatchObject({ payoutsStoppedAt: null });
      expect(await choose(true)).toMatchObject({ payoutsStoppedAt: expect.any(String) });
    });
    await seal();
  });
});

test('does not override a choice that is made while a run ends', async () => {
  const choose = (stopPayoutsWhenUnsound: boolean) => (tx: Tx) =>
    updateBooksRules(tx, createTestServices(), asAdmin(), { stopPayoutsWhenUnsound });
  await whileUnsound(async () => {
    let running: Promise<void> | undefined;
    await withTx(database.db, async (tx) => {
      await choose(false)(tx);
      running = verifyWhole(verifier, stop);
      await untilBlocked(database.db);
    });
    await running;
    expect(await getBooks(database.db)).toMatchObject({
      areSound: false,
      stopPayoutsWhenUnsound: false,
      payoutsStoppedAt: null,
    });
  });
  await withTx(database.db, choose(true));
});

test('everything is not verified again before it is due', async () => {
  const count = () =>
    database.db
      .selectFrom('verificationRun')
      .select((builder) => builder.fn.countAll().as('runs'))
      .executeTakeFirstOrThrow();
  const before = await count();
  // It was verified a moment ago.
  await verifyNightly(verifier, stop);
  expect(await count()).toEqual(before);
});

describe('a process that a newer version replaces', () => {
  const migratedHoursAgo = (hours: number) =>
    sql`INSERT INTO purser_migration (name, sha256, applied_at)
                  VALUES ('9999_newer.sql', 'ab', now() - make_interval(hours => ${hours}))`.execute(
      owner.db,
    );
  afterEach(() =>
    sql`DELETE FROM purser_migration WHERE name = '9999_newer.sql'`.execute(owner.db),
  );

  test('leaves the verification to the newer one, which it would take for a change by an intruder', async () => {
    await migratedHoursAgo(1);
    expect(await verifyBooks(verifier, { extent: 'newest' })).toBeNull();
    expect(await areBooksSound(database.db)).toBe(true);
  });

  test('verifies again where it is left for longer than a day, and says so', async () => {
    await migratedHoursAgo(25);
    expect(await verifyBooks(verifier, { extent: 'newest' })).toBe(false);
  });
});
