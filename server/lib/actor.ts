import type { Role } from '#contract/identity.ts';

/** The signed-in person a command acts for. */
export interface Actor {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
}

/** Who did it, for the audit trail: a person, a visitor, or the system itself (jobs). */
export type AuditActor = Actor | 'visitor' | 'system';
