import { createHash } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { CALENDAR_FEEDS_PATH } from '#contract/calendar-feed.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Environment } from './environment.ts';

/** Time for which a calendar program may cache the response. */
const MAX_AGE_S = 900;

/**
 * Serves the private calendar addresses: `/calendars/<token>.ics`, without a session or a cookie.
 * The token is in the address because calendar programs can send it nowhere else. The request log
 * has the route's name and no address.
 *
 * @param read returns the calendar for a token, or null if the token is unknown
 */
export function mountCalendarFeeds(
  app: OpenAPIHono<Environment>,
  read: (token: string) => Promise<string | null>,
): void {
  app.get(`${CALENDAR_FEEDS_PATH}:file`, async (c) => {
    c.set('route', 'calendar');
    const text = await read(c.req.param('file').replace(/\.ics$/, ''));
    if (text === null) throw new AppError('not_found');
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const headers = { 'cache-control': `private, max-age=${MAX_AGE_S}`, etag };
    const known = c.req.header('if-none-match')?.split(/\s*,\s*/) ?? [];
    if (known.some((one) => one.replace(/^W\//, '') === etag)) return c.body(null, 304, headers);
    return c.body(text, 200, {
      ...headers,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="purser.ics"',
    });
  });
}
