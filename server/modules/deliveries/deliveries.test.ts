import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FailedDelivery, RouteReply } from '#contract/api.ts';
import { PATHS } from '#contract/paths.ts';
import { SEND_MAIL } from '#server/events/deliver.ts';
import { relayBatch } from '#server/events/relay.ts';
import { systemClock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import { postPayrollJob, sweepPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';

let purser: TestApp;
let admin: TestPerson;
let maya: TestPerson;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  maya = await createEmployee(purser.db, purser.services, { firstName: 'Maya', lastName: 'Ruiz' });
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());
beforeEach(async () => {
  await sql`DELETE FROM outbox`.execute(purser.db);
  await sql`DELETE FROM outbox_failed`.execute(purser.db);
  await sql`DELETE FROM graphile_worker._private_jobs`.execute(purser.db);
});

const [, listPath] = PATHS.adminListFailedDeliveries;

async function list(query = ''): Promise<RouteReply<'adminListFailedDeliveries'>> {
  const response = await purser.ask('GET', `${listPath}${query}`, { cookie });
  expect(response.status).toBe(200);
  return (await response.json()) as RouteReply<'adminListFailedDeliveries'>;
}
async function only(): Promise<FailedDelivery> {
  const { items } = await list();
  expect(items).toHaveLength(1);
  return items[0] as FailedDelivery;
}
async function count(): Promise<number> {
  const response = await purser.ask('GET', `${listPath}/count`, { cookie });
  return ((await response.json()) as { total: number }).total;
}
const act = (what: 'retry' | 'discard', id: string) =>
  purser.ask('POST', `${listPath}/${id}/${what}`, { cookie });

/** Inserts a mail that the relay could not deliver, of that age. */
async function setAsideMail(topic: string, userId: string | null, hoursOld = 1): Promise<void> {
  await sql`
    WITH numbered AS (INSERT INTO outbox (kind, topic) VALUES ('mail', 'x') RETURNING id)
    INSERT INTO outbox_failed (id, kind, topic, user_id, payload, created_at, attempts, last_error)
    SELECT id, 'mail', ${topic}, ${userId}, '{}', now() - make_interval(hours => ${hoursOld}), 4,
           'This version knows no such mail'
      FROM numbered`.execute(purser.db);
  await sql`DELETE FROM outbox`.execute(purser.db);
}

/** Inserts a job that the queue has tried as often as allowed. */
async function giveUpJob(task: string, payload: object, lastError: string | null): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
                                           max_attempts => 12)`.execute(purser.db);
  await sql`UPDATE graphile_worker._private_jobs SET attempts = 12, last_error = ${lastError}
             WHERE attempts = 0`.execute(purser.db);
}

const mailTo = (userId: string, kind = 'notification') => ({
  kind,
  userId,
  payload: { notificationId: newId() },
});

function batchOf(id: string) {
  return purser.db
    .selectFrom('payrollBatch')
    .select(['number', 'name', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function lastAudit() {
  return purser.db
    .selectFrom('auditEvent')
    .select(['action', 'actorId', 'personId', 'details'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

describe('the list', () => {
  it('shows rows that were set aside and jobs that were given up, newest first', async () => {
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id <> ${admin.id} AND id <> ${maya.id}`.execute(
      purser.db,
    );
    await setAsideMail('reset-password', maya.id, 2);
    await giveUpJob(SEND_MAIL, mailTo(maya.id), 'connect ECONNREFUSED 127.0.0.1:25');
    const batchId = await confirmPayroll(purser.db, admin);
    await sql`DELETE FROM outbox`.execute(purser.db);
    await giveUpJob('post-payroll', { batchId }, null);
    const { number, name } = await batchOf(batchId);

    const person = { id: maya.id, name: 'Maya Ruiz', employeeId: expect.any(String) };
    const { items, hasMore } = await list();
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^job-\d+$/),
        kind: 'job',
        topic: 'post-payroll',
        person: null,
        batch: { number, name },
        since: expect.any(String),
        attempts: 12,
        lastError: null,
      },
      {
        id: expect.stringMatching(/^job-\d+$/),
        kind: 'mail',
        topic: 'notification',
        person,
        batch: null,
        since: expect.any(String),
        attempts: 12,
        lastError: 'connect ECONNREFUSED 127.0.0.1:25',
      },
      {
        id: expect.stringMatching(/^outbox-\d+$/),
        kind: 'mail',
        topic: 'reset-password',
        person,
        batch: null,
        since: expect.any(String),
        attempts: 4,
        lastError: 'This version knows no such mail',
      },
    ]);
    expect(hasMore).toBe(false);
    expect(await count()).toBe(3);
    expect((await list('?pageSize=1&page=2')).items).toEqual([items[1]]);
  });

  it('shows no address and no token', async () => {
    const error = '550 <maya@purser.test> "Maya Ruiz" token 8f1c2d3e4b5a69788f1c2d3e4b5a6978';
    await giveUpJob(SEND_MAIL, mailTo(maya.id), error);
    expect((await only()).lastError).toBe('550 <…> … token …');
  });

  it('leaves out deliveries that are still retried', async () => {
    await setAsideMail('reset-password', maya.id);
    await sql`UPDATE outbox_failed SET next_attempt_at = now() + interval '1 hour'`.execute(
      purser.db,
    );
    await giveUpJob(SEND_MAIL, mailTo(maya.id), 'x');
    await sql`UPDATE graphile_worker._private_jobs SET locked_at = now()`.execute(purser.db);
    await giveUpJob('sweep-payroll', {}, 'the clock asks again');
    expect((await list()).items).toEqual([]);
    expect(await count()).toBe(0);
  });

  it('accepts a malformed payload', async () => {
    await giveUpJob(SEND_MAIL, { userId: 'nobody' }, 'x');
    await giveUpJob('post-payroll', [1, 2], 'x');
    expect((await list()).items).toMatchObject([
      { kind: 'job', batch: null },
      { kind: 'mail', topic: 'unknown', person: null },
    ]);
    for (const { id } of (await list()).items) expect((await act('discard', id)).status).toBe(200);
  });
});

describe('retrying', () => {
  it('makes the relay try a row that was set aside once more', async () => {
    await setAsideMail('notification', maya.id);
    const { id } = await only();
    expect((await act('retry', id)).status).toBe(200);
    expect(await lastAudit()).toMatchObject({
      action: 'delivery.retried',
      actorId: admin.id,
      details: { delivery: id },
    });
    await relayBatch(purser.db);
    const { rows } = await sql`SELECT FROM graphile_worker._private_jobs`.execute(purser.db);
    expect(rows).toHaveLength(1);
    expect((await act('retry', id)).status).toBe(404);
  });

  it('shows it again immediately when it fails again', async () => {
    await setAsideMail('no-such-mail', maya.id);
    const { id } = await only();
    await act('retry', id);
    expect(await count()).toBe(0);
    await relayBatch(purser.db);
    expect(await only()).toMatchObject({ id, attempts: 5 });
  });

  it('gives a job one more attempt', async () => {
    await giveUpJob(SEND_MAIL, mailTo(maya.id), 'x');
    const { id } = await only();
    expect((await act('retry', id)).status).toBe(200);
    const { rows } = await sql`
      SELECT attempts, is_available, run_at <= now() AS is_due
        FROM graphile_worker._private_jobs`.execute(purser.db);
    expect(rows).toEqual([{ attempts: 11, isAvailable: true, isDue: true }]);
    expect((await act('retry', id)).status).toBe(404);
  });

  it('is possible for all together', async () => {
    await setAsideMail('notification', maya.id);
    await setAsideMail('notification', maya.id);
    await giveUpJob(SEND_MAIL, mailTo(maya.id), 'x');
    const response = await purser.ask('POST', `${listPath}/retry-all`, { cookie });
    expect(await response.json()).toEqual({ retried: 3 });
    expect(await count()).toBe(0);
    expect(await lastAudit()).toMatchObject({
      action: 'delivery.all_retried',
      details: { deliveries: 3 },
    });
    const again = await purser.ask('POST', `${listPath}/retry-all`, { cookie });
    expect(await again.json()).toEqual({ retried: 0 });
  });
});

describe('discarding', () => {
  it('removes a row and records it in the audit trail', async () => {
    await setAsideMail('reset-password', maya.id);
    const { id } = await only();
    expect((await act('discard', id)).status).toBe(200);
    expect(await count()).toBe(0);
    expect(await purser.db.selectFrom('outboxFailed').select('id').execute()).toEqual([]);
    expect(await lastAudit()).toEqual({
      action: 'delivery.discarded',
      actorId: admin.id,
      personId: maya.id,
      details: { delivery: id, what: 'mail reset-password' },
    });
    const gone = await act('discard', id);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ code: 'delivery_not_found' });
  });

  it('removes a job', async () => {
    await giveUpJob(SEND_MAIL, mailTo(maya.id, 'password-changed'), 'x');
    const { id } = await only();
    await act('discard', id);
    expect(await lastAudit()).toMatchObject({
      personId: maya.id,
      details: { delivery: id, what: 'mail password-changed' },
    });
    const { rows } = await sql`SELECT FROM graphile_worker._private_jobs`.execute(purser.db);
    expect(rows).toEqual([]);
  });

  it('still lets everybody be paid, if it discards the start of a payroll', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const batchId = await confirmPayroll(purser.db, admin);
    await sql`DELETE FROM outbox`.execute(purser.db);
    await giveUpJob('post-payroll', { batchId }, 'x');
    await act('discard', (await only()).id);
    expect(await lastAudit()).toMatchObject({ details: { what: 'job post-payroll', batchId } });

    const services = { clock: systemClock };
    expect(await sweepPayroll(purser.db, services)).toBeGreaterThan(0);
    await relayBatch(purser.db);
    const { rows } = await sql<{ payload: Record<string, string> }>`
      SELECT payload FROM graphile_worker._private_jobs
       WHERE payload->>'batchId' = ${batchId}`.execute(purser.db);
    expect(rows).toHaveLength(1);
    await postPayrollJob(purser.db, services, rows[0]?.payload ?? {});
    expect((await batchOf(batchId)).status).toBe('completed');
  });
});

it('does not touch deliveries that are still retried, nor jobs from outside the outbox', async () => {
  await setAsideMail('notification', maya.id);
  const row = await only();
  await sql`UPDATE outbox_failed SET next_attempt_at = now() + interval '1 hour'`.execute(
    purser.db,
  );
  await giveUpJob(SEND_MAIL, mailTo(maya.id), 'x');
  const job = await only();
  await sql`UPDATE graphile_worker._private_jobs SET locked_at = now()`.execute(purser.db);
  for (const { id } of [row, job]) {
    expect((await act('retry', id)).status).toBe(404);
    expect((await act('discard', id)).status).toBe(404);
  }
  for (const id of ['outbox-0', 'job-', 'sweep-1', `job-${'9'.repeat(19)}`]) {
    expect((await act('discard', id)).status).toBe(422);
  }
});
