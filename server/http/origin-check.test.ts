import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATHS } from '#contract/paths.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

const [METHOD, PATH] = PATHS.markAllNotificationsRead;

let purser: TestApp;
let person: TestPerson;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  person = await createEmployee(purser.db, purser.services);
  cookie = await purser.cookieOf(person);
});
afterAll(() => purser.close());

type Headers = Record<string, string | null>;

describe('an unsafe request with a cookie', () => {
  test.each<[string, Headers, number]>([
    ['of our own page', { origin: TEST_ORIGIN }, 200],
    ['of another site', { origin: 'https://evil.example' }, 403],
    ['of a name that begins like ours', { origin: `${TEST_ORIGIN}.evil.example` }, 403],
    ['of another port', { origin: 'http://localhost:3001' }, 403],
    ['of the same name without TLS', { origin: 'https://localhost:3000' }, 403],
    ['of a sandboxed frame', { origin: 'null' }, 403],
    ['that says nothing', { origin: null }, 403],
    ['that says same-origin', { origin: null, 'sec-fetch-site': 'same-origin' }, 200],
    ['of a sibling site', { origin: null, 'sec-fetch-site': 'same-site' }, 403],
    ['that says both', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 403],
  ])('%s', async (_what, headers, status) => {
    const response = await purser.ask(METHOD, PATH, { cookie, headers });
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ code: 'origin_refused' });
  });
});

test('a script without a cookie needs no Origin, and signing in from another origin is refused', async () => {
  const [method, path] = PATHS.signIn;
  const body = { email: 'nobody@purser.test', password: 'wrong' };
  const script = await purser.ask(method, path, { body, headers: { origin: null } });
  expect(script.status).toBe(401);
  const elsewhere = await purser.ask(method, path, {
    body,
    headers: { origin: 'https://evil.example' },
  });
  expect(elsewhere.status).toBe(403);
});

test('reading needs no Origin', async () => {
  const [method, path] = PATHS.listNotifications;
  const response = await purser.ask(method, path, { cookie, headers: { origin: null } });
  expect(response.status).toBe(200);
});

test('a page that was drawn for another person changes nothing and reads nothing', async () => {
  const other = await createEmployee(purser.db, purser.services);
  const drawnFor = ({ id }: TestPerson) => ({ cookie, headers: { 'purser-person': id } });
  const refused = await purser.ask(METHOD, PATH, drawnFor(other));
  expect(await refused.json()).toMatchObject({ code: 'other_person', status: 409 });
  expect((await purser.ask(METHOD, PATH, drawnFor(person))).status).toBe(200);
  expect((await purser.ask(...PATHS.getShell, drawnFor(other))).status).toBe(409);
});

test('in development the requested address counts as ours', async () => {
  const home = await openTestApp({ acceptsAnyHost: true });
  const { cookieOf, db, services } = home;
  const headers = { origin: 'http://192.168.0.7:3000' };
  const response = await home.app.request(`http://192.168.0.7:3000${PATH}`, {
    method: METHOD,
    headers: { ...headers, cookie: await cookieOf(await createEmployee(db, services)) },
  });
  expect(response.status).toBe(200);
  await home.close();
});
