import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { accountBalances, verifyLedger } from '#server/modules/ledger/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { postPayroll, postPayrollJob, sweepPayroll } from './index.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { getPayrollBatch } from './queries.ts';
import { payrollActs } from './batch.ts';

const services = { clock: systemClock };
const CHUNK_LINES = 4;

let test: TestDb;
let admin: Actor;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  admin = await seedAdmin(test.db);
});

const post = (batchId: string) =>
  postPayroll(test.db, services, batchId, { chunkLines: CHUNK_LINES });
const batch = (id: string) => getPayrollBatch(test.db, id, admin.id);
const lines = async (
  id: string,
  query: { status?: 'all' | 'draft' | 'failed' | 'skipped' | 'processed' },
) =>
  payrollLines.page(
    test.db,
    { page: 1, pageSize: 100, status: 'all', search: '', ...query },
    await lineScope(test.db, id),
  );

const countLines = async (id: string, status: 'draft' | 'processed') =>
  (await payrollLines.count(test.db, { status, search: '' }, await lineScope(test.db, id))).total;

/** Takes the outbox's rows. */
async function drainOutbox(): Promise<{ kind: string; topic: string; userId: string | null }[]> {
  const { rows } = await sql<{ kind: string; topic: string; userId: string | null }>`
    WITH taken AS (DELETE FROM outbox RETURNING *)
    SELECT kind, topic, user_id FROM taken ORDER BY id`.execute(test.db);
  return rows;
}

/** Deactivates the people of lines of a batch, or makes them active again. */
async function setInactive(id: string, numbers: readonly number[], isInactive: boolean) {
  await sql`UPDATE app_user SET deactivated_at = ${isInactive ? new Date() : null} WHERE id IN (
    SELECT user_id FROM payroll_line
     WHERE batch_id = ${id} AND line_number = ANY (${numbers}::integer[]))`.execute(test.db);
}

async function signIn(userId: string, expires: string): Promise<void> {
  await sql`INSERT INTO auth_session (user_id, token_hash, expires_at)
            VALUES (${userId}, gen_random_uuid()::text, now() + ${expires}::interval)`.execute(
    test.db,
  );
}

describe('posting', () => {
  it('pays each line once, in chunks, and completes the batch', async () => {
    const people = await seedEmployees(test.db, { count: 10 });
    await seedEmployees(test.db, { count: 2, walletType: null });
    const id = await confirmPayroll(test.db, admin);
    await post(id);

    const balances = await accountBalances(
      test.db,
      people.flatMap((person) => person.ledgerAccountId ?? []),
    );
    expect([...balances.values()].map((balance) => balance.availableMinor)).toEqual(
      Array(10).fill(PAYROLL_AMOUNT_MINOR),
    );
    const done = await batch(id);
    expect(done).toMatchObject({ status: 'completed', paidCount: 10, skippedCount: 2 });
    expect(done.history.map(({ status, note }) => [status, note])).toEqual([
      ['draft', null],
      ['processing', '10 of 10 employees paid'],
      ['completed', null],
    ]);
    const paid = await lines(id, { status: 'processed' });
    expect(paid.items).toHaveLength(10);
    expect(await countLines(id, 'processed')).toBe(10);
    expect(paid.items[9]?.reference).toBe(`PAY-${done.number}-0010`);
    expect((await lines(id, { status: 'skipped' })).items.map((line) => line.reason)).toEqual([
      'no_wallet',
      'no_wallet',
    ]);
    expect((await lines(id, { status: 'draft' })).items).toEqual([]);
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  });

  it('does nothing the second time, nor with two concurrent posters', async () => {
    await seedEmployees(test.db, { count: 30 });
    const id = await confirmPayroll(test.db, admin);
    await Promise.all([post(id), post(id), post(id)]);
    await post(id);
    expect(await accountForPayroll(test.db, id)).toMatchObject({
      paidLines: 30,
      losses: 0,
      doubles: 0,
      notifications: 30,
    });
  });

  it('stops between two chunks when asked to, and goes on later', async () => {
    await seedEmployees(test.db, { count: 10 });
    const id = await confirmPayroll(test.db, admin);
    const stopping = new AbortController();
    const clock = {
      now() {
        stopping.abort();
        return new Date();
      },
    };
    await postPayroll(test.db, { clock }, id, { chunkLines: 4, signal: stopping.signal });
    expect(await batch(id)).toMatchObject({ status: 'processing', paidCount: 4 });
    await post(id);
    expect(await batch(id)).toMatchObject({ status: 'completed', paidCount: 10 });
  });

  it('ignores a batch that does not exist', async () => {
    await expect(post('00000000-0000-7000-8000-000000000000')).resolves.toBeUndefined();
  });

  it('reaches everybody by notification and mail, and only open screens by event', async () => {
    const [online, expired, offline] = await seedEmployees(test.db, { count: 3 });
    await signIn(String(online?.id), '1 hour');
    await signIn(String(online?.id), '2 hours');
    await signIn(String(expired?.id), '-1 hour');
    const id = await confirmPayroll(test.db, admin);
    await drainOutbox();
    await post(id);

    const sent = await drainOutbox();
    const mailed = sent.filter((row) => row.kind === 'mail').map((row) => row.userId);
    expect(new Set(mailed)).toEqual(new Set([online?.id, expired?.id, offline?.id, admin.id]));
    expect(mailed).toHaveLength(4);
    const events = sent.filter((row) => row.kind === 'event');
    expect(events.filter((row) => row.userId === online?.id).map((row) => row.topic)).toEqual([
      'notifications',
      'wallets',
    ]);
    expect(new Set(events.map((row) => row.userId))).toEqual(new Set([online?.id, admin.id, null]));

    const { rows } = await sql<{ title: string; message: string }>`
      SELECT title, message FROM notification WHERE user_id = ${offline?.id}`.execute(test.db);
    expect(rows).toEqual([
      {
        title: 'Payroll received',
        message: '$1,920.00 arrived in your Salary Wallet: Biweekly pay',
      },
    ]);
    const { rows: toAdmin } = await sql<{ title: string }>`
      SELECT title FROM notification WHERE user_id = ${admin.id}`.execute(test.db);
    expect(toAdmin).toEqual([{ title: 'Payroll Processed Successfully' }]);
  });

  it('writes one audit row for the whole, none per line', async () => {
    await seedEmployees(test.db, { count: 9 });
    const id = await confirmPayroll(test.db, admin);
    await post(id);
    const { rows } = await sql<{ action: string; actorRole: string }>`
      SELECT action, actor_role FROM audit_event WHERE subject_id = ${id} ORDER BY id`.execute(
      test.db,
    );
    expect(rows).toEqual([
      { action: 'payroll.sent', actorRole: 'admin' },
      { action: 'payroll.completed', actorRole: 'system' },
    ]);
  });
});

describe('a line that cannot be paid', () => {
  it('fails alone, with its reason, and can be retried', async () => {
    const people = await seedEmployees(test.db, { count: 9 });
    const [closed, inactive] = people;
    const id = await confirmPayroll(test.db, admin);
    await sql`UPDATE wallet SET closed_at = now() WHERE id = ${closed?.walletId}`.execute(test.db);
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${inactive?.id}`.execute(
      test.db,
    );
    await post(id);

    expect(await batch(id)).toMatchObject({ status: 'completed', paidCount: 7, failedCount: 2 });
    const failed = await lines(id, { status: 'failed' });
    expect(new Map(failed.items.map((line) => [line.employee.id, line.reason]))).toEqual(
      new Map([
        [closed?.id, 'wallet_closed'],
        [inactive?.id, 'employee_inactive'],
      ]),
    );

    await sql`UPDATE wallet SET closed_at = NULL WHERE id = ${closed?.walletId}`.execute(test.db);
    const retried = await withTx(test.db, (tx) =>
      payrollActs.retryFailed(tx, services, { actor: admin }, { id }),
    );
    expect(retried).toMatchObject({ status: 'processing', failedCount: 0, processedAt: null });
    expect(await countLines(id, 'draft')).toBe(2);
    await post(id);
    expect(await batch(id)).toMatchObject({ status: 'completed', paidCount: 8, failedCount: 1 });
    expect(await accountForPayroll(test.db, id)).toMatchObject({
      paidLines: 8,
      losses: 0,
      doubles: 0,
      movedMinor: 8n * PAYROLL_AMOUNT_MINOR,
      batchPaidMinor: 8n * PAYROLL_AMOUNT_MINOR,
      notifications: 8,
      mails: 8,
    });
  });

  it('fails the batch only when nobody could be paid', async () => {
    await seedEmployees(test.db, { count: 5 });
    const id = await confirmPayroll(test.db, admin);
    await retireEverybody(test.db);
    await post(id);
    expect(await batch(id)).toMatchObject({ status: 'failed', paidCount: 0, failedCount: 5 });
    const { rows } = await sql<{ title: string }>`
      SELECT title FROM notification WHERE user_id = ${admin.id}`.execute(test.db);
    expect(rows).toEqual([{ title: 'Payroll Processing Failed' }]);
  });

  it('refuses to retry what has nothing to retry', async () => {
    await seedEmployees(test.db, { count: 1 });
    const id = await confirmPayroll(test.db, admin);
    const retry = () =>
      withTx(test.db, (tx) => payrollActs.retryFailed(tx, services, { actor: admin }, { id }));
    await expect(retry()).rejects.toMatchObject({
      message: 'This payroll batch is processing, so this is not possible.',
    });
    await post(id);
    await expect(retry()).rejects.toMatchObject({
      code: 'payroll_wrong_status',
      message: 'This payroll batch is completed, so this is not possible.',
    });
    await expect(batch('00000000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      message: 'This payroll batch was not found.',
    });
  });
});

describe('mails of a large batch', () => {
  it('are asked for after it is completed, each once, whatever is stopped or retried meanwhile', async () => {
    const people = await seedEmployees(test.db, { count: 9 });
    const id = await confirmPayroll(test.db, admin);
    // Lines 3 and 8 wait for their retry: before and after what is mailed by then.
    await setInactive(id, [3, 8], true);
    await drainOutbox();
    let chunks = 0;
    const mailed = async () =>
      (await drainOutbox()).flatMap(({ kind, userId }) =>
        kind === 'mail' && userId !== admin.id ? [userId] : [],
      );
    await postPayroll(test.db, services, id, {
      mailedLines: 4,
      // One chunk of lines, then one of mails.
      signal: {
        get aborted() {
          return chunks++ === 2;
        },
      } as AbortSignal,
    });
    expect(await batch(id)).toMatchObject({ status: 'completed', paidCount: 7, failedCount: 2 });
    const first = await mailed();
    expect(first).toHaveLength(3);

    await sweepPayroll(test.db, services);
    expect(await drainOutbox()).toEqual([{ kind: 'job', topic: 'post-payroll', userId: null }]);
    await setInactive(id, [3, 8], false);
    await withTx(test.db, (tx) => payrollActs.retryFailed(tx, services, { actor: admin }, { id }));
    await postPayroll(test.db, services, id, { mailedLines: 4 });
    const rest = await mailed();
    expect([...first, ...rest]).toHaveLength(people.length);
    expect(new Set([...first, ...rest])).toEqual(new Set(people.map((person) => person.id)));
    await postPayroll(test.db, services, id, { mailedLines: 4 });
    expect(await mailed()).toEqual([]);
    expect(await accountForPayroll(test.db, id)).toMatchObject({ paidLines: 9, notifications: 9 });
  });
});

describe('the sweep', () => {
  it('asks again for what is unfinished and due, and for nothing else', async () => {
    await seedEmployees(test.db, { count: 3 });
    const left = await confirmPayroll(test.db, admin);
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 60`.execute(test.db);
    const waiting = await confirmPayroll(test.db, admin);
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(test.db);
    const finished = await confirmPayroll(test.db, admin);
    await post(finished);

    const due = async (clock: { now(): Date }) => {
      await drainOutbox();
      await sweepPayroll(test.db, { clock });
      const { rows } = await sql<{ batchId: string }>`
        SELECT payload->>'batchId' AS batch_id FROM outbox WHERE kind = 'job'`.execute(test.db);
      return rows.map((row) => row.batchId);
    };
    expect(await due(systemClock)).toEqual([left]);
    const later = { now: () => new Date(Date.now() + 61_000) };
    expect(await due(later)).toEqual([left, waiting]);

    await postPayrollJob(test.db, services, { batchId: waiting });
    expect((await batch(waiting)).status).toBe('pending');
    await postPayrollJob(test.db, { clock: later }, { batchId: waiting });
    expect((await batch(waiting)).status).toBe('completed');
  });
});
