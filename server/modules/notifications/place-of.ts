import type { Role } from '#contract/identity.ts';
import { kindSpec } from '#contract/notification-kinds.ts';

/**
 * Address within Purser that a notification leads to: the very thing, if its kind has a place for
 * it. A kind that this version does not know leads to the dashboard. A notification that concerns
 * an admin as an employee leads to the employee area.
 */
export function placeOf(
  { kind, relatedId }: { kind: string; relatedId: string | null },
  role: Role,
): string {
  const places: Partial<Record<Role, string>> = kindSpec(kind)?.place ?? {};
  const place = places[role] ?? places.employee ?? `/${role}/dashboard`;
  return place.replace('{id}', relatedId ?? '');
}
