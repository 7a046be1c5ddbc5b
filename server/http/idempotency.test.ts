import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATHS } from '#contract/paths.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, expectSoundMoney, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createLogLines } from '#test/log-lines.ts';
import { tableSums } from '#test/table-sums.ts';
import { openOwner } from '#test/unguarded.ts';

const [METHOD, PATH] = PATHS.requestWithdrawal;

let purser: TestApp;
let payee: Payee;
let other: Payee;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  const { by: admin } = await createAdmin(purser.db, purser.services);
  payee = await createPayee(purser.db, purser.services, { admin });
  other = await createPayee(purser.db, purser.services, { admin });
  cookie = await purser.cookieOf(payee.by.actor);
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});

function request(key: string, amountMinor = 1_000n): Promise<Response> {
  return purser.ask(METHOD, PATH, { cookie, key, body: withdrawalOf(payee, amountMinor) });
}

async function countRequests(): Promise<number> {
  const rows = await purser.db
    .selectFrom('withdrawal')
    .select('id')
    .where('userId', '=', payee.by.actor.id)
    .execute();
  return rows.length;
}

test('answers a repeated request with the same reply', async () => {
  const key = randomUUID();
  const first = await request(key);
  expect(first.status).toBe(201);
  expect(first.headers.has('idempotency-replayed')).toBe(false);
  const before = await tableSums(purser.db);
  const second = await request(key);
  expect(second.status).toBe(201);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await second.text()).toBe(await first.text());
  expect(await tableSums(purser.db)).toEqual(before);
});

test('answers for an account whose stored balance was changed that it is being checked, and logs it', async () => {
  const { log, lines } = createLogLines();
  const tampered = await openTestApp({ log });
  const { by: admin } = await createAdmin(tampered.db, tampered.services);
  const owner = await createPayee(tampered.db, tampered.services, { admin });
  const as = await tampered.cookieOf(owner.by.actor);
  const opened = openOwner(tampered.ownerUrl);
  await sql`ALTER TABLE ledger_account DISABLE TRIGGER USER`.execute(opened.db);
  await sql`UPDATE ledger_account SET posted = posted + 1000000 WHERE owner_id = ${owner.by.actor.id}`.execute(
    opened.db,
  );
  await opened.close();
  const body = withdrawalOf(owner, 1_000n);
  const reply = await tampered.ask(METHOD, PATH, { cookie: as, key: randomUUID(), body });
  expect(reply.status).toBe(409);
  expect(await reply.json()).toMatchObject({
    code: 'balance_differs',
    title: expect.stringContaining('This account is being checked'),
  });
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  expect(await tampered.db.selectFrom('withdrawal').select('id').execute()).toEqual([]);
  await tampered.close();
});

test('runs one of many concurrent requests and gives all the same reply', async () => {
  const key = randomUUID();
  const count = await countRequests();
  const replies = await Promise.all(Array.from({ length: 8 }, () => request(key)));
  expect(replies.map(({ status }) => status)).toEqual(Array<number>(8).fill(201));
  const replayed = replies.filter(({ headers }) => headers.has('idempotency-replayed'));
  expect(replayed).toHaveLength(7);
  const texts = new Set(await Promise.all(replies.map((reply) => reply.text())));
  expect(texts.size).toBe(1);
  expect(await countRequests()).toBe(count + 1);
});

test('runs the same request twice with two keys', async () => {
  const count = await countRequests();
  await request(randomUUID());
  await request(randomUUID());
  expect(await countRequests()).toBe(count + 2);
});

test('refuses a key that was used for another request', async () => {
  const key = randomUUID();
  await request(key);
  const count = await countRequests();
  const changed = await request(key, 2_000n);
  expect(changed.status).toBe(422);
  expect(await changed.json()).toMatchObject({ code: 'idempotency_key_reused' });
  const [method, path] = PATHS.cancelWithdrawal;
  const elsewhere = await purser.ask(method, path.replace('{id}', randomUUID()), { cookie, key });
  expect(await elsewhere.json()).toMatchObject({ code: 'idempotency_key_reused' });
  expect(await countRequests()).toBe(count);
});

test('does not store a refusal: the same key may succeed later', async () => {
  const key = randomUUID();
  const refused = await request(key, 99_999_999n);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'insufficient_funds' });
  expect((await request(key)).status).toBe(201);
});

test('keeps the keys of two people apart', async () => {
  const key = randomUUID();
  expect((await request(key)).status).toBe(201);
  const theirs = await purser.ask(METHOD, PATH, {
    cookie: await purser.cookieOf(other.by.actor),
    key,
    body: withdrawalOf(other, 1_000n),
  });
  expect(theirs.status).toBe(201);
  expect(theirs.headers.has('idempotency-replayed')).toBe(false);
});

test('treats a body with its fields in another order as the same', async () => {
  const key = randomUUID();
  await request(key);
  const reversed = Object.fromEntries(Object.entries(withdrawalOf(payee, 1_000n)).toReversed());
  const again = await purser.ask(METHOD, PATH, { cookie, key, body: reversed });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});
