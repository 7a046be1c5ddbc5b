import type { Notification } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { NotificationType } from '#contract/notifications.ts';

/** The screen that what a notification is about is on. */
const PLACES: Record<Role, Record<NotificationType, string>> = {
  employee: {
    deposit: '/employee/dashboard',
    withdrawal: '/employee/withdraw',
    verification: '/employee/bank-details',
    payroll: '/employee/dashboard',
    info: '/employee/dashboard',
    profile: '/employee/profile',
    security: '/employee/profile?tab=security',
    system: '/employee/dashboard',
  },
  admin: {
    deposit: '/admin/deposits',
    withdrawal: '/admin/withdrawals',
    verification: '/admin/kyc-review',
    payroll: '/admin/payroll?tab=history',
    info: '/admin/dashboard',
    profile: '/admin/dashboard',
    security: '/admin/dashboard',
    system: '/admin/dashboard',
  },
};

/** Of payments and bills, which are of no type of their own. */
const OF_PAYMENT = /^(?:Bill|Payment) /;

const OWN_SIGN_IN = /^(?:Two-factor|New recovery codes)/;

/** Where a notification leads: to the very request where it names one, else to its screen. */
export function placeOf(
  { type, title, relatedId }: Pick<Notification, 'type' | 'title' | 'relatedId'>,
  role: Role,
): string {
  // Bank accounts are verified too, and have a screen of their own in the back office.
  if (role === 'admin' && type === 'verification' && title.startsWith('Bank account')) {
    return '/admin/bank-accounts';
  }
  // About their own sign-in, not about other people or the company's rules.
  if (role === 'admin' && type === 'security' && OWN_SIGN_IN.test(title)) return '/admin/profile';
  if (type === 'info' && OF_PAYMENT.test(title)) {
    return role === 'admin' ? '/admin/bills' : '/employee/dashboard?tab=payments';
  }
  const place = PLACES[role][type];
  if (type === 'withdrawal' && relatedId !== null) return `${place}?request=${relatedId}`;
  return place;
}
