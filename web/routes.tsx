import {
  Navigate,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
  stripSearchParams,
  useLocation,
  useRouter,
  type AnyRoute,
  type RouterHistory,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { AmountsHiddenContext, usePrivacySwitch } from './lib/privacy.ts';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { Confirmation } from './features/identity/confirmation.tsx';
import { SessionLock } from './pages/session-lock.tsx';
import { FullScreen } from './features/session/full-screen.tsx';
import { SessionWatch } from './features/session/session-watch.tsx';
import { LeaveGuard } from './kit/leave-guard.tsx';
import { ScreensContext, type Screen, type Screens } from './lib/screens.ts';
import { defaultSearch, readSearch, type SearchDeclaration, type SearchOf } from './lib/search.ts';
import { IndexPage } from './pages/public/index.tsx';
import { NotFoundPage } from './pages/public/not-found.tsx';
import { OnboardingPage } from './pages/public/onboarding.tsx';
import { ScreenError } from './pages/public/screen-error.tsx';
import { ADMIN_SCREENS, EMPLOYEE_SCREENS } from './screens.ts';
import { Skeleton } from './ui/skeleton.tsx';
import { ToastRegion } from './ui/toast.tsx';

const SCREENS: Screens = {
  employee: Object.values(EMPLOYEE_SCREENS),
  admin: Object.values(ADMIN_SCREENS),
};

/** Makes React Aria's links navigate with our router. */
function Root() {
  const router = useRouter();
  const [isHidden] = usePrivacySwitch();
  const isEmployee = useLocation({ select: ({ pathname }) => pathname.startsWith('/employee/') });
  return (
    <AriaRouterProvider navigate={(href) => void router.navigate({ href })}>
      <AmountsHiddenContext value={isHidden && isEmployee}>
        <ScreensContext value={SCREENS}>
          <Outlet />
        </ScreensContext>
        <LeaveGuard />
        <Confirmation />
        <SessionWatch />
        <SessionLock />
        <ToastRegion />
      </AmountsHiddenContext>
    </AriaRouterProvider>
  );
}

const root = createRootRoute({
  component: Root,
  errorComponent: ScreenError,
  notFoundComponent: () => <Navigate to="/404" replace />,
});

function redirectTo(path: string, to: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: () => <Navigate to={to} replace />,
  });
}

const ONBOARDING_SEARCH = {
  texts: ['return', 'reset', 'confirm', 'email', 'notme', 'report', 'invite', 'step', 'mode'],
} as const;
const MY_DOCUMENTS_SEARCH = { texts: ['token', 'document', 'print'] } as const;
const UNSUBSCRIBE_SEARCH = { texts: ['token'] } as const;

const publicRoutes = [
  createRoute({ getParentRoute: () => root, path: '/', component: IndexPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/onboarding',
    validateSearch: (search: Record<string, unknown>) => readSearch(ONBOARDING_SEARCH, search),
    component: OnboardingPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/admin/setup',
    component: lazyRouteComponent(() => import('./pages/public/admin-setup.tsx'), 'AdminSetupPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/admin/two-factor',
    component: lazyRouteComponent(
      () => import('./pages/public/admin-two-factor.tsx'),
      'AdminTwoFactorPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/unsubscribe',
    validateSearch: (search: Record<string, unknown>) => readSearch(UNSUBSCRIBE_SEARCH, search),
    component: lazyRouteComponent(
      () => import('./pages/public/unsubscribe.tsx'),
      'UnsubscribePage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/my-documents',
    validateSearch: (search: Record<string, unknown>) => readSearch(MY_DOCUMENTS_SEARCH, search),
    component: lazyRouteComponent(
      () => import('./pages/public/my-documents.tsx'),
      'MyDocumentsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/books',
    component: lazyRouteComponent(() => import('./pages/public/books.tsx'), 'BooksPage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/404', component: NotFoundPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    component: () => <Navigate to="/onboarding" search={{ mode: 'signin' }} replace />,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signup',
    component: () => <Navigate to="/onboarding" search={{ mode: 'signup' }} replace />,
  }),
  redirectTo('/auth/onboarding', '/onboarding'),
];

/** Frame of an area around its screens. */
const employeeArea = createRoute({
  getParentRoute: () => root,
  id: 'employee',
  component: lazyRouteComponent(() => import('./pages/employee/layout.tsx'), 'EmployeeLayout'),
});

const adminArea = createRoute({
  getParentRoute: () => root,
  id: 'admin',
  component: lazyRouteComponent(() => import('./pages/admin/layout.tsx'), 'AdminLayout'),
});

type Words = Record<string, unknown>;

/** Route of a screen in the table. Default values are left out of its address. */
function screenRoute<
  Parent extends AnyRoute,
  const Path extends string,
  Search extends SearchDeclaration,
>(parent: Parent, { path, search, load }: Screen<Path, Search>) {
  type State = SearchOf<Search>;
  return createRoute({
    getParentRoute: () => parent,
    path,
    validateSearch: (words: Partial<State> & SearchSchemaInput): State =>
      readSearch(search, words as Words),
    // The exact type of the search is not known here.
    search: { middlewares: [stripSearchParams<Words>(defaultSearch(search)) as never] },
    component: lazyRouteComponent(async () => ({ default: await load() })),
    // Shown in the frame, which is there already.
    pendingComponent: () => <Skeleton lines={8} />,
  });
}

type ScreenRoutes<Parent extends AnyRoute, Table extends Record<string, Screen>> = {
  [Name in keyof Table]: Table[Name] extends Screen<infer Path, infer Search>
    ? ReturnType<typeof screenRoute<Parent, Path, Search>>
    : never;
};

function screenRoutes<Parent extends AnyRoute, Table extends Record<string, Screen>>(
  parent: Parent,
  table: Table,
): ScreenRoutes<Parent, Table> {
  const routes = Object.entries(table).map(([name, screen]) => [name, screenRoute(parent, screen)]);
  return Object.fromEntries(routes) as ScreenRoutes<Parent, Table>;
}

/** Screens for developers, left out of production builds. */
const developmentRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/ui',
        component: lazyRouteComponent(() => import('./pages/dev/ui-gallery.tsx'), 'UiGallery'),
      }),
    ]
  : [];

const routeTree = root.addChildren([
  ...publicRoutes,
  employeeArea.addChildren(screenRoutes(employeeArea, EMPLOYEE_SCREENS)),
  adminArea.addChildren(screenRoutes(adminArea, ADMIN_SCREENS)),
  ...developmentRoutes,
]);

/**
 * Creates the router with all screens and addresses. They are declared in code so that they can be
 * read in one place.
 *
 * @param history history of a page drawn on the server; default: the browser's
 */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history !== undefined && { history }),
    // All values in an address are plain text: `page=2`, which the default would quote.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPendingComponent: () => <FullScreen message="Initializing..." />,
    defaultErrorComponent: ScreenError,
    // Only a browser has a scroll position.
    scrollRestoration: history === undefined,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
