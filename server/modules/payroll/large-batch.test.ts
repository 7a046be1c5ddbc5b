import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import { untilHolds } from '#test/until-holds.ts';
import { postPayrollJob } from './index.ts';
import { claimLines, lockBatch } from './claim-lines.ts';
import { compareWithLast, differingRows } from './differences.ts';
import { markFailed, markPaid } from './mark-lines.ts';

const CHUNK_LINES = 100;

let test: TestDb;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

/** Rows of payroll_line that this transaction has read so far. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::integer AS read
      FROM pg_stat_xact_user_tables WHERE relname = 'payroll_line'`.execute(tx);
  return invariant(rows[0], 'the table is there').read;
}

it('marks the lines of a chunk without reading the whole batch', async () => {
  const now = new Date();
  const admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: 20 * CHUNK_LINES });
  // PostgreSQL's statistics of the table are from before the batch, as on a real payday.
  await confirmPayroll(test.db, admin);
  await sql`ANALYZE payroll_line`.execute(test.db);
  const id = await confirmPayroll(test.db, admin);

  await withTx(test.db, async (tx) => {
    const batch = invariant(await lockBatch(tx, id, now), 'the batch was just made');
    const lines = await claimLines(tx, batch, CHUNK_LINES);
    expect(lines).toHaveLength(CHUNK_LINES);
    const before = await rowsRead(tx);
    const [paid, failed] = [lines.slice(0, 90), lines.slice(90)];
    const transactionIds = paid.map(() => newId());
    await markPaid(tx, batch, paid, transactionIds, now);
    const refused = failed.map((line) => ({ ...line, problem: 'wallet_closed' as const }));
    await markFailed(tx, batch, refused);
    expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(2 * CHUNK_LINES);
    const { rows } = await sql`
      SELECT status, count(*)::integer FROM payroll_line WHERE batch_id = ${id}
       GROUP BY status ORDER BY status`.execute(tx);
    expect(rows).toEqual([
      { status: 'draft', count: 19 * CHUNK_LINES },
      { status: 'failed', count: 10 },
      { status: 'processed', count: 90 },
    ]);
  });
});

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** Rows that all steps of a plan have handled, those that a filter threw away included. */
function rowsHandled(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } =
    plan;
  const own = plan['Actual Loops'] * (plan['Actual Rows'] + filtered + unjoined);
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsHandled(part), own);
}

it('reads a payroll a few times to compare it, however many of its people differ', async () => {
  const people = 20 * CHUNK_LINES;
  // Nobody was paid before, so that everyone differs.
  const last = { on: '2026-11-27', batchIds: [] };
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
    EXPLAIN (ANALYZE, FORMAT JSON)
    WITH decided AS MATERIALIZED (
      SELECT user_id, wallet_id, amount_minor, reason AS problem FROM payroll_line
       WHERE batch_id = (SELECT id FROM payroll_batch ORDER BY number DESC LIMIT 1)
    ), ${compareWithLast({ department: 'all' }, { last, percent: 20, asOf: null })}
    SELECT groups, ${differingRows()} FROM difference`.execute(test.db);
  const [{ Plan }] = invariant(rows[0], 'a plan')['QUERY PLAN'];
  expect(rowsHandled(Plan)).toBeGreaterThan(people);
  expect(rowsHandled(Plan)).toBeLessThan(30 * people);
});

it('has PostgreSQL look at the lines that were just written before it pays them', async () => {
  const services = { clock: systemClock };
  const timesLooked = async () => {
    const { rows } = await sql<{ times: number }>`
      -- The database may do it by itself just before: then the job has nothing to do.
      SELECT (analyze_count + autoanalyze_count)::integer AS times FROM pg_stat_user_tables
       WHERE relid = 'payroll_line'::regclass`.execute(test.db);
    return invariant(rows[0], 'the table is there').times;
  };
  const batchId = await confirmPayroll(test.db, await seedAdmin(test.db));
  const before = await timesLooked();
  const job = () => postPayrollJob(test.db, services, { batchId }, { signal: AbortSignal.abort() });
  // PostgreSQL counts the changes of a transaction within some seconds of its end.
  await untilHolds(async () => expect(await job().then(timesLooked)).toBeGreaterThan(before));
});
