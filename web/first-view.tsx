import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { RouteInput, Session } from '#contract/api.ts';
import {
  DEVICE_COOKIES,
  DRAWN_FIRST,
  type DrawFirstView,
  type FirstView,
  type FirstViewRequest,
} from '#contract/first-view.ts';
import { PATHS, type RouteName } from '#contract/paths.ts';
import { addressOf } from './api/client.ts';
import { createQueryClient } from './api/query.ts';
import { App } from './app.tsx';
import { homeOf, isAllowedIn, ONBOARDING } from './features/session/home.ts';
import { sessionQuery } from './features/session/use-session.ts';
import { loadWizard } from './pages/public/onboarding.tsx';
import { knownZone } from './lib/zones.ts';
import { createAppRouter } from './routes.tsx';

/** What one reply says may be asked about in turn: a list, then the details of its first row. */
const MAX_ROUNDS = 4;
/** Reads although it is a POST: it signs an address and keeps nothing. */
const READS_BY_POST: readonly string[] = ['createDocumentLink'] satisfies RouteName[];

/**
 * Draws the first view of a page: the same components as in the browser, with the replies that they
 * ask for. Nothing of one page is kept for another: what is drawn here keeps what it knows in React and
 * in the query client, both made for this page alone.
 *
 * @throws what a component throws
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
      // As the device remembers it, which the app reads from its storage.
      const mode = request.cookie(DEVICE_COOKIES.authMode);
      if (mode !== undefined && !address.searchParams.has('mode')) {
        address.searchParams.set('mode', mode);
      }
    }
    const html = await drawWithReplies(queryClient, address, request);
    return html === null ? null : viewOf(html, queryClient);
  } finally {
    // Where a reply has a time to be kept, a timer would keep it here too.
    queryClient.clear();
  }
};

function isDrawnFirst({ pathname, searchParams }: URL): boolean {
  const allowed = Object.hasOwn(DRAWN_FIRST, pathname) ? DRAWN_FIRST[pathname] : undefined;
  return allowed !== undefined && [...searchParams.keys()].every((name) => allowed.includes(name));
}

/** Whoever is led elsewhere is led by the app. */
function isDrawnFor(session: Session, pathname: string, { cookie }: FirstViewRequest): boolean {
  const { user } = session;
  if (pathname === ONBOARDING) return homeOf(session) === ONBOARDING;
  if (user === null || session.mustSetUpTwoFactor) return false;
  if (pathname.startsWith('/admin/')) return isAllowedIn('admin', user);
  // A device that hides them must not show them for a moment.
  const areAmountsShown = cookie(DEVICE_COOKIES.amounts) === 'shown';
  return isAllowedIn('employee', user) && user.employeeId !== null && areAmountsShown;
}

/** What React writes where a part failed, or has still to be loaded: it is left to the browser. */
const NOT_DRAWN = '<!--$!-->';

/** Draws until nothing that was drawn asks for more; null where something was not answered. */
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

/** What a component asked for and has not been answered. */
function openQueries(queryClient: QueryClient): OpenQuery[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.data === undefined && isEnabled(options))
    .map(({ queryKey }) => queryKey)
    .filter(isRead)
    .map((key) => ({ key, name: key[0], input: key[1] }));
}

/** Whether the component that asks wants the reply already; TanStack keeps it with the query. */
function isEnabled(options: object): boolean {
  return !('enabled' in options) || options.enabled !== false;
}

/** Keys of {@link apiQuery}: what else a screen asks for is left to the app. */
function isRead(key: readonly unknown[]): key is [RouteName, RouteInput<RouteName>] {
  const [name, input] = key;
  if (typeof name !== 'string' || !Object.hasOwn(PATHS, name)) return false;
  if (typeof input !== 'object' || input === null) return false;
  return PATHS[name as RouteName][0] === 'GET' || READS_BY_POST.includes(name);
}

/** What React writes first of all belongs into the head of a page: its title, and images to load early. */
const HEAD = /^(?:<link [^>]*>|<title>[^<]*<\/title>)*/;
const TITLE = /<title>([^<]*)<\/title>/;
/** The Content-Security-Policy refuses them; in a browser they are set by script. */
const INLINE_STYLE = / style="[^"]*"/g;

function viewOf(html: string, queryClient: QueryClient): FirstView | null {
  const [head = ''] = HEAD.exec(html) ?? [];
  const title = TITLE.exec(head)?.[1];
  // Every screen has one; without it this is what waits or leads elsewhere.
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
