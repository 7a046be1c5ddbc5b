import type { Role } from '#contract/identity.ts';
import { AppError } from './errors.ts';

/** The signed-in person a command acts for. */
export interface Actor {
  readonly id: string;
  readonly role: Role;
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

/**
 * Nobody decides on what is their own, nor reads what is noted about them.
 *
 * @throws {AppError} `own_request`
 */
export function checkNotOwn({ actor }: CommandContext, userId: string): void {
  if (userId === actor.id) throw new AppError('own_request');
}
