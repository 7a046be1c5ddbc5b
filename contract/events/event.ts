import type { AuditSubject } from '../audit.ts';
import type { AdminsKind, PersonalKind } from '../notification-kinds.ts';
import type { ActNotice, LiveTopics } from '../things/thing.ts';

/** Notice of an event, of a kind of the catalogue. */
export interface EventNotice<Kind extends string> extends ActNotice {
  readonly kind: Kind;
}

/** Event that the audit trail records and that is no act of a thing, with everything that follows from it. */
export interface EventSpec {
  /** Its name in the audit trail, where two events share one. */
  readonly event?: `${string}.${string}`;
  /** Subject of the record. */
  readonly about: AuditSubject;
  /** Its words on the audit page, where they are not made of its name. */
  readonly words?: string;
  /** True if the record has the moment of the event, which verification compares. */
  readonly isTimed?: true;
  /** True if it changes how the person signs in, of which the record then has hashes. */
  readonly changesSignIn?: true;
  readonly live?: LiveTopics;
  /** Notice of the person whom it concerns. */
  readonly toOwner?: EventNotice<PersonalKind>;
  readonly toAdmins?: EventNotice<AdminsKind>;
}
