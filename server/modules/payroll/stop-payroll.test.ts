import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { fundAsSeen, retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll } from '#test/payroll-fixture.ts';
import { payrollBatches } from './batch-list.ts';
import { readBatchReader } from './approval.ts';
import { postPayroll, postPayrollJob, sweepPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';
import { payrollActs } from './batch.ts';

const PEOPLE = 3;
const WINDOW_S = 60;
const services = { clock: systemClock };
const after = (seconds: number) => ({
  clock: { now: () => new Date(Date.now() + seconds * 1000) },
});

let test: TestDb;
let admin: Actor;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: PEOPLE });
  await setWindow(WINDOW_S);
});

const setWindow = (seconds: number) =>
  sql`UPDATE company_settings SET payroll_cancel_seconds = ${seconds}`.execute(test.db);
const stop = (id: string, by: Actor = admin) =>
  withTx(test.db, (tx) => payrollActs.stop(tx, services, { actor: by }, { id }));
const discard = (id: string) =>
  withTx(test.db, (tx) => payrollActs.discard(tx, services, { actor: admin }, { id }));
const batchOf = (id: string) => getPayrollBatch(test.db, id, admin.id);

describe('a confirmed payroll', () => {
  it('says how long it can be stopped, and pays nobody before', async () => {
    const id = await confirmPayroll(test.db, admin);
    const { status, window } = await batchOf(id);
    expect(status).toBe('pending');
    expect(window).toEqual({ leftMs: expect.any(Number), ofMs: WINDOW_S * 1000 });
    expect(window?.leftMs).toBeGreaterThan((WINDOW_S - 30) * 1000);
    expect(window?.leftMs).toBeLessThanOrEqual(WINDOW_S * 1000);
    const { postAfter } = await test.db
      .selectFrom('payrollBatch')
      .select('postAfter')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    // Seconds count from the moment at which it is due: from now on a busy machine may take longer than one.
    const dueIn = (seconds: number) => ({
      clock: { now: () => new Date(postAfter.getTime() - seconds * 1000) },
    });
    await postPayroll(test.db, dueIn(1), id);
    expect((await accountForPayroll(test.db, id)).paidLines).toBe(0);
    await postPayroll(test.db, dueIn(-1), id);
    expect((await accountForPayroll(test.db, id)).paidLines).toBe(PEOPLE);
    expect((await batchOf(id)).window).toBe(null);
  });

  it('becomes a draft when it is stopped, and is never sent', async () => {
    const id = await confirmPayroll(test.db, admin);
    const other = await seedAdmin(test.db);
    expect(await stop(id, other)).toMatchObject({
      status: 'draft',
      window: null,
      stopped: { by: other.name },
    });
    expect(await noticesOf(test.db, admin.id, 'payroll-stopped')).toEqual([
      expect.stringContaining('Nobody was paid.'),
    ]);
    await postPayroll(test.db, after(WINDOW_S + 1), id);
    expect(await sweepPayroll(test.db, after(WINDOW_S + 1))).toBe(0);
    expect(await accountForPayroll(test.db, id)).toMatchObject({
      paidLines: 0,
      doubles: 0,
      notifications: 0,
      batchPaidMinor: 0n,
    });
    await expect(stop(id)).rejects.toMatchObject({ code: 'payroll_wrong_status' });
  });

  it('cannot be stopped once it is being sent', async () => {
    await setWindow(0);
    const id = await confirmPayroll(test.db, admin);
    await expect(stop(id)).rejects.toMatchObject({ code: 'payroll_already_sent' });
    await postPayroll(test.db, services, id);
    await expect(stop(id)).rejects.toMatchObject({ code: 'payroll_already_sent' });
  });

  it('is either stopped or sent when both happen at the same moment', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const id = await confirmPayroll(test.db, admin);
      const stopping = () => stop(id);
      const sending = () => postPayroll(test.db, after(WINDOW_S + 1), id);
      const acts = round % 2 === 0 ? [stopping, sending] : [sending, stopping];
      const results = await Promise.allSettled(acts.map((act) => act()));
      const stopped = results[acts.indexOf(stopping)];
      const { status, paidCount } = await batchOf(id);
      if (stopped?.status === 'fulfilled') {
        expect([status, paidCount]).toEqual(['draft', 0]);
      } else {
        expect([status, paidCount]).toEqual(['completed', PEOPLE]);
        expectOneWins(results, 'payroll_already_sent');
      }
      expect((await accountForPayroll(test.db, id)).doubles).toBe(0);
      outcomes.add(status);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it('is stopped once when two admins do at the same moment', async () => {
    const id = await confirmPayroll(test.db, admin);
    const results = await Promise.allSettled([stop(id), stop(id)]);
    expectOneWins(results, 'payroll_wrong_status');
  });
});

describe('the job', () => {
  const scheduled = async (id: string) => {
    const { rows } = await sql<{ leadMs: number }>`
      SELECT extract(epoch FROM batch.post_after - job.run_at)::float8 * 1000 AS lead_ms
        FROM graphile_worker.jobs AS job
        JOIN payroll_batch AS batch ON job.key = 'post-payroll ' || batch.id
       WHERE batch.id = ${id}`.execute(test.db);
    return rows;
  };

  it('is asked for again shortly before the payroll is due', async () => {
    const id = await confirmPayroll(test.db, admin);
    for (let turn = 0; turn < 2; turn += 1) {
      await postPayrollJob(test.db, services, { batchId: id });
    }
    const [job, ...others] = await scheduled(id);
    expect(others).toEqual([]);
    expect(job?.leadMs).toBeGreaterThan(2_000);
    expect(job?.leadMs).toBeLessThan(4_000);
    expect((await batchOf(id)).status).toBe('pending');
  });

  it('sends on the second when that is near', async () => {
    await setWindow(1);
    const id = await confirmPayroll(test.db, admin);
    await postPayrollJob(test.db, services, { batchId: id });
    expect((await batchOf(id)).status).toBe('completed');
    const { rows } = await sql<{ lateMs: number }>`
      SELECT extract(epoch FROM started_at - post_after)::float8 * 1000 AS late_ms
        FROM payroll_batch WHERE id = ${id}`.execute(test.db);
    expect(rows[0]?.lateMs).toBeGreaterThanOrEqual(0);
  });
});

const listed = async () => {
  const asking = await readBatchReader(test.db, admin.id);
  const query = { ...firstView(payrollBatchList), page: 1, pageSize: 100 };
  return (await payrollBatches.page(test.db, query, asking)).items.map((batch) => batch.id);
};

describe('a stopped payroll', () => {
  it('is listed as a draft alone, still there by its address, and not discarded itself', async () => {
    const id = await confirmPayroll(test.db, admin);
    expect(await listed()).toContain(id);
    await stop(id);
    expect(await listed()).not.toContain(id);
    expect(await batchOf(id)).toMatchObject({ status: 'draft', draftId: expect.any(String) });
    await expect(discard(id)).rejects.toMatchObject({ code: 'payroll_wrong_status' });
  });
});

describe('a declined funding', () => {
  it('is discarded once: no longer listed, and still there by its address', async () => {
    await sql`UPDATE company_settings SET separate_payroll_minor = 1`.execute(test.db);
    const [{ id: funded, walletId = '' } = { id: '' }] = await seedEmployees(test.db, { count: 1 });
    const { id } = await fundAsSeen(
      test.db,
      createTestServices(),
      { actor: admin },
      {
        id: funded,
        walletId,
        type: 'bonus',
        amount: money(500n, 'USD'),
        description: '',
      },
    );
    await expect(discard(id)).rejects.toMatchObject({ code: 'payroll_wrong_status' });
    const other = await seedAdmin(test.db);
    await withTx(test.db, (tx) =>
      payrollActs.decline(tx, services, { actor: other }, { id, reason: 'Not agreed' }),
    );
    expect(await listed()).toContain(id);
    expect((await discard(id)).discardedAt).not.toBe(null);
    expect(await listed()).not.toContain(id);
    await expect(discard(id)).rejects.toMatchObject({ code: 'payroll_wrong_status' });
    await sql`UPDATE company_settings SET separate_payroll_minor = NULL`.execute(test.db);
  });
});
