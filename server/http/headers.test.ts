import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS_PATH, PATHS } from '#contract/paths.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createLogLines } from '#test/log-lines.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'purser-web-'));
let purser: TestApp;

beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Purser</title>');
  writeFileSync(join(webRoot, 'assets/app-1a2b3c.js'), 'console.log(1)');
  writeFileSync(join(webRoot, 'assets/app-1a2b3c.js.br'), 'compressed');
  writeFileSync(join(webRoot, 'icon.svg'), '<svg/>');
  purser = await openTestApp({ webRoot, publicUrl: 'https://pay.example.com' });
});
afterAll(async () => {
  await purser.close();
  rmSync(webRoot, { recursive: true });
});

describe('security headers', () => {
  test.each([
    ['a page', '/'],
    ['an asset', '/assets/app-1a2b3c.js'],
    ['a reply', PATHS.getSession[1]],
    ['a refusal', PATHS.listWallets[1]],
    ['what does not exist', '/api/none'],
    ['a missing file', '/assets/none.js'],
    ['a probe', '/healthz'],
  ])('are on %s', async (_what, path) => {
    const { headers } = await purser.ask('GET', path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toContain('max-age=63072000');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('a request without a session', () => {
  test.each([
    ['a reply without a session', 'GET', PATHS.listWallets[1], {}],
    [
      'an API key that does not work',
      'GET',
      PATHS.adminListEmployees[1],
      { authorization: 'Bearer x' },
    ],
    ['the live stream', 'GET', EVENTS_PATH, {}],
  ])('gets the challenge: %s', async (_what, method, path, headers) => {
    const response = await purser.ask(method, path, { headers });
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    // Never Basic, for which browsers open a dialog of their own.
    expect(challenge).toMatch(/^Bearer realm="Purser API"/);
    expect(challenge.includes('error="invalid_token"')).toBe('authorization' in headers);
  });
});

describe('the web app', () => {
  test.each(['/', '/onboarding', '/admin/payroll', '/nowhere/at/all'])(
    'answers %s with the page',
    async (path) => {
      const response = await purser.ask('GET', path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Purser</title>');
    },
  );

  test('lets browsers keep hashed assets for ever and sends them compressed', async () => {
    const response = await purser.ask('GET', '/assets/app-1a2b3c.js', {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(await response.text()).toBe('compressed');
  });

  test('revalidates files without a hash, and serves no missing one', async () => {
    const icon = await purser.ask('GET', '/icon.svg');
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    expect((await purser.ask('GET', '/assets/old-9f9f.js')).status).toBe(404);
    for (const folder of ['/assets/', '/assets', '/assets/none/']) {
      expect((await purser.ask('GET', folder)).status, folder).toBe(404);
    }
    expect((await purser.ask('GET', '/../package.json')).status).toBe(404);
    expect((await purser.ask('POST', '/onboarding')).status).toBe(404);
  });

  test.each([
    '/.well-known/security.txt',
    '/.well-known/change-password',
    '/.well-known/acme/x',
    '/.well-known',
    '/.env',
    '/.git/config',
    '/robots.txt',
    '/favicon.ico',
    '/site.webmanifest',
    '/assets/app-1a2b3c.js.map',
    '/admin/.hidden',
    '/apple-touch-icon-precomposed.png',
    '/api/unknown',
    '/api',
    '/api/.well-known/x',
  ])('does not answer %s with the page', async (path) => {
    const response = await purser.ask('GET', path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test.each([
    'payslip.01980d3a-1111-7222-8333-444455556666',
    ...WALLET_TYPES.map((type) => `statement.${type}.2026-11`),
    ...WALLET_TYPES.map((type) => `receipt.01980d3a-1111-7222-8333-444455556666.${type}`),
  ])('answers the address of the document %s with the page', async (id) => {
    const response = await purser.ask('GET', `/employee/documents/${id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});

test('replies of the API are not cached', async () => {
  const { headers } = await purser.ask('GET', PATHS.getSession[1]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test("signing out clears the browser's cache of our pages", async () => {
  const { headers } = await purser.ask('POST', PATHS.signOut[1], {
    headers: { origin: 'https://pay.example.com' },
  });
  expect(headers.get('clear-site-data')).toBe('"cache"');
  const other = await purser.ask('GET', PATHS.getSession[1]);
  expect(other.headers.has('clear-site-data')).toBe(false);
});

describe('probes', () => {
  test('report failing parts', async () => {
    const checks = {
      database: () => true,
      migrations: () => Promise.resolve(false),
      worker: () => Promise.reject(new Error('gone')),
    };
    const { log, lines } = createLogLines();
    const broken = await openTestApp({ checks, log });
    const response = await broken.ask('GET', '/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: 'not ready',
      checks: { database: 'ok', migrations: 'failed', worker: 'failed' },
    });
    // The reason is only in the log, and only once for several requests.
    await broken.ask('GET', '/readyz');
    expect(lines.filter(({ msg }) => msg === 'Not ready')).toMatchObject([
      { failed: ['migrations', 'worker'], why: { migrations: 'the check failed', worker: 'gone' } },
    ]);
    expect((await broken.ask('GET', '/healthz')).status).toBe(200);
    await broken.close();
  });

  test('name what is out of order, and take requests all the same', async () => {
    const { log, lines } = createLogLines();
    const notices = { files: () => 'no room' };
    const limping = await openTestApp({ checks: { database: () => true }, notices, log });
    const response = await limping.ask('GET', '/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ready in part',
      checks: { database: 'ok', files: 'failed' },
    });
    expect(lines.filter(({ msg }) => msg === 'Not ready')).toEqual([]);
    await limping.close();
  });

  test('show metrics to callers with the token', async () => {
    const watched = await openTestApp({ metricsToken: 'a token for the scraper' });
    await watched.ask('GET', PATHS.getSession[1]);
    expect((await watched.ask('GET', '/metrics')).status).toBe(404);
    const response = await watched.ask('GET', '/metrics', {
      headers: { authorization: 'Bearer a token for the scraper' },
    });
    expect(await response.text()).toContain(
      'http_request_duration_seconds_count{method="GET",route="getSession",status="200"} 1',
    );
    await watched.close();
  });

  test('hide metrics without a token, also from nearby addresses, which may be a proxy', async () => {
    const incoming = { socket: { remoteAddress: '127.0.0.1' } };
    const response = await purser.app.request('/metrics', {}, { incoming });
    expect(response.status).toBe(404);
  });
});
