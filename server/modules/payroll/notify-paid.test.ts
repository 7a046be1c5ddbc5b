import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { silentLog } from '#server/lib/log.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { createLogLines } from '#test/log-lines.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';

const PEOPLE = 9;
/** Five chunks of lines, and three of mails. */
const SIZES = { chunkLines: 2, mailedLines: 4 };
const ALL = { paidLines: PEOPLE, losses: 0, doubles: 0, notifications: PEOPLE, mails: PEOPLE };

const services = { clock: systemClock };
let test: TestDb;
let admin: Actor;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  await seedEmployees(test.db, { count: PEOPLE });
  admin = await seedAdmin(test.db);
});

/** Pays a batch until its last line, and asks for no mails. */
async function payAll(id: string, log = silentLog): Promise<void> {
  let chunks = 0;
  const signal = {
    get aborted() {
      chunks += 1;
      return chunks > 5;
    },
  } as AbortSignal;
  await postPayroll(test.db, services, id, { ...SIZES, signal, log });
  const batch = await getPayrollBatch(test.db, id, admin.id);
  expect(batch).toMatchObject({ status: 'completed', paidCount: PEOPLE });
}

it('notifies people of a large batch while the next lines are paid, and makes up for whoever was missed, once', async () => {
  const id = await confirmPayroll(test.db, admin);
  await payAll(id);
  expect(await accountForPayroll(test.db, id)).toMatchObject({ ...ALL, mails: 0 });

  // As if the process had been killed between two chunks and their notices.
  await sql`DELETE FROM notification WHERE id IN (
    SELECT id FROM payroll_line WHERE batch_id = ${id} AND line_number IN (3, 4, 9))`.execute(
    test.db,
  );
  await postPayroll(test.db, services, id, SIZES);
  expect(await accountForPayroll(test.db, id)).toMatchObject(ALL);
  await postPayroll(test.db, services, id, SIZES);
  expect(await accountForPayroll(test.db, id)).toMatchObject(ALL);
});

it('pays a large batch though nobody can be notified, warns once a chunk, and notifies before it mails', async () => {
  const { log, lines } = createLogLines();
  const pool = createPool({ url: test.ownerUrl, max: 1 });
  const owner = createDb(pool);
  const id = await confirmPayroll(test.db, admin);
  await sql`
    ALTER TABLE notification ADD CONSTRAINT nobody CHECK (kind <> 'payroll-received') NOT VALID`.execute(
    owner,
  );
  try {
    await payAll(id, log);
    await expect(postPayroll(test.db, services, id, { ...SIZES, log })).rejects.toThrow(/nobody/);
    const warnings = [0, 2, 4, 6, 8].map((after) => ({
      level: 'warn',
      batchId: id,
      after,
      through: Math.min(after + 2, PEOPLE),
      err: { message: expect.stringContaining('nobody') as unknown },
    }));
    expect(lines).toMatchObject(warnings);
    expect(lines).toHaveLength(warnings.length);
    const account = await accountForPayroll(test.db, id);
    expect(account).toMatchObject({ ...ALL, notifications: 0, mails: 0 });
  } finally {
    await sql`ALTER TABLE notification DROP CONSTRAINT nobody`.execute(owner);
    await pool.end();
  }
  await postPayroll(test.db, services, id, SIZES);
  expect(await accountForPayroll(test.db, id)).toMatchObject(ALL);
});
