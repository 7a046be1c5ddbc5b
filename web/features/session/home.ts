import type { Session } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';

export const ONBOARDING = '/onboarding';
export const ADMIN_SETUP = '/admin/setup';
export const ADMIN_HOME = '/admin/dashboard';
export const EMPLOYEE_HOME = '/employee/dashboard';

/** Where the index sends a person, by state. */
export function homeOf({ user, kycStatus }: Session): string {
  if (user === null) return ONBOARDING;
  if (user.role === 'admin') return ADMIN_HOME;
  const isApplying = kycStatus === null || can(kycCan, 'edit', kycStatus);
  return isApplying ? ONBOARDING : EMPLOYEE_HOME;
}

/**
 * The place to come back to after signing in, when the address names one of this site and the
 * person's role may see it.
 */
export function returnPath(asked: string | undefined, session: Session): string {
  if (asked === ADMIN_SETUP) return asked;
  const area = session.user?.role === 'admin' ? '/admin/' : '/employee/';
  const isOurs = asked !== undefined && asked.startsWith(area) && !asked.includes('//');
  return isOurs ? asked : homeOf(session);
}
