import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium as playwright } from '@playwright/test';
import { DEVICE_COOKIES } from '#contract/first-view.ts';
import { freePort } from '#server/lib/free-port.ts';
import { buildWeb } from './build-web.ts';
import { ensureChromium } from './chromium.ts';
import { DEMO_PASSWORD } from './demo/company.ts';

/**
 * Fetched when it is needed, at this version: with what it depends on it is as large as a fifth of
 * everything else installed, and only the full run of the tests asks it.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
/** The middle one of them counts: a run that shared the machine with something says little. */
const RUNS = 3;
const START_TIMEOUT_MS = 180_000;

interface Screen {
  name: string;
  path: string;
  /** The person who looks at it; without, nobody is signed in. */
  email?: string;
}

const SCREENS: readonly Screen[] = [
  { name: 'Sign-in', path: '/onboarding' },
  { name: 'Wizard', path: '/onboarding?step=4', email: 'sam@purser.test' },
  { name: 'Employee dashboard', path: '/employee/dashboard', email: 'maya@purser.test' },
  { name: 'Admin payroll', path: '/admin/payroll', email: 'admin@purser.test' },
];

/** A figure of a report, and what it has to be. */
interface Measure {
  name: string;
  read: (report: Report) => number;
  limit: number;
  /** True if more is better. */
  isScore: boolean;
  unit: string;
}

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

const score = (category: string) => (report: Report) =>
  Math.round((report.categories[category]?.score ?? 0) * 100);
const audit = (id: string) => (report: Report) => report.audits[id]?.numericValue ?? Infinity;

const MEASURES: readonly Measure[] = [
  { name: 'performance', read: score('performance'), limit: 95, isScore: true, unit: '' },
  { name: 'accessibility', read: score('accessibility'), limit: 100, isScore: true, unit: '' },
  { name: 'best practices', read: score('best-practices'), limit: 100, isScore: true, unit: '' },
  {
    name: 'LCP',
    read: audit('largest-contentful-paint'),
    limit: 1_800,
    isScore: false,
    unit: ' ms',
  },
  { name: 'TBT', read: audit('total-blocking-time'), limit: 150, isScore: false, unit: ' ms' },
  { name: 'CLS', read: audit('cumulative-layout-shift'), limit: 0.02, isScore: false, unit: '' },
];

/**
 * Measures the main screens of the demo company with Lighthouse, as a phone on a slow network would
 * see them, and prints each figure with its limit.
 *
 * @returns how many figures are within their limits, and how many are not
 * @throws Error when the server or Lighthouse itself does not run
 */
export async function measureScreens(): Promise<{ passed: number; failed: number }> {
  await buildWeb();
  const chromium = ensureChromium();
  await using server = await startServer();
  let [passed, failed] = [0, 0];
  for (const { name, path, email } of SCREENS) {
    const cookies = email === undefined ? [] : await signIn(server.url, email);
    const reports = await inspectOften(chromium, `${server.url}${path}`, cookies);
    for (const measure of MEASURES) {
      const value = middle(reports.map(measure.read));
      const isMet = measure.isScore ? value >= measure.limit : value <= measure.limit;
      if (isMet) passed += 1;
      else failed += 1;
      const wanted = `${measure.isScore ? 'at least' : 'at most'} ${measure.limit}${measure.unit}`;
      const shown = `${Number(value.toFixed(3))}${measure.unit}`;
      console.log(`  ${isMet ? '✓' : '✗'} ${name}: ${measure.name} ${shown} (${wanted})`);
    }
  }
  return { passed, failed };
}

/** @throws Error of the last run when too many did not get to an end */
async function inspectOften(chromium: string, url: string, cookies: readonly Cookie[]) {
  const reports: Report[] = [];
  let last: unknown;
  for (let run = 0; run < 2 * RUNS && reports.length < RUNS; run += 1) {
    try {
      reports.push(await inspect(chromium, url, cookies));
    } catch (error) {
      // A busy machine makes Lighthouse miss the beginning of a page.
      last = error;
    }
  }
  if (reports.length === RUNS) return reports;
  throw new Error(`Lighthouse could not measure ${url}.`, { cause: last });
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * Runs Lighthouse once, in a browser of its own; its own choices of device and network are a phone's.
 *
 * @param cookies what the browser has kept from an earlier visit
 */
async function inspect(chromium: string, url: string, cookies: readonly Cookie[]): Promise<Report> {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), 'purser-browser-'));
  const browser = await playwright.launchPersistentContext(profile, {
    executablePath: chromium,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--remote-debugging-port=${port}`],
  });
  try {
    const { origin } = new URL(url);
    await browser.addCookies(cookies.map((cookie) => ({ ...cookie, url: origin })));
    const { stdout } = await promisify(execFile)(
      'npm',
      [
        'exec',
        '--yes',
        `--package=${LIGHTHOUSE}`,
        '--',
        'lighthouse',
        url,
        '--quiet',
        '--output=json',
        '--only-categories=performance,accessibility,best-practices',
        // The profile is new: nothing but the cookies is in it.
        `--port=${port}`,
        '--disable-storage-reset',
      ],
      { maxBuffer: 64 * 1_048_576 },
    );
    const report = JSON.parse(stdout) as Report;
    const wasPainted = report.audits['largest-contentful-paint']?.numericValue !== undefined;
    if (!wasPainted) throw new Error('Lighthouse saw nothing painted');
    return report;
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

interface Cookie {
  name: string;
  value: string;
}

async function signIn(url: string, email: string): Promise<Cookie[]> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  });
  if (!response.ok) throw new Error(`${email} could not sign in: ${response.status}`);
  const set = response.headers.getSetCookie().map((cookie): Cookie => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    return { name, value };
  });
  // Set by the app on an earlier visit.
  return [...set, { name: DEVICE_COOKIES.amounts, value: 'shown' }];
}

/** The demo company on a data folder of its own, which goes with it. */
async function startServer(): Promise<AsyncDisposable & { url: string }> {
  const port = String(await freePort());
  const home = mkdtempSync(join(tmpdir(), 'purser-lighthouse-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'e2e-server.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: port, PURSER_DATA: join(home, 'data') },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) {
      await close();
      throw new Error('The server to measure did not start.');
    }
    await wait(250);
  }
  return { url, [Symbol.asyncDispose]: close };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}
