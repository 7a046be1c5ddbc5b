import type { User } from '#contract/api.ts';
import { DEPARTMENT_IDS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { ROLES } from '#contract/identity.ts';
import type { Role } from '#contract/identity.ts';
import type { DB } from '#server/db/schema.ts';
import type { Actor } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Selectable } from 'kysely';

/** The columns behind a `User`. */
export const USER_COLUMNS = [
  'appUser.id',
  'appUser.email',
  'appUser.firstName',
  'appUser.lastName',
  'appUser.role',
  'appUser.employeeNumber',
  'appUser.department',
  'appUser.position',
  'appUser.createdAt',
  'appUser.lastLoginAt',
] as const;

export type UserRow = Pick<
  Selectable<DB['appUser']>,
  | 'id'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'role'
  | 'employeeNumber'
  | 'department'
  | 'position'
  | 'createdAt'
  | 'lastLoginAt'
>;

export function presentUser(row: UserRow): User {
  const role = asRole(row.role);
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    role,
    // Who was an employee before keeps the number in the books, but has none as an admin.
    employeeId: role === 'admin' ? null : row.employeeNumber,
    department: departmentOf(row),
    position: row.position,
    createdAt: row.createdAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  };
}

/** Where a person works. Only ours are ever written. */
export function departmentOf({ department }: { department: string }): Department {
  return invariant(
    DEPARTMENT_IDS.find((id) => id === department),
    `unknown department ${department}`,
  );
}

export function presentActor(row: Pick<UserRow, 'id' | 'role' | 'firstName' | 'lastName'>): Actor {
  return { id: row.id, role: asRole(row.role), name: `${row.firstName} ${row.lastName}` };
}

function asRole(role: string): Role {
  return invariant(
    ROLES.find((known) => known === role),
    `unknown role ${role}`,
  );
}
