import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import {
  FIRST_REPLIES,
  type DrawFirstView,
  type FirstReplies,
  type FirstView,
} from '#contract/first-view.ts';
import type { Log } from '#server/lib/log.ts';
import type { Environment } from './environment.ts';
import { screenFiles } from './preloads.ts';
import type { Manifest } from './preloads.ts';
import { SESSION_COOKIE } from './session.ts';

/** Nobody waits longer for a drawing than for the app: then the page comes without. */
const DRAW_WITHIN_MS = 1_000;
/** Drawing is work for the processor, of which those who are served already come first. */
const DRAWN_AT_ONCE = 4;
/** Share of the last second that the process was busy, above which nothing is drawn. */
const BUSY_FROM = 0.7;
const LOOK_AT_LOAD_EVERY_MS = 1_000;
/** Of the page's request: what says who asks, from where. */
const PASSED_ON = ['cookie', 'user-agent', 'x-forwarded-for', 'accept-language'];
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotli = promisify(zlib.brotliCompress) as (
  text: string,
  options: zlib.BrotliOptions,
) => Promise<Buffer>;
const gzip = promisify(zlib.gzip) as (text: string) => Promise<Buffer>;

export interface FirstViewOptions {
  /** The built app (`dist/web`); what draws it lies beside it. */
  root: string;
  manifest: Manifest;
  /** Asks the API in this process. */
  ask: (request: Request, bindings: Environment['Bindings']) => Response | Promise<Response>;
  log: Log;
}

/**
 * The page with its first view drawn, so that a person sees it before the app has arrived
 * (docs/decisions/035). It asks the API as the browser would, by the same session, and only what the
 * screen asks when it opens. Null wherever that is not possible in time: the page then comes without,
 * and the app draws.
 */
export type AnswerFirstView = (c: Context<Environment>) => Promise<Response | null>;

/** @returns null where the app was built without it */
export function createFirstView(options: FirstViewOptions): AnswerFirstView | null {
  const { root, manifest, ask, log } = options;
  const module = `${root.replace(/web$/, 'first-view')}/first-view.js`;
  const template = existsSync(module) ? readTemplate(root, manifest) : null;
  if (template === null) return null;
  let drawing: Promise<DrawFirstView> | undefined;
  let inProgress = 0;
  const isBusy = createLoadCheck();

  async function draw(c: Context<Environment>, cookies: string[]): Promise<FirstView | null> {
    const { pathname, search } = new URL(c.req.url);
    const headers = passedOn(c.req.raw.headers);
    drawing ??= import(pathToFileURL(module).href).then(
      ({ drawFirstView }: { drawFirstView: DrawFirstView }) => drawFirstView,
    );
    const drawFirstView = await drawing;
    return drawFirstView({
      href: `${pathname}${search}`,
      cookie: (name) => getCookie(c, name),
      async ask(method, address) {
        const reply = await ask(
          new Request(new URL(address, c.req.url), { method, headers }),
          c.env,
        );
        cookies.push(...reply.headers.getSetCookie());
        return reply.ok ? await reply.json() : undefined;
      },
    });
  }

  return async (c) => {
    if (c.req.method !== 'GET' || inProgress >= DRAWN_AT_ONCE || isBusy()) return null;
    inProgress += 1;
    const cookies: string[] = [];
    try {
      const drawn = draw(c, cookies).finally(() => (inProgress -= 1));
      const view = await Promise.race([drawn, wait(DRAW_WITHIN_MS, null, { ref: false })]);
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
      if (view === null) return null;
      const files = screenFiles(manifest, c.req.path, hasSessionCookie(c));
      return await answer(c, writePage(template, view, files));
    } catch (error) {
      log.warn({ msg: 'first view not drawn', err: error });
      return null;
    }
  };
}

/** Whether the process was busy for most of the time since it was last looked at. */
function createLoadCheck(): () => boolean {
  let before = performance.eventLoopUtilization();
  let lookedAtMs = performance.now();
  let isBusy = false;
  return () => {
    if (performance.now() - lookedAtMs >= LOOK_AT_LOAD_EVERY_MS) {
      const now = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(now, before).utilization >= BUSY_FROM;
      before = now;
      lookedAtMs = performance.now();
    }
    return isBusy;
  };
}

/** Right or wrong. */
export function hasSessionCookie(c: Context<Environment>): boolean {
  return c.req.header('cookie')?.includes(SESSION_COOKIE) === true;
}

function passedOn(headers: Headers): Headers {
  // What the page of this very origin asks.
  const kept = new Headers({ accept: 'application/json', 'sec-fetch-site': 'same-origin' });
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** index.html and what of it is put elsewhere. */
interface Template {
  html: string;
  /** The app. */
  app: string;
  /** What starts it, once the view was painted. */
  late: string;
}

const APP_SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/;
const TITLE = /<title>[^<]*<\/title>/;
const ROOT = /<div id="root">[\s\S]*?<\/main>\s*<\/div>/;

function readTemplate(root: string, manifest: Manifest): Template | null {
  const html = readFileSync(`${root}/index.html`, 'utf8');
  const app = APP_SCRIPT.exec(html)?.[1];
  const late = manifest['start-late.ts']?.file;
  const isWhole = app !== undefined && late !== undefined && TITLE.test(html) && ROOT.test(html);
  return isWhole ? { html: html.replace(APP_SCRIPT, ''), app, late: `/${late}` } : null;
}

/** Nothing in it can be pressed or typed into until the app is there: it would be lost. */
function writePage(
  { html, app, late }: Template,
  view: FirstView,
  files: readonly string[],
): string {
  const addresses = files.map((file) => `/${file}`);
  const styles = addresses
    .filter((address) => address.endsWith('.css'))
    .map((address) => `<link rel="stylesheet" crossorigin href="${address}">`);
  const scripts = [app, ...addresses.filter((address) => address.endsWith('.js'))];
  const start = `<script type="module" async src="${late}" data-files="${scripts.join(' ')}"></script>`;
  return html
    .replace(TITLE, () => `<title>${view.title}</title>`)
    .replace('</head>', () => `${styles.join('')}${start}</head>`)
    .replace(
      ROOT,
      () =>
        `<div id="root"><div class="first-view" inert>${view.html}</div></div>` +
        `<script type="application/json" id="${FIRST_REPLIES}">${textOf(view.replies)}</script>`,
    );
}

/** As JSON that no reader of HTML takes for its end. */
function textOf(replies: FirstReplies): string {
  return JSON.stringify(replies).replaceAll('<', String.raw`\u003c`);
}

/** Not kept by anybody: it shows what one person may see. */
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
