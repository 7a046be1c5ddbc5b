import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Environment } from './environment.ts';

const HASHED_ASSETS = '/assets/';
const ONE_YEAR_S = 31_536_000;

/**
 * Serves the built web app. Assets carry a hash of their content in their name and never change;
 * every other address a browser navigates to gets the page itself, whose router knows which exist
 * (and shows /404 for the rest). A missing asset stays missing: answering it with HTML would only
 * hide the fault.
 *
 * @param root the built app (`dist/web`)
 */
export function mountWeb(app: OpenAPIHono<Environment>, root: string): void {
  const files = serveStatic<Environment>({
    root,
    precompressed: true,
    // The page is answered below, for `/` too.
    index: '',
    onFound: (_path, c) => {
      const isHashed = c.req.path.startsWith(HASHED_ASSETS);
      c.header('cache-control', isHashed ? `public, max-age=${ONE_YEAR_S}, immutable` : 'no-cache');
    },
  });
  const page = serveStatic<Environment>({
    root,
    path: 'index.html',
    precompressed: true,
    onFound: (_path, c) => c.header('cache-control', 'no-cache'),
  });
  app.get('*', async (c, next) => {
    c.set('route', 'web');
    await next();
  });
  app.get('*', async (c, next) => {
    if (c.req.path === '/' || c.req.path.endsWith('/index.html')) return next();
    return files(c, next);
  });
  app.get('*', async (c, next) => {
    const looksLikeFile = c.req.path.startsWith(HASHED_ASSETS) || /\.\w{1,5}$/.test(c.req.path);
    return looksLikeFile ? next() : page(c, next);
  });
}

/** Whether there is a built app to serve. */
export function hasWeb(root: string): boolean {
  return existsSync(join(root, 'index.html'));
}
