import type { Role } from '#contract/identity.ts';

/** The signed-in person a command acts for. */
export interface Actor {
  readonly id: string;
  readonly role: Role;
  /** First and last name. */
  readonly name: string;
}

/** Where a request came from, for the audit trail and the log. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** By whom a command is carried out; a request's context is one. */
export interface By {
  readonly actor: Actor;
  readonly origin?: RequestOrigin;
}

/** Like `By`, for what a visitor tries or the system itself does. */
export interface AuditBy {
  readonly actor: Actor | 'visitor' | 'system';
  readonly origin?: RequestOrigin;
}
