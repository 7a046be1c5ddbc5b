import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#server/lib/log.ts';
import { createLogLines } from '#test/log-lines.ts';
import { until } from '#test/until.ts';
import type { Environment } from './environment.ts';
import { mountWeb } from './web.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-first-view-'));
const root = join(folder, 'web');

const PAGE = `<!doctype html><html><head><title>Purser</title>
<script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="stylesheet" crossorigin href="/assets/index-1.css"></head>
<body><div id="root"> <main class="full-screen"><p>Initializing...</p></main> </div></body></html>`;

const MANIFEST = {
  'index.html': { file: 'assets/index-1.js', isEntry: true, css: ['assets/index-1.css'] },
  'start-late.ts': { file: 'assets/start-late-1.js', isEntry: true },
  '_shared.js': { file: 'assets/shared-1.js', css: ['assets/shared-1.css'] },
  'pages/admin/layout.tsx': { file: 'assets/layout-1.js', imports: ['_shared.js'] },
  'pages/admin/payroll.tsx': { file: 'assets/payroll-1.js', imports: ['index.html'] },
};

/**
 * Replaces the built components: draws the content that its address says, from the API's replies.
 */
const DRAWS = `export async function drawFirstView({ href, cookie, ask }) {
  const address = new URL(href, 'http://purser.invalid');
  if (address.search === '?throws') throw new Error('a component failed');
  if (address.search === '?fails-late') {
    await new Promise((resolve) => setTimeout(resolve, 1300));
    throw new Error('a component failed late');
  }
  if (address.search === '?waits') return new Promise(() => {});
  if (address.search === '?other') return null;
  if (address.search === '?nothing') return undefined;
  if (address.search === '?ends') process.exit(3);
  const reply = await ask('GET', '/api/who?' + address.searchParams);
  if (reply === undefined) return null;
  return { title: 'Payroll · Purser', html: '<h1>' + cookie('purser.auth-mode') + '</h1>', replies: [[['who'], reply]] };
}`;

/** Longer than a drawing takes on any machine. */
const PATIENT_MS = 30_000;
const app = new OpenAPIHono<Environment>();
const askedWith: Headers[] = [];

beforeAll(() => {
  mkdirSync(join(folder, 'first-view'));
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), PAGE);
  writeFileSync(`${root}.manifest.json`, JSON.stringify(MANIFEST));
  writeFileSync(join(folder, 'first-view/first-view.js'), DRAWS);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  app.get('/api/who', (c) => {
    askedWith.push(c.req.raw.headers);
    if (c.req.query('refused') !== undefined) return c.json({ code: 'forbidden' }, 403);
    c.header('set-cookie', 'purser.session_token=renewed; Path=/; HttpOnly');
    return c.json({ name: '</script><b>Ann</b>', asked: c.req.query() });
  });
  mountWeb(app, { root, log: silentLog, firstViewWithinMs: PATIENT_MS });
});
afterAll(() => rmSync(folder, { recursive: true }));

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(`http://localhost${path}`, { method, headers });
const isDrawn = (page: string) => page.includes('class="first-view"');

describe('a page whose first view is drawn', () => {
  test('has the view in place of the loading state, its title, and nothing that can be pressed yet', async () => {
    const page = await (await open('/admin/payroll', { cookie: 'purser.auth-mode=signin' })).text();
    expect(page).toContain('<title>Payroll · Purser</title>');
    expect(page).toContain(
      '<div id="root"><div class="first-view" inert><h1>signin</h1></div></div>',
    );
    expect(page).not.toContain('Initializing');
  });

  test('loads its styles immediately and its scripts after the first paint', async () => {
    const response = await open('/admin/payroll');
    const page = await response.text();
    expect(page).toContain('<link rel="stylesheet" crossorigin href="/assets/shared-1.css">');
    expect(page).toContain(
      '<script type="module" async src="/assets/start-late-1.js" ' +
        'data-files="/assets/index-1.js /assets/layout-1.js /assets/shared-1.js /assets/payroll-1.js">',
    );
    expect(page).not.toContain('crossorigin src=');
    expect(response.headers.has('link')).toBe(false);
  });

  test('carries the replies as JSON that no markup in them can end', async () => {
    const page = await (await open('/admin/payroll?a=1')).text();
    const [, json = ''] = /id="first-replies">(.*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual([
      [['who'], { name: '</script><b>Ann</b>', asked: { a: '1' } }],
    ]);
  });

  test('is not cached, and passes on a renewed session', async () => {
    const { headers } = await open('/admin/payroll');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual(['purser.session_token=renewed; Path=/; HttpOnly']);
  });

  test("calls the API with the visitor's session, address and origin", async () => {
    await open('/admin/payroll', {
      cookie: 'purser.session_token=mine',
      'user-agent': 'Browser',
      'x-forwarded-for': '203.0.113.9',
      origin: 'https://elsewhere.example',
      'if-none-match': 'x',
    });
    const asked = Object.fromEntries(askedWith.at(-1)?.entries() ?? []);
    expect(asked).toEqual({
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: 'purser.session_token=mine',
      'user-agent': 'Browser',
      'x-forwarded-for': '203.0.113.9',
    });
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed for a browser that accepts %s', async (accepted, encoding, decompress) => {
    const response = await open('/admin/payroll', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-type')).toContain('text/html');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(isDrawn(decompress(bytes).toString())).toBe(true);
  });
});

describe('a page is sent without a drawing', () => {
  test.each([
    ['that is not drawn first', '/admin/settings'],
    ['that leads elsewhere', '/admin/payroll?other'],
    ['whose drawing fails', '/admin/payroll?throws'],
    ['that the API refuses', '/admin/payroll?refused=1'],
    ['whose drawing ends the thread', '/admin/payroll?ends'],
  ])('%s', async (_what, path) => {
    const response = await open(path);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(isDrawn(page)).toBe(false);
    expect(page).toContain('Initializing');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('link')).toContain('/api/session');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('and the next one is drawn', async () => {
    await open('/admin/payroll?ends');
    expect(isDrawn(await (await open('/admin/payroll')).text())).toBe(true);
  });

  test.each(['?throws', '?ends', '?fails-late'])(
    'and the log has the reason, also when the page was already sent: %s',
    async (search) => {
      const { log, lines } = createLogLines();
      const logged = new OpenAPIHono<Environment>();
      mountWeb(logged, { root, log });
      await logged.request(`http://localhost/admin/payroll${search}`);
      await until(() => lines.length > 0);
      expect(lines).toMatchObject([{ level: 'warn', msg: 'first view not drawn' }]);
    },
  );

  test('and the log says nothing where the view is null', async () => {
    const { log, lines } = createLogLines();
    const logged = new OpenAPIHono<Environment>();
    logged.get('/api/who', (c) => c.json({ code: 'forbidden' }, 403));
    mountWeb(logged, { root, log });
    for (const search of ['?other', '?refused=1', '?nothing']) {
      const page = await logged.request(`http://localhost/admin/payroll${search}`);
      expect(isDrawn(await page.text())).toBe(false);
    }
    expect(lines).toEqual([]);
  });

  test('whose drawing takes too long', async () => {
    const hasty = new OpenAPIHono<Environment>();
    mountWeb(hasty, { root, log: silentLog, firstViewWithinMs: 1 });
    const page = await (await hasty.request('http://localhost/admin/payroll?waits')).text();
    expect(isDrawn(page)).toBe(false);
    expect(page).toContain('Initializing');
  });

  test('for a reply that is no JSON, and the others are drawn', async () => {
    const odd = new OpenAPIHono<Environment>();
    odd.get('/api/who', async (c) => {
      if (c.req.query('text') !== undefined) return c.text('<!doctype html>');
      await new Promise((resolve) => setTimeout(resolve, 300));
      return c.json({});
    });
    mountWeb(odd, { root, log: silentLog, firstViewWithinMs: PATIENT_MS });
    const pages = await Promise.all(
      ['?slow', '?text'].map(async (search) =>
        (await odd.request(`http://localhost/admin/payroll${search}`)).text(),
      ),
    );
    expect(pages.map(isDrawn)).toEqual([true, false]);
  });

  test('while four others are being drawn, none of which ends', async () => {
    const busy = new OpenAPIHono<Environment>();
    mountWeb(busy, { root, log: silentLog });
    const waiting = Array.from({ length: 4 }, async () =>
      busy.request('http://localhost/admin/payroll?waits'),
    );
    const page = await (await busy.request('http://localhost/admin/payroll')).text();
    expect(isDrawn(page)).toBe(false);
    await Promise.all(waiting);
  });

  test('if it was built without the drawing module', async () => {
    const plain = join(folder, 'plain/web');
    mkdirSync(plain, { recursive: true });
    writeFileSync(join(plain, 'index.html'), PAGE);
    writeFileSync(`${plain}.manifest.json`, JSON.stringify(MANIFEST));
    const without = new OpenAPIHono<Environment>();
    mountWeb(without, { root: plain, log: silentLog });
    const page = await (await without.request('http://localhost/admin/payroll')).text();
    expect(isDrawn(page)).toBe(false);
  });
});
