import type { Role } from '#contract/identity.ts';
import { kindSpec } from '#contract/notification-kinds.ts';

/**
 * Where a notification leads, as an address within Purser: to the very thing where its kind says so. A
 * kind that this version does not know leads to the dashboard. An admin is led to the employee area by what
 * concerns them as an employee.
 */
export function placeOf(
  { kind, relatedId }: { kind: string; relatedId: string | null },
  role: Role,
): string {
  const places: Partial<Record<Role, string>> = kindSpec(kind)?.place ?? {};
  const place = places[role] ?? places.employee ?? `/${role}/dashboard`;
  return place.replace('{id}', relatedId ?? '');
}
