import { DEVICE_COOKIES } from '#contract/first-view.ts';

/** The longest that browsers keep a cookie. */
const DAYS_400_S = 34_560_000;

/**
 * Repeats a setting of this device in a cookie, for the server to draw the first view of a page by. The
 * setting itself is kept in the browser's storage: what a script writes into cookies, Safari forgets
 * after seven days.
 */
export function writeDeviceCookie(setting: keyof typeof DEVICE_COOKIES, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // oxlint-disable-next-line unicorn/no-document-cookie -- cookieStore is missing without TLS
  document.cookie = `${DEVICE_COOKIES[setting]}=${value}; Path=/; Max-Age=${DAYS_400_S}; SameSite=Lax${secure}`;
}
