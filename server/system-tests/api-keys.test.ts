import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiScope } from '#contract/api-keys.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { resolveApiKey } from '#server/modules/identity/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { acceptProposals } from '#test/proposals.ts';

let purser: TestApp;
let admin: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());

interface Made {
  id: string;
  key: string;
  expiresAt: string;
}

async function makeKey(scopes: readonly ApiScope[], as = cookie): Promise<Made> {
  const dailyLimit = { minor: '5000000', currency: 'USD' };
  const body = { name: 'Time tracking', scopes, days: 30, dailyLimit };
  const reply = await purser.ask('POST', '/api/admin/api-keys', { cookie: as, body });
  expect(reply.status).toBe(201);
  return (await reply.json()) as Made;
}

async function askBy(key: string, method: string, path: string, body?: unknown, money = '') {
  const reply = await purser.ask(method, path, {
    headers: { authorization: `Bearer ${key}`, origin: null },
    ...(body !== undefined && { body }),
    ...(money !== '' && { key: money }),
  });
  return (await reply.json()) as Record<string, unknown>;
}
const listBatches = (key: string) => askBy(key, 'GET', '/api/admin/payroll/batches');

const detailsOf = async (action: string) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['actorId', 'actorRole', 'details'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
  return rows;
};

test('a key reads what its scope names, and nothing else', async () => {
  const { id, key } = await makeKey(['payroll:read']);
  expect(await listBatches(key)).toMatchObject({ items: [] });
  for (const [method, path] of [
    ['GET', '/api/admin/employees'],
    ['GET', '/api/session'],
    ['GET', '/api/admin/api-keys'],
    ['POST', '/api/admin/payroll/preview'],
  ] as const) {
    expect(await askBy(key, method, path), path).toMatchObject({ code: 'api_key_refused' });
  }
  const refused = await detailsOf('access.refused');
  expect(refused).toContainEqual({
    actorId: admin.id,
    actorRole: 'apiKey',
    details: { operation: 'adminPreviewPayroll', apiKey: 'Time tracking', apiKeyId: id },
  });
});

test('is accepted in the header alone: not a wrong one, and none in an address', async () => {
  const { key } = await makeKey(['payroll:read']);
  for (const wrong of ['x', `${key}x`, key.toLowerCase(), key.replace(/.$/, '_')]) {
    if (wrong === key) continue;
    expect(await listBatches(wrong), wrong).toMatchObject({ code: 'api_key_invalid' });
  }
  for (const name of ['key', 'api_key', 'access_token', 'authorization']) {
    const path = `/api/admin/payroll/batches?${name}=${encodeURIComponent(key)}`;
    expect(await (await purser.ask('GET', path)).json()).toMatchObject({ code: 'unauthenticated' });
  }
});

test('is shown once and rests as a hash', async () => {
  const { id, key } = await makeKey(['payroll:read']);
  const list = await purser.ask('GET', '/api/admin/api-keys', { cookie });
  const text = await list.text();
  expect(text).toContain(id);
  expect(text).not.toContain(key);
  const rows = await purser.db.selectFrom('apiKey').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(key.slice(11));
  expect(JSON.stringify(await detailsOf('api_key.created'))).not.toContain(key);
});

test('notes when it was used', async () => {
  const { id, key } = await makeKey(['payroll:read']);
  await listBatches(key);
  const list = await purser.ask('GET', '/api/admin/api-keys', { cookie });
  const { items } = (await list.json()) as { items: { id: string; lastUsedAt: string | null }[] };
  expect(items.find((one) => one.id === id)?.lastUsedAt).not.toBeNull();
});

test('is refused from its revocation on', async () => {
  const { id, key } = await makeKey(['payroll:read']);
  const path = `/api/admin/api-keys/${id}/revoke`;
  expect((await purser.ask('POST', path, { cookie })).status).toBe(200);
  expect(await listBatches(key)).toMatchObject({ code: 'api_key_invalid' });
  expect(await (await purser.ask('POST', path, { cookie })).json()).toMatchObject({
    code: 'api_key_not_active',
  });
});

test('works until its expiry and not from then on', async () => {
  const { key, expiresAt } = await makeKey(['payroll:read']);
  const at = (ms: number) => {
    const clock = { now: () => new Date(Date.parse(expiresAt) + ms) };
    const { db, services } = purser;
    return resolveApiKey({ db, services: { ...services, clock } }, key);
  };
  expect(await at(-1)).toMatchObject({ actor: { id: admin.id }, scopes: ['payroll:read'] });
  expect(await at(0)).toBeNull();
});

test.each([
  ['deactivated', 'deactivate'],
  ['admin no more', 'revoke-admin'],
])('ends for good once who made it is %s', async (_what, act) => {
  const maker = await createAdmin(purser.db, purser.services);
  const { key } = await makeKey(['payroll:read'], await purser.cookieOf(maker));
  const ended = await purser.ask('POST', `/api/admin/people/${maker.id}/${act}`, {
    cookie,
    body: { reason: 'Left the company' },
  });
  expect(ended.status).toBe(200);
  await acceptProposals(purser);
  expect(await listBatches(key)).toMatchObject({ code: 'api_key_invalid' });
  if (act === 'deactivate') {
    await purser.ask('POST', `/api/admin/people/${maker.id}/reactivate`, {
      cookie,
      body: { reason: 'Came back' },
    });
    await acceptProposals(purser);
    expect(await listBatches(key)).toMatchObject({ code: 'api_key_invalid' });
  }
});

test('sends a payroll once for each Idempotency-Key of its own, as the admin who made it', async () => {
  await createEmployee(purser.db, purser.services);
  const [one, two] = [await makeKey(['payroll:write']), await makeKey(['payroll:write'])];
  const order = {
    walletType: 'salary',
    department: 'all',
    amount: { minor: '100', currency: 'USD' },
    description: 'December',
  };
  const { hash } = await askBy(one.key, 'POST', '/api/admin/payroll/preview', order);
  const send = (key: string, money: string) =>
    askBy(key, 'POST', '/api/admin/payroll/batches', { ...order, previewHash: hash }, money);
  expect(await send(one.key, '')).toMatchObject({ code: 'idempotency_key_required' });
  const money = randomUUID();
  const sent = await send(one.key, money);
  expect(sent).toMatchObject({ createdBy: admin.name });
  expect(await send(one.key, money)).toEqual(sent);
  // Another key's Idempotency-Key is another: the same preview is not confirmed twice.
  expect(await send(two.key, money)).toMatchObject({ code: 'preview_stale' });
  expect(await detailsOf('payroll.sent')).toMatchObject([
    { actorId: admin.id, actorRole: 'apiKey', details: { apiKeyId: one.id } },
  ]);
});

test('reads its limit in every reply, and when to ask again once the limit is used up', async () => {
  const { key } = await makeKey(['payroll:read']);
  const ask = (path: string) =>
    purser.ask('GET', path, { headers: { authorization: `Bearer ${key}`, origin: null } });
  const limitOf = ({ headers }: Response) => ({
    policy: headers.get('ratelimit-policy'),
    limit: headers.get('ratelimit-limit'),
    remaining: headers.get('ratelimit-remaining'),
  });
  const most = HOURLY_LIMITS.apiKeyRequests;
  const policy = { policy: `${most};w=3600`, limit: String(most) };
  const first = await ask('/api/admin/payroll/batches');
  expect(limitOf(first)).toEqual({ ...policy, remaining: String(most - 1) });
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(3_500);
  // A refusal of the operation counts as well, and says so.
  const missing = await ask('/api/admin/payroll/batches/01980d3a-1111-7222-8333-444455556666');
  expect(missing.status).toBe(404);
  expect(limitOf(missing)).toEqual({ ...policy, remaining: String(most - 2) });

  await sql`UPDATE rate_limit SET points = ${most}
             WHERE key LIKE 'hourly.apiKeyRequests:%'`.execute(purser.db);
  const refused = await ask('/api/admin/payroll/batches');
  expect(refused.status).toBe(429);
  expect(limitOf(refused)).toEqual({ ...policy, remaining: '0' });
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
  // The reads of a person are counted by another limit.
  const { headers } = await purser.ask('GET', '/api/admin/payroll/batches', { cookie });
  expect(headers.get('ratelimit-policy')).toBe('1000000;w=60');
});

test('is limited to so many requests an hour, each key for itself', async () => {
  const [one, two] = [await makeKey(['payroll:read']), await makeKey(['payroll:read'])];
  await purser.identity.attempts.spendHourly('apiKeyRequests', one.id);
  await sql`UPDATE rate_limit SET points = ${HOURLY_LIMITS.apiKeyRequests}
             WHERE key LIKE 'hourly.apiKeyRequests:%'`.execute(purser.db);
  expect(await listBatches(one.key)).toMatchObject({ code: 'hourly_limit' });
  expect(await listBatches(two.key)).toMatchObject({ items: expect.any(Array) });
  const { rows } = await sql`SELECT details ->> 'operation' AS operation FROM audit_event
    WHERE action = 'limit.reached' AND details ->> 'apiKeyId' = ${one.id}`.execute(purser.db);
  expect(rows).toEqual([{ operation: 'adminListPayrollBatches' }]);
});
