import type { Session } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';

export const ONBOARDING = '/onboarding';
export const ADMIN_SETUP = '/admin/setup';
export const ADMIN_HOME = '/admin/dashboard';
export const EMPLOYEE_HOME = '/employee/dashboard';

const AREAS = ['admin', 'employee'] as const satisfies readonly Role[];

/** True if the person may use an area. An admin who is also an employee may use both. */
export function isAllowedIn(area: Role, user: Session['user']): boolean {
  if (user === null) return false;
  return area === 'admin' ? user.role === 'admin' : user.isEmployee;
}

/** First screen for a person, by state. */
export function homeOf({ user, kycStatus }: Session): string {
  if (user === null) return ONBOARDING;
  if (user.role === 'admin') return ADMIN_HOME;
  const isApplying = kycStatus === null || can(kycCan, 'edit', kycStatus);
  return isApplying ? ONBOARDING : EMPLOYEE_HOME;
}

/**
 * Path to return to after signing in, if the address names one of this site that the person's role
 * may see.
 */
export function returnPath(asked: string | undefined, session: Session): string {
  if (asked === ADMIN_SETUP) return asked;
  const { user } = session;
  const isOurs =
    asked !== undefined &&
    AREAS.some((area) => asked.startsWith(`/${area}/`) && isAllowedIn(area, user)) &&
    !asked.includes('//');
  return isOurs ? asked : homeOf(session);
}
