import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Withdrawal } from '#contract/api.ts';
import { createMoneyCompany, withdrawalRequest } from '#test/money-company.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { until } from '#test/until.ts';

let database: TestDb;
let company: MoneyCompany;
let silentMail: Server;

beforeAll(async () => {
  database = await openTestDb();
  company = await createMoneyCompany(database, { people: 1, fundedMinor: 1_000_000n });
  // Takes connections and never says a word: a mail to it is in progress until it times out.
  silentMail = createServer(() => undefined);
  await new Promise<void>((resolve) => silentMail.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  silentMail?.close();
  await company?.close();
  await database?.close();
});

interface Job {
  id: string;
  attempts: number;
  lastError: string | null;
  isLocked: boolean;
}

async function jobs(): Promise<Job[]> {
  const { rows } = await sql<Job>`
    select id::text, attempts, last_error, locked_at is not null as is_locked
      from graphile_worker._private_jobs order by id`.execute(database.db);
  return rows;
}

/** Asks for a withdrawal, which mails the admins; answers its id. */
async function causeMail(server: ServerProcess): Promise<string> {
  const [payee] = company.payees;
  if (payee === undefined) throw new Error('There is nobody to ask');
  const response = await fetch(
    withdrawalRequest(server, payee, { key: randomUUID(), minor: 100n }),
  );
  expect(response.status).toBe(201);
  return ((await response.json()) as Withdrawal).id;
}

test('a job that fails only fails its own attempt', async () => {
  const server = await company.startServer({ SMTP_URL: 'smtp://127.0.0.1:1' });
  await causeMail(server);
  let failed: Job | undefined;
  // There are several jobs, and any of them may be the first that fails.
  await until(async () => {
    failed = (await jobs()).find(({ lastError, isLocked }) => lastError !== null && !isLocked);
    return failed !== undefined;
  });
  // A busy machine may not look before the second attempt.
  expect(failed?.attempts).toBeGreaterThan(0);
  expect(failed?.lastError).toContain('The mail server did not take the mail');
  // The runner goes on: it makes the next attempt, too.
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(database.db);
  await until(async () => (await jobs()).some(({ attempts }) => attempts > 1));
  expect(server.child.exitCode, server.said()).toBe(null);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await server.stop();
  await sql`delete from graphile_worker._private_jobs`.execute(database.db);
});

test('a clean stop leaves nothing unsealed', async () => {
  const server = await company.startServer();
  const id = await causeMail(server);
  for (const step of ['approve', 'start-processing', 'complete']) {
    const response = await fetch(`${server.origin}/api/admin/withdrawals/${id}/${step}`, {
      method: 'POST',
      headers: {
        cookie: company.admin.cookie,
        origin: server.origin,
        'idempotency-key': randomUUID(),
      },
    });
    expect(response.status).toBe(200);
  }
  await server.stop();
  const { rows } = await sql`select from ledger_unsealed`.execute(database.db);
  expect(rows).toEqual([]);
});

test('a job of a killed process is taken up again once its lock is void', async () => {
  const { port } = silentMail.address() as AddressInfo;
  const killed = await company.startServer({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await causeMail(killed);
  await until(async () => (await jobs()).some(({ isLocked }) => isLocked));
  await killed.kill();
  expect((await jobs()).some(({ isLocked }) => isLocked)).toBe(true);

  const server = await company.startServer();
  await until(async () => (await jobs()).length === 0);
  expect(server.child.exitCode, server.said()).toBe(null);
  await server.stop();
});
