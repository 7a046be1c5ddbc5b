import { AppError } from '#server/lib/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses an unsafe request that another site may have caused in a signed-in person's browser.
 * - A browser sends Origin with every unsafe request, so a present Origin must be one of ours;
 *   `null` (a sandboxed frame, a data: page) is not. This also stops another site from signing its
 *   visitor in to an account of its choosing.
 * - Without Origin the caller is no current browser (curl, a script). It is accepted if it sends no
 *   cookie, because then there is nothing another site could misuse. With a cookie it must send
 *   `Sec-Fetch-Site: same-origin`, a header that no page can set by itself.
 *
 * @param ownOrigins origins that count as ours: PURSER_URL and, outside production, the requested
 *   address
 * @throws AppError origin_refused
 */
export function checkOrigin(method: string, headers: Headers, ownOrigins: readonly string[]): void {
  if (SAFE_METHODS.has(method)) return;
  const origin = headers.get('origin');
  if (origin !== null) {
    if (ownOrigins.includes(origin)) return;
    throw new AppError('origin_refused');
  }
  if (headers.get('cookie') === null) return;
  if (headers.get('sec-fetch-site') === 'same-origin') return;
  throw new AppError('origin_refused');
}
