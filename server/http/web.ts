import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { serveStatic } from '@hono/node-server/serve-static';
import { ACCOUNT_DOCUMENT_ID } from '#contract/account-documents.ts';
import type { Environment } from './environment.ts';
import { createFirstView, hasSessionCookie } from './first-view.ts';
import { preloadsOf, readManifest } from './preloads.ts';
import type { Log } from '#server/lib/log.ts';

const HASHED_ASSETS = '/assets/';
const ONE_YEAR_S = 31_536_000;

interface WebOptions {
  /** The built app (`dist/web`). */
  root: string;
  log: Log;
  /** Time after which a page is sent without its first view, in milliseconds. */
  firstViewWithinMs?: number;
}

/**
 * Serves the built web app. Assets have a hash of their content in their name and never change.
 * Every other address that a browser navigates to gets the page itself, whose router knows which
 * exist (and shows /404 for the rest). A missing asset gets 404: a reply with HTML would only hide
 * the error.
 */
export function mountWeb(
  app: OpenAPIHono<Environment>,
  { root, log, firstViewWithinMs: withinMs }: WebOptions,
): void {
  // The second handler serves the page, for `/` too.
  const files = serveStatic<Environment>({ root, precompressed: true, index: '' });
  const page = serveStatic<Environment>({ root, precompressed: true, path: 'index.html' });
  const manifest = readManifest(root);
  const ask = (request: Request, bindings: Environment['Bindings']) => app.fetch(request, bindings);
  const firstView =
    manifest === null ? null : createFirstView({ root, manifest, ask, log, withinMs });
  app.get('*', async (c, next) => {
    c.set('route', 'web');
    await next();
    if (!c.res.ok || c.res.headers.has('cache-control')) return;
    const isHashed = c.req.path.startsWith(HASHED_ASSETS);
    const kept = isHashed ? `public, max-age=${ONE_YEAR_S}, immutable` : 'no-cache';
    c.res.headers.set('cache-control', kept);
  });
  // A folder would be opened as a file and sent empty.
  app.get('*', (c, next) => (namesFile(c.req.path) ? files(c, next) : next()));
  app.get('*', async (c, next) => {
    if (!isPage(c.req.path)) return next();
    const drawn = (await firstView?.(c)) ?? null;
    if (drawn !== null) return drawn;
    if (manifest !== null) {
      c.header('link', preloadsOf(manifest, c.req.path, hasSessionCookie(c)));
    }
    return page(c, next);
  });
}

/** True for an address of the app: no asset, nothing hidden (`/.well-known`, `/.git`) and no file. */
function isPage(path: string): boolean {
  return !`${path}/`.startsWith(HASHED_ASSETS) && !path.includes('/.') && !namesFile(path);
}

/** True if the last part of a path has a dot and is no document of an account, whose ids have some, too. */
function namesFile(path: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.includes('.') && !ACCOUNT_DOCUMENT_ID.test(last);
}

/** True if there is a built app to serve. */
export function hasWeb(root: string): boolean {
  return existsSync(join(root, 'index.html'));
}
