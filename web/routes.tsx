import {
  Navigate,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
  useRouter,
} from '@tanstack/react-router';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { FullScreen } from './features/session/full-screen.tsx';
import { IndexPage } from './pages/public/index.tsx';
import { NotFoundPage } from './pages/public/not-found.tsx';
import { OnboardingPage } from './pages/public/onboarding.tsx';
import { ScreenError } from './pages/public/screen-error.tsx';
import { ToastRegion } from './ui/toast.tsx';

/** React Aria's links navigate through our router. */
function Root() {
  const router = useRouter();
  return (
    <AriaRouterProvider navigate={(href) => void router.navigate({ href })}>
      <Outlet />
      <ToastRegion />
    </AriaRouterProvider>
  );
}

/** The words of a query string that a screen knows, as text; the screen reads them as it needs. */
function texts<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const known: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' || typeof value === 'number') known[name] = String(value);
    }
    return known;
  };
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

const publicRoutes = [
  createRoute({ getParentRoute: () => root, path: '/', component: IndexPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/onboarding',
    validateSearch: texts('return', 'reset', 'confirm', 'step'),
    component: OnboardingPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/admin/setup',
    component: lazyRouteComponent(() => import('./pages/public/admin-setup.tsx'), 'AdminSetupPage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/404', component: NotFoundPage }),
  redirectTo('/login', '/onboarding'),
  redirectTo('/signup', '/onboarding'),
  redirectTo('/auth/onboarding', '/onboarding'),
];

const employeeArea = createRoute({
  getParentRoute: () => root,
  id: 'employee',
  component: lazyRouteComponent(() => import('./pages/employee/layout.tsx'), 'EmployeeLayout'),
});

const employeeRoutes = [
  createRoute({
    getParentRoute: () => employeeArea,
    path: '/employee/dashboard',
    validateSearch: texts('tab'),
    component: lazyRouteComponent(
      () => import('./pages/employee/dashboard.tsx'),
      'EmployeeDashboardPage',
    ),
  }),
  createRoute({
    getParentRoute: () => employeeArea,
    path: '/employee/withdraw',
    validateSearch: texts('from', 'request'),
    component: lazyRouteComponent(() => import('./pages/employee/withdraw.tsx'), 'WithdrawPage'),
  }),
  createRoute({
    getParentRoute: () => employeeArea,
    path: '/employee/bank-details',
    component: lazyRouteComponent(
      () => import('./pages/employee/bank-details.tsx'),
      'BankDetailsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => employeeArea,
    path: '/employee/kyc-status',
    component: lazyRouteComponent(() => import('./pages/employee/kyc-status.tsx'), 'KycStatusPage'),
  }),
  createRoute({
    getParentRoute: () => employeeArea,
    path: '/employee/profile',
    validateSearch: texts('tab'),
    component: lazyRouteComponent(() => import('./pages/employee/profile.tsx'), 'ProfilePage'),
  }),
];

const adminArea = createRoute({
  getParentRoute: () => root,
  id: 'admin',
  component: lazyRouteComponent(() => import('./pages/admin/layout.tsx'), 'AdminLayout'),
});

const adminRoutes = [
  createRoute({
    getParentRoute: () => adminArea,
    path: '/admin/dashboard',
    component: lazyRouteComponent(
      () => import('./pages/admin/dashboard.tsx'),
      'AdminDashboardPage',
    ),
  }),
  createRoute({
    getParentRoute: () => adminArea,
    path: '/admin/payroll',
    validateSearch: texts('tab', 'batch', 'page', 'status', 'search', 'lines', 'linePage'),
    component: lazyRouteComponent(() => import('./pages/admin/payroll.tsx'), 'PayrollPage'),
  }),
  createRoute({
    getParentRoute: () => adminArea,
    path: '/admin/withdrawals',
    validateSearch: texts('search', 'status', 'urgency', 'sort', 'direction', 'page', 'request'),
    component: lazyRouteComponent(() => import('./pages/admin/withdrawals.tsx'), 'WithdrawalsPage'),
  }),
  createRoute({
    getParentRoute: () => adminArea,
    path: '/admin/bank-accounts',
    validateSearch: texts('search', 'status', 'page'),
    component: lazyRouteComponent(
      () => import('./pages/admin/bank-accounts.tsx'),
      'BankAccountsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => adminArea,
    path: '/admin/kyc-review',
    validateSearch: texts(
      ...(['search', 'status', 'kind', 'sort', 'direction', 'page'] as const),
      ...(['application', 'documents'] as const),
    ),
    component: lazyRouteComponent(() => import('./pages/admin/kyc-review.tsx'), 'KycReviewPage'),
  }),
];

/** Screens for those who build the product; left out of the built one. */
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
  employeeArea.addChildren(employeeRoutes),
  adminArea.addChildren(adminRoutes),
  ...developmentRoutes,
]);

/** The screens and their addresses. In code, so that what exists can be read in one place. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    // All that an address says is text: `page=2`, where the default would quote it.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPendingComponent: () => <FullScreen message="Initializing..." />,
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
