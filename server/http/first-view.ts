import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { DEVICE_COOKIES, DRAWN_FIRST } from '#contract/first-view.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Environment } from './environment.ts';
import { readTemplate, writePage } from './first-view-page.ts';
import { FirstViewThread } from './first-view-thread.ts';
import type { DrawnView } from './first-view-worker.ts';
import { screenFiles } from './preloads.ts';
import type { Manifest } from './preloads.ts';
import { SESSION_COOKIE } from './session.ts';

const { atOnce, busyFrom } = LIMITS.firstView;
const LOOK_AT_LOAD_EVERY_MS = 1_000;
/** Parts of the page's request that identify the caller. */
const PASSED_ON = ['cookie', 'user-agent', 'x-forwarded-for', 'accept-language'];
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotli = promisify(zlib.brotliCompress) as (
  text: string,
  options: zlib.BrotliOptions,
) => Promise<Buffer>;
const gzip = promisify(zlib.gzip) as (text: string) => Promise<Buffer>;

export interface FirstViewOptions {
  /** Folder of the built app (`dist/web`); the drawing module is next to it. */
  root: string;
  manifest: Manifest;
  /** Calls the API in this process. */
  ask: (request: Request, bindings: Environment['Bindings']) => Response | Promise<Response>;
  log: Log;
  /** Time after which the page is sent without it, in milliseconds. */
  withinMs?: number | undefined;
}

/**
 * Draws the first view of the page, so that a person sees it before the app has loaded
 * (docs/decisions/035). It calls the API as the browser would, with the same session, and only
 * makes the requests of the opening screen. Returns null if that is not possible in time: the page
 * is then sent without, and the app draws.
 */
export type AnswerFirstView = (c: Context<Environment>) => Promise<Response | null>;

/** @returns null if the app was built without it */
export function createFirstView(options: FirstViewOptions): AnswerFirstView | null {
  const { root, manifest, ask, log, withinMs = LIMITS.firstView.withinMs } = options;
  const module = `${root.replace(/web$/, 'first-view')}/first-view.js`;
  const template = existsSync(module) ? readTemplate(root, manifest) : null;
  if (template === null) return null;
  const thread = new FirstViewThread(pathToFileURL(module).href);
  const isBusy = createLoadCheck();

  function draw(c: Context<Environment>, cookies: string[]): Promise<DrawnView | null> {
    const { pathname, search } = new URL(c.req.url);
    const headers = passedOn(c.req.raw.headers);
    return thread.draw({
      href: `${pathname}${search}`,
      cookies: deviceCookies(c),
      async ask(method, address) {
        const request = new Request(new URL(address, c.req.url), { method, headers });
        const reply = await ask(request, c.env);
        cookies.push(...reply.headers.getSetCookie());
        return reply.ok ? await reply.text() : undefined;
      },
    });
  }

  function reportFailure(error: unknown): null {
    log.warn({ msg: 'first view not drawn', err: error });
    return null;
  }

  return async (c) => {
    if (c.req.method !== 'GET' || !mayBeDrawn(c.req.path)) return null;
    if (thread.inProgress >= atOnce || isBusy()) return null;
    const cookies: string[] = [];
    try {
      const late = wait(withinMs, null, { ref: false });
      // A drawing that fails after the page was sent without it is reported, too.
      const drawing = draw(c, cookies).catch(reportFailure);
      const view = await Promise.race([drawing, late]);
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
      if (view === null) return null;
      const files = screenFiles(manifest, c.req.path, hasSessionCookie(c));
      return await answer(c, writePage(template, view, files));
    } catch (error) {
      return reportFailure(error);
    }
  };
}

/** True if the process was busy for most of the time since the last check. */
function createLoadCheck(): () => boolean {
  let before = performance.eventLoopUtilization();
  let lookedAtMs = performance.now();
  let isBusy = false;
  return () => {
    if (performance.now() - lookedAtMs >= LOOK_AT_LOAD_EVERY_MS) {
      const now = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(now, before).utilization >= busyFrom;
      before = now;
      lookedAtMs = performance.now();
    }
    return isBusy;
  };
}

/** Session cookie, valid or not. */
export function hasSessionCookie(c: Context<Environment>): boolean {
  return c.req.header('cookie')?.includes(SESSION_COOKIE) === true;
}

/** Skips pages that the thread would not draw. */
function mayBeDrawn(path: string): boolean {
  return Object.hasOwn(DRAWN_FIRST, path);
}

function deviceCookies(c: Context<Environment>): Record<string, string> {
  const found = Object.values(DEVICE_COOKIES).map((name) => [name, getCookie(c, name)] as const);
  return Object.fromEntries(
    found.filter((one): one is [(typeof one)[0], string] => one[1] !== undefined),
  );
}

function passedOn(headers: Headers): Headers {
  // Requests of a page of this origin.
  const kept = new Headers({ accept: 'application/json', 'sec-fetch-site': 'same-origin' });
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** Not cacheable: it shows data that one person may see. */
async function answer(c: Context<Environment>, page: string): Promise<Response> {
  c.header('cache-control', 'no-store');
  c.header('vary', 'accept-encoding');
  const accepted = c.req.header('accept-encoding') ?? '';
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
  if (encoding === null) return c.html(page);
  c.header('content-encoding', encoding);
  c.header('content-type', 'text/html; charset=UTF-8');
  const bytes = encoding === 'br' ? await brotli(page, BROTLI) : await gzip(page);
  return c.body(new Uint8Array(bytes));
}
