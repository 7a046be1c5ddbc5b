import type { Role } from '#contract/identity.ts';
import { AppError, InvariantError } from './errors.ts';

/** The signed-in person a command acts for. */
export interface Actor {
  readonly id: string;
  readonly role: Role;
  /** An admin who is an employee as well, with an employee area of their own. */
  readonly isAlsoEmployee?: boolean;
  /** First and last name. */
  readonly name: string;
  /**
   * The API key by which one of the company's systems acts; the person is the admin who made it, and
   * what takes a second person takes another than that one.
   */
  readonly apiKey?: { readonly id: string; readonly name: string };
}

/** Where a request came from, for the audit trail and the log. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** By whom a command is carried out, and from where; a request's context is one. */
export interface CommandContext {
  readonly actor: Actor;
  readonly origin?: RequestOrigin;
}

/** Like `CommandContext`, for what a visitor tries or the system itself does. */
export interface AuditContext {
  readonly actor: Actor | 'visitor' | 'system';
  readonly origin?: RequestOrigin;
}

/** True if a person is an employee, whatever else they are. */
export function isEmployee({
  role,
  isAlsoEmployee,
}: Pick<Actor, 'role' | 'isAlsoEmployee'>): boolean {
  return role === 'employee' || isAlsoEmployee === true;
}

/**
 * Nobody decides on what is their own, nor reads what is noted about them.
 *
 * @throws {AppError} `own_request`
 */
export function checkNotOwn({ actor }: CommandContext, userId: string): void {
  if (userId === actor.id) throw new AppError('own_request');
}

/** The person of a command that no visitor and not Purser itself can carry out. @throws InvariantError */
export function personOf({ actor, ...by }: AuditContext): CommandContext {
  if (typeof actor === 'string') throw new InvariantError(`${actor} is no person`);
  return { actor, ...by };
}
