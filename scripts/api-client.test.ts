import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import type { ApiScope } from '#contract/api-keys.ts';
import { withTx } from '#server/db/tx.ts';
import { listen } from '#server/http/listen.ts';
import type { Listening } from '#server/http/listen.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import type { paths } from '#test/api-client.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { API_CLIENT_PATH, describeApi, sealClient } from './describe-api.ts';

/** A company's own system: it knows the address, a key and the generated client, and nothing else of ours. */
type Client = ReturnType<typeof createClient<paths>>;

let purser: TestApp;
let server: Listening;
let employee: { id: string; walletId: string };
let clientOf: (scopes: readonly ApiScope[]) => Promise<Client>;

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  const cookie = await purser.cookieOf(await createAdmin(db, services));
  for (const lastName of ['Abara', 'Baker', 'Carver']) {
    await createEmployee(db, services, { lastName, department: 'sales' });
  }
  const { id } = await createEmployee(db, services, { department: 'finance' });
  const wallet = await withTx(db, (tx) => openWallet(tx, services, { userId: id, type: 'salary' }));
  employee = { id, walletId: wallet.id };
  server = await listen({ port: 0, host: '127.0.0.1' }, (error) => {
    throw error;
  });
  server.serve(purser.app.fetch);
  clientOf = async (scopes) => {
    const body = { name: 'Time tracking', scopes, days: 30, dailyLimit: money(5_000_000n, 'USD') };
    const made = await purser.ask('POST', '/api/admin/api-keys', { cookie, body });
    const { key } = (await made.json()) as { key: string };
    const headers = { authorization: `Bearer ${key}` };
    return createClient<paths>({ baseUrl: `http://127.0.0.1:${server.port}`, headers });
  };
});
afterAll(async () => {
  await server?.close();
  await purser.close();
});

test('the client is of the API as it is; if not: npm run api:client', () => {
  const [first = '', ...rest] = readFileSync(API_CLIENT_PATH, 'utf8').split(/(?<=\n)/);
  expect(first).toBe(sealClient(describeApi(), rest.join('')));
});

test('reads a list with a filter, page by page', async () => {
  const client = await clientOf(['people:read']);
  const names: string[] = [];
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const query = {
      department: 'sales',
      sort: 'employee',
      direction: 'asc',
      page,
      pageSize: 2,
    } as const;
    const { data } = await client.GET('/api/admin/employees', { params: { query } });
    if (data === undefined) throw new Error('no answer');
    expect(data.items.length).toBe(page === 1 ? 2 : 1);
    names.push(...data.items.map(({ name }) => name.split(' ').at(-1) ?? ''));
    hasMore = data.hasMore;
  }
  expect(names).toEqual(['Abara', 'Baker', 'Carver']);
});

test('pays once, however often it asks with the same Idempotency-Key', async () => {
  const client = await clientOf(['payroll:write', 'payroll:read']);
  const fund = (key: string) =>
    client.POST('/api/admin/funding/employees/{id}', {
      params: { path: { id: employee.id }, header: { 'Idempotency-Key': key } },
      body: {
        type: 'bonus',
        walletId: employee.walletId,
        amount: { minor: '12345', currency: 'USD' },
        description: 'Overtime in November',
      },
    });
  const key = randomUUID();
  const first = await fund(key);
  const second = await fund(key);
  expect(first.response.status).toBe(201);
  expect(first.data?.amount).toEqual({ minor: '12345', currency: 'USD' });
  expect(second.data).toEqual(first.data);
  expect(second.response.headers.get('idempotency-replayed')).toBe('true');
  const { data: stats } = await client.GET('/api/admin/funding/stats');
  expect(stats?.ever).toEqual({ total: { minor: '12345', currency: 'USD' }, count: 1 });
});

test('is given the refusal of a bad input and of a missing scope, with their types', async () => {
  const client = await clientOf(['payroll:write']);
  const { error, data } = await client.POST('/api/admin/payroll/preview', {
    body: {
      walletType: 'salary',
      department: 'all',
      amount: { minor: '-1', currency: 'USD' },
      description: 'December',
    },
  });
  expect(data).toBeUndefined();
  expect(error?.code).toBe('invalid_request');
  expect(error?.errors?.map(({ path }) => path)).toEqual(['amount.minor']);

  const refused = await client.GET('/api/admin/employees');
  expect(refused.response.status).toBe(403);
  expect(refused.error?.code).toBe('api_key_refused');
  expect(refused.error?.title).toMatch(/API key/);
});

test('does not compile with a field that is not there, or a value that is none', () => {
  const misuse = async (client: Client) => {
    // @ts-expect-error: no such department
    await client.GET('/api/admin/employees', { params: { query: { department: 'pirates' } } });
    // @ts-expect-error: a number
    await client.GET('/api/admin/employees', { params: { query: { pageSize: 'all' } } });
    // @ts-expect-error: money is not moved without an Idempotency-Key
    await client.POST('/api/admin/funding/employees/{id}', { params: { path: { id: '' } } });
    const { error } = await client.GET('/api/admin/audit');
    // @ts-expect-error: no such code
    return error?.code === 'nonsense';
  };
  expect(misuse).toBeTypeOf('function');
});
