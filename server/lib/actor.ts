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
   * API key of a company's system. Its person is the admin who created it, and an act that needs a
   * second person needs another than that one.
   */
  readonly apiKey?: {
    readonly id: string;
    readonly name: string;
    /** As it is kept: null for one that was made before keys had limits, or sends no money. */
    readonly dailyLimitMinor: bigint | null;
  };
}

/** The actor of a person's row. */
export function actorOf({ id, role, name, isAlsoEmployee }: Omit<Actor, 'apiKey'>): Actor {
  return { id, role, name, ...(isAlsoEmployee && { isAlsoEmployee }) };
}

/** Origin of a request, for the audit trail and the log. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** The actor of a command and its origin; a request's context is one. */
export interface CommandContext {
  readonly actor: Actor;
  readonly origin?: RequestOrigin;
  /** End of the first week of the browser that is used, where it is a new one for the actor. */
  readonly newBrowserUntil?: Date;
}

/** Like `CommandContext`, for actions of a visitor or of the system itself. */
export interface AuditContext {
  readonly actor: Actor | 'visitor' | 'system';
  readonly origin?: RequestOrigin;
}

/** True if a person is an employee, also if they are an admin. */
export function isEmployee({
  role,
  isAlsoEmployee,
}: Pick<Actor, 'role' | 'isAlsoEmployee'>): boolean {
  return role === 'employee' || isAlsoEmployee === true;
}

/**
 * Refuses a decision on the actor's own request, and reading notes about oneself.
 *
 * @throws {AppError} `own_request`
 */
export function checkNotOwn({ actor }: CommandContext, userId: string): void {
  if (userId === actor.id) throw new AppError('own_request');
}

/** The person of a command that neither a visitor nor the system can run. @throws InvariantError */
export function personOf({ actor, ...by }: AuditContext): CommandContext {
  if (typeof actor === 'string') throw new InvariantError(`${actor} is no person`);
  return { actor, ...by };
}
