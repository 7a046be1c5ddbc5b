import type { User } from '#contract/api.ts';
import type { DB } from '#server/db/schema.ts';
import { isEmployee } from '#server/lib/actor.ts';
import type { Selectable } from 'kysely';

/** The columns behind a `User`. */
export const USER_COLUMNS = [
  'appUser.id',
  'appUser.email',
  'appUser.name',
  'appUser.firstName',
  'appUser.lastName',
  'appUser.role',
  'appUser.isAlsoEmployee',
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
  | 'isAlsoEmployee'
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
    isEmployee: isEmployee(row),
    employeeId: isEmployee(row) ? row.employeeNumber : null,
    department: row.department,
    position: row.position,
    createdAt: row.createdAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  };
}
