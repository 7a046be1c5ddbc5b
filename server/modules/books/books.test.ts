import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { TestDb } from '#test/open-db.ts';
import type { OwnerDb } from '#test/unguarded.ts';
import { openTestBooks } from '#test/verified-books.ts';
import { verifyNewest, verifyNightly, verifyWhole } from './jobs.ts';
import { areBooksSound, getBooks } from './queries.ts';
import { beginRun } from './runs.ts';
import { VERIFYING_LOCK, verifyBooks } from './verify-books.ts';
import type { BooksVerifier } from './verify-books.ts';

const stop = { signal: new AbortController().signal };

let close: () => Promise<void>;
let database: TestDb;
let owner: OwnerDb;
let verifier: BooksVerifier;

beforeAll(async () => {
  ({ close, database, owner, verifier } = await openTestBooks());
});
afterAll(() => close());

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
    await verifyWhole(verifier, stop);
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
    const now = verifier.services.clock.now();
    const id = await withTx(database.db, (tx) => beginRun(tx, now, { afterHeight: null }));
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

  test('follows one of a month before, once for all who request it', async () => {
    const before = await wholeRuns();
    const now = verifier.services.clock.now();
    const monthBefore = new Date(now.getTime() - 31 * 86_400_000);
    await withTx(database.db, (tx) => beginRun(tx, monthBefore, { afterHeight: null }));
    const waits = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    let asked: Promise<void> | undefined;
    await withTx(database.db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${VERIFYING_LOCK})`.execute(tx);
      asked = verifyWhole(verifier, stop, () => {
        waits.resolve();
        return isOver.promise;
      });
      await Promise.race([waits.promise, asked]);
      await verifyWhole(verifier, stop, () => Promise.reject(new Error('a second one waits')));
    });
    isOver.resolve();
    await asked;
    expect(await wholeRuns()).toBe(before + 1);
    expect(await getBooks(database.db)).toMatchObject({
      verifying: null,
      lastWhole: { startedAt: now.toISOString() },
    });
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
