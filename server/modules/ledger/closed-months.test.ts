import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMonths, dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { dumpLedger } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import {
  captureHold,
  ensureSystemAccount,
  openAccount,
  placeHold,
  post,
  reverseAll,
  setTimeZone,
} from './index.ts';
import { postBatch } from './post.ts';

const ZONE = 'America/New_York';
const THIS = `${dayIn(ZONE, new Date()).slice(0, 7)}-01`;
const LAST = addMonths(THIS, -1);
const FIRST = addMonths(THIS, -2);
const MONTH_CLOSED = { code: 'month_closed' };
const NOT_NOW = { code: 'PL016' };

let database: TestDb;
let adminId: string;
/** A transaction of the first month, with its accounts. */
let inClosed: { id: string; accounts: [from: string, to: string] };

beforeAll(async () => {
  database = await openTestDb();
  const { by } = await createAdmin(database.db, createTestServices());
  adminId = by.actor.id;
});
afterAll(() => database.close());

/** Last second before a month begins in the company's zone. */
async function lastSecondBefore(month: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    SELECT ${month}::date::timestamp AT TIME ZONE ${ZONE} - interval '1 second' AS at`.execute(
    database.db,
  );
  return rows[0]?.at ?? new Date(Number.NaN);
}

/** Two accounts without entries, whose time an earlier entry cannot move on. */
async function newPair(tx: Tx): Promise<[from: string, to: string]> {
  const from = await ensureSystemAccount(tx, `test:${newId()}`, 'USD');
  return [from, await openAccount(tx, { kind: 'salary', ownerId: newId(), currency: 'USD' })];
}

const postAt = async (tx: Tx, effectiveAt: Date) =>
  post(tx, [transfer(...(await newPair(tx)), 500n)], { effectiveAt });

async function close(tx: Tx, month: string): Promise<string> {
  const id = newId();
  await sql`INSERT INTO month_closing (id, month, closed_by, closed_at, owed_minor)
            VALUES (${id}, ${month}, ${adminId}, now(), 0)`.execute(tx);
  return id;
}

/** Opens it again as another administrator accepted it. */
async function reopen(tx: Tx, id: string): Promise<void> {
  const other = await createAdmin(database.db, createTestServices());
  const proposal = newId();
  await sql`INSERT INTO security_proposal (id, act, closing_id, reason, proposed_by, proposed_at,
                                           outcome, decided_by, decided_at)
            VALUES (${proposal}, 'reopenMonth', ${id}, 'A late bill', ${adminId}, now(),
                    'accepted', ${other.by.actor.id}, now())`.execute(tx);
  await sql`UPDATE month_closing SET reopened_at = now(), reopened_by = ${other.by.actor.id},
                                     reopened_for = ${proposal} WHERE id = ${id}`.execute(tx);
}

const inTx = <T>(work: (tx: Tx) => Promise<T>) => withTx(database.db, work);

describe('months close in their order', () => {
  test('the first one is that of the first posting', async () => {
    await expect(inTx((tx) => close(tx, FIRST))).rejects.toMatchObject(NOT_NOW);
    const effectiveAt = await lastSecondBefore(LAST);
    const accounts = await inTx(newPair);
    const [posted] = await inTx((tx) => post(tx, [transfer(...accounts, 500n)], { effectiveAt }));
    inClosed = { id: posted?.id ?? '', accounts };
    await expect(inTx((tx) => close(tx, addMonths(FIRST, -1)))).rejects.toMatchObject(NOT_NOW);
    await expect(inTx((tx) => close(tx, LAST))).rejects.toMatchObject(NOT_NOW);
  });

  test('a month is closed once, and not before it is over', async () => {
    await inTx(async (tx) => {
      await close(tx, FIRST);
      await close(tx, LAST);
    });
    await expect(inTx((tx) => close(tx, LAST))).rejects.toMatchObject(NOT_NOW);
    await expect(inTx((tx) => close(tx, THIS))).rejects.toMatchObject(NOT_NOW);
  });

  test('only the last one is opened again, for an accepted proposal about it', async () => {
    const ids = await database.db
      .selectFrom('monthClosing')
      .select(['id', 'entryCount', 'debitMinor'])
      .orderBy('month')
      .execute();
    expect(ids.map(({ entryCount }) => entryCount)).toEqual([2n, 0n]);
    expect(ids[0]?.debitMinor).toBe(500n);
    const [first = '', last = ''] = ids.map(({ id }) => id);
    await expect(inTx((tx) => reopen(tx, first))).rejects.toMatchObject(NOT_NOW);
    const unasked = sql`UPDATE month_closing SET reopened_at = now(), reopened_by = ${adminId},
      reopened_for = NULL WHERE id = ${last}`;
    await expect(unasked.execute(database.db)).rejects.toMatchObject(NOT_NOW);
    await inTx((tx) => reopen(tx, last));
    await inTx((tx) => close(tx, LAST));
  });
});

describe('a closed month refuses', () => {
  /** The last moment of the closed months. */
  const late = () => lastSecondBefore(THIS);

  test('a posting, a captured hold and a reversal, and keeps the ledger as it was', async () => {
    const effectiveAt = await late();
    const [from, to] = await inTx(newPair);
    const { id: transactionId, accounts } = inClosed;
    const hold = { accountId: accounts[1], amountMinor: 100n, reference: `H-${newId()}` };
    const holdId = await inTx((tx) => placeHold(tx, hold));
    const kept = await dumpLedger(database.db);
    const reversal = { transactionId, reference: `R-${newId()}`, actorId: null };
    const attempts: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => post(tx, [transfer(from, to, 500n)], { effectiveAt }),
      (tx) => captureHold(tx, holdId, transfer(accounts[1], accounts[0], 100n), { effectiveAt }),
      (tx) =>
        reverseAll(tx, [{ ...reversal, kind: 'reversal', description: 'Back' }], { effectiveAt }),
    ];
    for (const attempt of attempts) {
      await expect(inTx(attempt)).rejects.toMatchObject(MONTH_CLOSED);
    }
    expect(await dumpLedger(database.db)).toBe(kept);
  });

  test('a batch of which one transaction alone would be in it', async () => {
    const effectiveAt = await late();
    await expect(
      inTx(async (tx) => {
        const [one, other] = [await newPair(tx), await newPair(tx)];
        await postBatch(tx, [transfer(...one, 1n), transfer(...other, 1n)], { effectiveAt });
      }),
    ).rejects.toMatchObject(MONTH_CLOSED);
  });

  test('the owner of the database, too', async () => {
    const owner = openOwner(database.ownerUrl);
    const effectiveAt = await late();
    await expect(withTx(owner.db, (tx) => postAt(tx, effectiveAt))).rejects.toMatchObject(
      MONTH_CLOSED,
    );
    await owner.close();
  });

  test('a posting in a transaction that reads an older state', async () => {
    const posting = database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => postAt(tx as Tx, new Date()));
    await expect(posting).rejects.toMatchObject({ code: 'invalid_posting' });
  });

  test('another time zone', async () => {
    await expect(inTx((tx) => setTimeZone(tx, 'Europe/London'))).rejects.toMatchObject(
      MONTH_CLOSED,
    );
  });

  test('nothing of the day that begins after it', async () => {
    const effectiveAt = new Date((await late()).getTime() + 1_000);
    const [posted] = await inTx((tx) => postAt(tx, effectiveAt));
    expect(posted?.effectiveAt).toEqual(effectiveAt);
  });
});

describe('a poster and an admin who closes', () => {
  /** Leaves the last month open, and replies with its last moment. */
  async function opened(): Promise<Date> {
    await inTx(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM month_closing WHERE month = ${LAST} AND reopened_at IS NULL`.execute(tx);
      if (rows[0] !== undefined) await reopen(tx, rows[0].id);
    });
    return lastSecondBefore(THIS);
  }

  const entriesOf = async (id: string) => {
    const { rows } = await sql<{ kept: bigint; there: bigint; isSame: boolean }>`
      SELECT closing.entry_count AS kept, digest.entry_count AS there,
             closing.content_hash = digest.content_hash AS is_same
        FROM month_closing AS closing, ledger_digest(begins_at, ends_at) AS digest
       WHERE id = ${id}`.execute(database.db);
    return rows[0];
  };

  test('the poster who was first is counted', async () => {
    const effectiveAt = await opened();
    let closing: Promise<string> | undefined;
    await inTx(async (tx) => {
      await postAt(tx, effectiveAt);
      closing = inTx((other) => close(other, LAST));
      await untilBlocked(database.db);
    });
    const counted = await entriesOf((await closing) ?? '');
    expect(counted).toMatchObject({ isSame: true });
    expect(counted?.kept).toBe(counted?.there);
    expect(counted?.kept).toBe(2n);
  });

  test('the poster who came second is refused, though it began before', async () => {
    const effectiveAt = await opened();
    let id = '';
    // A transaction that began and read before the month was closed.
    const began = Promise.withResolvers<undefined>();
    const isClosing = Promise.withResolvers<undefined>();
    const posting = inTx(async (tx) => {
      await sql`SELECT FROM ledger_calendar`.execute(tx);
      began.resolve(undefined);
      await isClosing.promise;
      await postAt(tx, effectiveAt);
    });
    const outcome = posting.catch((error: unknown) => error);
    await began.promise;
    await inTx(async (tx) => {
      id = await close(tx, LAST);
      isClosing.resolve(undefined);
      await untilBlocked(database.db);
    });
    expect(await outcome).toMatchObject(MONTH_CLOSED);
    expect(await entriesOf(id)).toMatchObject({ isSame: true, kept: 2n });
  });

  test('two who close are one', async () => {
    await opened();
    const results = await Promise.allSettled([1, 2].map(() => inTx((tx) => close(tx, LAST))));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
