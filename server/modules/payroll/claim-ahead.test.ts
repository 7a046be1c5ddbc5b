import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { invariant } from '#server/lib/errors.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll } from '#test/payroll-fixture.ts';
import { claimAhead } from './claim-ahead.ts';
import { lockBatch } from './claim-lines.ts';
import { payTogether, postChunk, postPayroll } from './post-payroll.ts';
import type { PostedChunk } from './post-payroll.ts';

const services = { clock: systemClock };
const PEOPLE = 12;
const CHUNK_LINES = 4;

let test: TestDb;
let batchId: string;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  const admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: PEOPLE });
  batchId = await confirmPayroll(test.db, admin);
});

/** The first chunk, claimed; its transaction is open. */
async function claimFirst() {
  const batch = await withTx(test.db, (tx) => lockBatch(tx, batchId, new Date()));
  const found = invariant(batch, 'the batch is due');
  const ahead = claimAhead<PostedChunk>(test.db, found, CHUNK_LINES);
  const { lines } = await ahead.claimed;
  expect(lines.map(({ lineNumber }) => lineNumber)).toEqual([1, 2, 3, 4]);
  return ahead;
}

type Ahead = Awaited<ReturnType<typeof claimFirst>>;

const finish = (ahead: Ahead) =>
  ahead.finish((tx, claimed) =>
    postChunk(tx, services, {
      batchId,
      chunkLines: CHUNK_LINES,
      mailedLines: 100,
      pay: payTogether,
      claimed,
    }),
  );

/** Posts the next chunk, as another process would. */
async function postOneChunk(): Promise<void> {
  const stopping = new AbortController();
  const clock = {
    now() {
      stopping.abort();
      return new Date();
    },
  };
  await postPayroll(test.db, { clock }, batchId, {
    chunkLines: CHUNK_LINES,
    signal: stopping.signal,
  });
}

/** Number of people of the batch whose row nobody has locked. */
async function countFree(): Promise<number> {
  return withTx(test.db, async (tx) => {
    const { rows } = await sql`
      SELECT FROM app_user WHERE id IN (SELECT user_id FROM payroll_line WHERE batch_id = ${batchId})
         FOR UPDATE SKIP LOCKED`.execute(tx);
    return rows.length;
  });
}

it('keeps its people locked until they are paid', async () => {
  const ahead = await claimFirst();
  expect(await countFree()).toBe(PEOPLE - CHUNK_LINES);
  expect(await finish(ahead)).toMatchObject({ rest: { postedThrough: CHUNK_LINES } });
  expect(await countFree()).toBe(PEOPLE);
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({ paidLines: CHUNK_LINES });
});

it('pays nobody and frees everybody when it is dropped', async () => {
  const ahead = await claimFirst();
  await ahead.drop();
  expect(await countFree()).toBe(PEOPLE);
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({ paidLines: 0 });
});

it('pays the next lines when another poster has paid those', async () => {
  const ahead = await claimFirst();
  await postOneChunk();
  expect(await finish(ahead)).toMatchObject({ rest: { postedThrough: 2 * CHUNK_LINES } });
  await postPayroll(test.db, services, batchId, { chunkLines: CHUNK_LINES });
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({
    paidLines: PEOPLE,
    losses: 0,
    doubles: 0,
    notifications: PEOPLE,
  });
});

it('pays nobody when another poster has paid everybody', async () => {
  const ahead = await claimFirst();
  await postPayroll(test.db, services, batchId, { chunkLines: CHUNK_LINES });
  expect(await finish(ahead)).toEqual({ notice: null, rest: null });
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({
    paidLines: PEOPLE,
    doubles: 0,
  });
});

it('claims nothing more when the posting stops', async () => {
  await postOneChunk();
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({ paidLines: CHUNK_LINES });
  expect(await countFree()).toBe(PEOPLE);
});
