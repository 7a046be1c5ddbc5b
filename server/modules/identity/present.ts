import type { User } from '#contract/api.ts';
import type { DB } from '#server/db/schema.ts';
import type { Actor } from '#server/lib/actor.ts';
import type { Selectable } from 'kysely';

/** The columns behind a `User`. */
export const USER_COLUMNS = [
  'appUser.id',
  'appUser.email',
  'appUser.name',
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
  | 'name'
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
  const { role } = row;
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    role,
    // Who was an employee before keeps the number in the books, but has none as an admin.
    employeeId: role === 'admin' ? null : row.employeeNumber,
    department: row.department,
    position: row.position,
    createdAt: row.createdAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  };
}

export function presentActor(row: Pick<UserRow, 'id' | 'role' | 'name'>): Actor {
  return { id: row.id, role: row.role, name: row.name };
}
