import type { Reader, Tx } from '#server/db/tx.ts';
import type { RequestOrigin } from '#server/lib/actor.ts';
import { newToken } from '#server/lib/ids.ts';
import { networkOf } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { browserKey, browserKeyOf, readCookie, setCookie } from './cookies.ts';

/** The longest that browsers keep a cookie. */
const COOKIE_LIFE_S = 400 * 86_400;

type Site = Pick<Identity, 'url'>;

/**
 * Recognizes the browser of a request, and one that brings no cookie from now on.
 *
 * @returns its key, and the Set-Cookie header of one that had none
 */
export function recognizeBrowser(
  site: Site,
  headers: Headers,
): { browser: string; cookies: readonly string[] } {
  const known = browserKeyOf(site, headers);
  if (known !== null) return { browser: known, cookies: [] };
  const token = newToken();
  return { browser: browserKey(token), cookies: [browserCookie(site, token)] };
}

/**
 * True if this browser has signed in to the account before.
 *
 * @param account by its id, or by its address in lower case
 * @param account.browser of `browserKeyOf`
 */
export async function isKnownBrowser(
  reader: Reader,
  { browser, ...account }: { browser: string } & ({ email: string } | { userId: string }),
): Promise<boolean> {
  const row = await reader
    .selectFrom('knownPlace')
    .innerJoin('appUser', 'appUser.id', 'knownPlace.userId')
    .select('kind')
    .where((is) =>
      'email' in account
        ? is('appUser.email', '=', account.email)
        : is('appUser.id', '=', account.userId),
    )
    .where('kind', '=', 'browser')
    .where('key', '=', browser)
    .executeTakeFirst();
  return row !== undefined;
}

const NEW_FOR_MS = 7 * 86_400_000;

/** The time until which a browser is a new one. */
export function endOfFirstWeek(firstSeenAt: Date): Date {
  return new Date(firstSeenAt.getTime() + NEW_FOR_MS);
}

interface SignedIn {
  /** Parts of the place that are new for this person; null if none is, and at their first sign-in. */
  news: 'browser' | 'network' | null;
  /** The browser, as `browserKeyOf` says from now on. */
  browser: string;
  /** End of its first week; null for the browser that the account began in, which was never a new one. */
  newUntil: Date | null;
  /** The Set-Cookie header by which the browser is known from now on. */
  cookie: string;
}

/**
 * Remembers where a person has signed in, in the transaction that has their row locked.
 *
 * @param call.isFirst true for the first sign-in of the person, whose place is not new: there is none before it
 */
export async function rememberPlace(
  tx: Tx,
  site: Site,
  { userId, origin, headers, isFirst, at }: Call & { userId: string; isFirst: boolean; at: Date },
): Promise<SignedIn> {
  const token = await knownTokenOf(tx, readCookie(site, headers, 'browser'));
  const [browser, network] = [browserKey(token), networkOf(origin.ipAddress)];
  const known = await tx
    .selectFrom('knownPlace')
    .select(['kind', 'key', 'firstSeenAt', 'isFirst'])
    .where('userId', '=', userId)
    .execute();
  const isNew = (kind: 'browser' | 'network', key: string) =>
    !known.some((place) => place.kind === kind && place.key === key);
  const seen = { userId, firstSeenAt: at, lastSeenAt: at };
  const places = [
    { ...seen, kind: 'browser' as const, key: browser, isFirst },
    ...(network === null
      ? []
      : [{ ...seen, kind: 'network' as const, key: network, isFirst: false }]),
  ];
  await tx
    .insertInto('knownPlace')
    .values(places)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'kind', 'key']).doUpdateSet({ lastSeenAt: at }),
    )
    .execute();
  const cookie = browserCookie(site, token);
  const isNewNetwork = network !== null && isNew('network', network);
  const news = isNew('browser', browser) ? 'browser' : isNewNetwork ? 'network' : null;
  const former = known.find(({ kind, key }) => kind === 'browser' && key === browser);
  const began = isFirst || former?.isFirst === true;
  return {
    news: isFirst ? null : news,
    browser,
    newUntil: began ? null : endOfFirstWeek(former?.firstSeenAt ?? at),
    cookie,
  };
}

/**
 * Forgets the browsers of a person whose password was changed: one that knew the former password is not
 * to be taken for theirs. Networks stay, so that the next sign-in counts as one from a new browser.
 *
 * @param kept of `browserKeyOf`: the browser that changed it
 */
export async function forgetBrowsers(
  tx: Tx,
  userId: string,
  { kept = null }: { kept?: string | null } = {},
): Promise<void> {
  await tx
    .deleteFrom('knownPlace')
    .where('userId', '=', userId)
    .where('kind', '=', 'browser')
    .where('key', 'is distinct from', kept)
    .execute();
}

/** Place of a sign-in, in words. */
export function addressOf({ ipAddress }: RequestOrigin): string {
  return ipAddress ?? 'an unknown address';
}

/**
 * The browser's token if we made it: for this person, or for another one who signs in with the same
 * browser. Otherwise a new one, so that nobody can choose by which cookie a browser is known.
 */
async function knownTokenOf(tx: Tx, token: string | null): Promise<string> {
  if (token === null) return newToken();
  const row = await tx
    .selectFrom('knownPlace')
    .select('key')
    .where('kind', '=', 'browser')
    .where('key', '=', browserKey(token))
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? newToken() : token;
}

function browserCookie(site: Site, token: string): string {
  return setCookie(site, 'browser', token, COOKIE_LIFE_S);
}
