import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { RouteInput, Session, RouteName } from '#contract/api.ts';
import {
  DEVICE_COOKIES,
  DRAWN_FIRST,
  type DrawFirstView,
  type FirstView,
  type FirstViewRequest,
} from '#contract/first-view.ts';
import { PATHS } from '#contract/paths.ts';
import { addressOf } from './api/client.ts';
import { createQueryClient } from './api/query.ts';
import { App } from './app.tsx';
import { homeOf, isAllowedIn, ONBOARDING } from './features/session/home.ts';
import { sessionQuery } from './features/session/use-session.ts';
import { loadWizard } from './pages/public/onboarding.tsx';
import { knownZone } from './lib/zones.ts';
import { createAppRouter } from './routes.tsx';

/**
 * Limit on rounds of requests. One reply can lead to the next: a list, then the details of its
 * first row.
 */
const MAX_ROUNDS = 4;
/** POST requests that only read: this one signs an address and stores nothing. */
const READS_BY_POST: readonly string[] = ['createDocumentLink'] satisfies RouteName[];

/**
 * Draws the first view of a page with the same components as in the browser and the replies that
 * they request. Nothing is shared between pages: all data is in React and in a query client made
 * for this page alone.
 *
 * @throws any error of a component
 */
export const drawFirstView: DrawFirstView = async (request) => {
  const address = new URL(request.href, 'http://purser.invalid');
  if (!isDrawnFirst(address)) return null;
  const session = (await request.ask('GET', addressOf('getSession', {}))) as Session | undefined;
  if (session === undefined || !isDrawnFor(session, address.pathname, request)) return null;

  const queryClient = createQueryClient({ onAttempt: () => undefined });
  queryClient.setQueryData(sessionQuery.queryKey, session);
  try {
    if (address.pathname === ONBOARDING) {
      if (session.user !== null) await loadWizard();
      // Sign-in mode remembered by the device. The app reads it from its storage.
      const mode = request.cookie(DEVICE_COOKIES.authMode);
      if (mode !== undefined && !address.searchParams.has('mode')) {
        address.searchParams.set('mode', mode);
      }
    }
    const html = await drawWithReplies(queryClient, address, request);
    return html === null ? null : viewOf(html, queryClient);
  } finally {
    // Removes the timers that would keep replies, and this page, in memory.
    queryClient.clear();
  }
};

function isDrawnFirst({ pathname, searchParams }: URL): boolean {
  const allowed = Object.hasOwn(DRAWN_FIRST, pathname) ? DRAWN_FIRST[pathname] : undefined;
  return allowed !== undefined && [...searchParams.keys()].every((name) => allowed.includes(name));
}

/** False for a person who will be redirected. The app does that. */
function isDrawnFor(session: Session, pathname: string, { cookie }: FirstViewRequest): boolean {
  const { user } = session;
  if (pathname === ONBOARDING) return homeOf(session) === ONBOARDING;
  if (user === null || session.mustSetUpTwoFactor) return false;
  if (pathname.startsWith('/admin/')) return isAllowedIn('admin', user);
  // A device that hides amounts must not show them for a moment.
  const areAmountsShown = cookie(DEVICE_COOKIES.amounts) === 'shown';
  return isAllowedIn('employee', user) && user.employeeId !== null && areAmountsShown;
}

/** Marker that React writes where a part failed or has not loaded. The browser draws it. */
const NOT_DRAWN = '<!--$!-->';

/** Draws until the components request nothing more. Null if a request had no answer. */
async function drawWithReplies(
  queryClient: QueryClient,
  { pathname, search }: URL,
  request: FirstViewRequest,
): Promise<string | null> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const history = createMemoryHistory({ initialEntries: [`${pathname}${search}`] });
    const router = createAppRouter(history);
    await router.load();
    const zone = knownZone(request.cookie(DEVICE_COOKIES.timeZone));
    const html = renderToString(<App queryClient={queryClient} router={router} zone={zone} />);
    if (html.includes(NOT_DRAWN)) return null;
    const asked = openQueries(queryClient);
    if (asked.length === 0) return html;
    const replies = await Promise.all(
      asked.map(({ name, input }) => request.ask(PATHS[name][0], addressOf(name, input))),
    );
    for (const [index, { key }] of asked.entries()) {
      if (replies[index] === undefined) return null;
      queryClient.setQueryData(key, replies[index]);
    }
  }
  return null;
}

interface OpenQuery {
  key: readonly unknown[];
  name: RouteName;
  input: RouteInput<RouteName>;
}

/** Requests of the components that have no answer yet. */
function openQueries(queryClient: QueryClient): OpenQuery[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.data === undefined && isEnabled(options))
    .map(({ queryKey }) => queryKey)
    .filter(isRead)
    .map((key) => ({ key, name: key[0], input: key[1] }));
}

/** True if the component wants the reply now. TanStack stores it in the options of the query. */
function isEnabled(options: object): boolean {
  return !('enabled' in options) || options.enabled !== false;
}

/** True for keys of {@link apiQuery}. Any other request of a screen is left to the app. */
function isRead(key: readonly unknown[]): key is [RouteName, RouteInput<RouteName>] {
  const [name, input] = key;
  if (typeof name !== 'string' || !Object.hasOwn(PATHS, name)) return false;
  if (typeof input !== 'object' || input === null) return false;
  return PATHS[name as RouteName][0] === 'GET' || READS_BY_POST.includes(name);
}

/**
 * Elements that React writes first and that belong in the head: the title, and images to preload.
 */
const HEAD = /^(?:<link [^>]*>|<title>[^<]*<\/title>)*/;
const TITLE = /<title>([^<]*)<\/title>/;
/** The Content-Security-Policy refuses inline styles. In a browser, script sets them. */
const INLINE_STYLE = / style="[^"]*"/g;

function viewOf(html: string, queryClient: QueryClient): FirstView | null {
  const [head = ''] = HEAD.exec(html) ?? [];
  const title = TITLE.exec(head)?.[1];
  // Every screen has a title. Without one, this is a loading screen or a redirect.
  if (title === undefined) return null;
  return {
    title,
    html: html.slice(head.length).replaceAll(INLINE_STYLE, ''),
    replies: queryClient
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.data !== undefined)
      .map(({ queryKey, state }) => [queryKey, state.data]),
  };
}
