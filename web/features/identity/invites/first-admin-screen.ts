import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';

/** Two-factor where it is required and missing, the set-up where the company has just begun, otherwise the dashboard. */
export async function firstAdminScreen(queryClient: QueryClient) {
  try {
    const { mustSetUpTwoFactor } = await queryClient.ensureQueryData(apiQuery('getSession', {}));
    if (mustSetUpTwoFactor) return '/admin/two-factor';
    const { outcome } = await queryClient.fetchQuery(apiQuery('adminGetSetup', {}));
    return outcome === null ? '/admin/company-setup' : '/admin/dashboard';
  } catch {
    // The dashboard leads there as well.
    return '/admin/dashboard';
  }
}
