import type { Browser, BrowserContext, Page } from '@playwright/test';
import { waitForApp } from './app-start.ts';
import { Faults } from './faults.ts';
import { BASE_URL } from './place.ts';

/** A page that has nothing of the app, and keeps the renderer process of a context running. */
const IDLE_PATH = '/healthz';

interface KeptContext {
  context: BrowserContext;
  idle: Page;
}

/** Contexts whose clock a test has replaced, for which Playwright has no way back. */
const withOwnClock = new WeakSet<BrowserContext>();

/** Opens a context with the options of the running test. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  waitForApp(context);
  await Faults.reportViolations(context);
  const install = context.clock.install.bind(context.clock);
  context.clock.install = (options) => {
    withOwnClock.add(context);
    return install(options);
  };
  return context;
}

/**
 * The browser contexts of a worker. A test gets one that no other test uses at that moment, without cookies,
 * storage, permissions, routes and pages of earlier tests. What stays is the HTTP cache and, through a page that
 * stays open and `--process-per-site`, the renderer process with the compiled app. A fresh context compiles the
 * app again: 800 ms of processor time for the first visit, where a kept one takes 450 ms.
 */
export class Contexts {
  readonly #kept = new Map<string, KeptContext[]>();
  readonly #used = new Map<BrowserContext, { key: string; idle: Page }>();

  /**
   * Returns a context of this kind, opened now if none is free.
   *
   * @param key same for tests with the same options of their contexts
   */
  async take(browser: Browser, key: string): Promise<BrowserContext> {
    const { context, idle } = this.#kept.get(key)?.pop() ?? (await open(browser));
    this.#used.set(context, { key, idle });
    return context;
  }

  /** Empties a context and keeps it for the next test, unless its clock is not the real one any longer. */
  async giveBack(context: BrowserContext): Promise<void> {
    if (withOwnClock.has(context)) return this.discard(context);
    const { key, idle } = this.#used.get(context) ?? {};
    if (key === undefined || idle === undefined) throw new Error('not a context of this worker');
    this.#used.delete(context);
    const others = context.pages().filter((page) => page !== idle);
    await Promise.all(others.map((page) => page.close()));
    await context.setOffline(false);
    await context.clearPermissions();
    await context.clearCookies();
    await idle.evaluate(() => localStorage.clear());
    this.#kept.set(key, [...(this.#kept.get(key) ?? []), { context, idle }]);
  }

  /** Closes a context, as after a test that failed in it. Its first page is then one of the test. */
  async discard(context: BrowserContext): Promise<void> {
    await this.#used.get(context)?.idle.close();
    this.#used.delete(context);
    await context.close();
  }
}

async function open(browser: Browser): Promise<KeptContext> {
  const context = await openContext(browser);
  const idle = await context.newPage();
  await idle.goto(`${BASE_URL}${IDLE_PATH}`);
  return { context, idle };
}
