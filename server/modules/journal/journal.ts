import { EVENTS } from '#contract/events/all.ts';
import type { EventName } from '#contract/events/all.ts';
import type { EventSpec } from '#contract/events/event.ts';
import type { AdminsKind, PersonalKind } from '#contract/notification-kinds.ts';
import { eventOf, liveOf, specOf } from '#contract/things/thing.ts';
import type { ActNotice, ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import { publishTopics } from '#server/events/outbox.ts';
import { isEmployee } from '#server/lib/actor.ts';
import type { Actor, AuditContext } from '#server/lib/actor.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';

export type AuditDetails = NonNullable<AuditEntry['details']>;

/** Formatted words of a thing for its notifications; null for a word that is not known. */
export type Words = Readonly<Record<string, string | null>>;

interface Done {
  readonly id: string;
  /** Id of the person it concerns; null if it concerns nobody. */
  readonly personId?: string | null;
  /** Id that the notifications lead to, where it is not its own; null if they lead to nothing. */
  readonly relatedId?: string | null;
  /** True if its owner is not notified: they see the outcome, or are notified of more. */
  readonly isSilent?: boolean;
  readonly at: Date;
  readonly details?: AuditDetails;
  readonly words?: Words;
}

/**
 * Records an act that was done. With the COMMIT it writes the audit record, which webhooks are sent, and the
 * notifications that the declaration names, and which screens must be read again.
 *
 * @param done.userId id of its owner, where it is not itself a person
 * @param done.personId id of the person it concerns, where it is not its owner
 * @throws InvariantError where a sentence needs a word that is not known
 */
export function journal<T extends Thing>(
  tx: Tx,
  by: AuditContext,
  thing: T,
  act: ActOf<T>,
  { userId, ...done }: Done & { readonly userId?: string },
): void {
  const { id, at, details } = done;
  const ownerId = userId ?? id;
  const spec = specOf(thing, act);
  recordAudit(tx, {
    by,
    action: eventOf(thing, act),
    subjectType: thing.name,
    subjectId: id,
    personId: done.personId ?? (thing.isOfCompany === true ? null : ownerId),
    details: thing.keepsMoments === true ? { ...details } : { ...details, at: at.toISOString() },
    changesSignIn: spec.changesSignIn === true,
  });
  const isOwn = spec.by === 'anyAdmin' && typeof by.actor === 'object' && by.actor.id === ownerId;
  send(tx, by, spec, { ...done, ownerId: isOwn || done.isSilent === true ? null : ownerId });
  publishTopics(tx, liveOf(thing, act), ownerId);
}

/** An event that notifies somebody or has a moment needs to know when it was. */
type Recorded<Event extends EventName> = Omit<Done, 'id' | 'at'> & {
  readonly id: string | null;
  readonly userId?: string;
} & ((typeof EVENTS)[Event] extends { toOwner: object } | { toAdmins: object } | { isTimed: true }
    ? { readonly at: Date }
    : { readonly at?: never });

/**
 * Records an event that is no act of a thing, with everything that its declaration says (contract/events/).
 *
 * @param done.personId id of the person it concerns, where it is not about a person
 * @param done.userId id of the person who is notified, where it is not whom it concerns
 * @throws InvariantError where a sentence needs a word that is not known
 */
export function record<Event extends EventName>(
  tx: Tx,
  by: AuditContext,
  event: Event,
  done: Recorded<Event>,
): void {
  const spec: EventSpec = EVENTS[event];
  const { id, at, details } = done;
  const personId = done.personId ?? (spec.about === 'user' ? id : null);
  const ownerId = done.isSilent === true ? null : (done.userId ?? personId);
  recordAudit(tx, {
    by,
    action: spec.event ?? event,
    subjectType: spec.about,
    subjectId: id,
    personId,
    details: spec.isTimed === true && at ? { ...details, at: at.toISOString() } : { ...details },
    changesSignIn: spec.changesSignIn === true,
  });
  if (at) send(tx, by, spec, { ...done, at, ownerId });
  publishTopics(tx, spec.live ?? {}, personId);
}

interface Notices {
  readonly toOwner?: ActNotice;
  readonly toAdmins?: ActNotice;
}

/** @param done.ownerId null if the owner is not notified */
function send(
  tx: Tx,
  { actor }: AuditContext,
  { toOwner, toAdmins }: Notices,
  done: Omit<Done, 'id'> & { readonly id: string | null; readonly ownerId: string | null },
): void {
  const { id, ownerId, relatedId = id, at, words } = done;
  const known = {
    ...(typeof actor === 'object'
      ? { actor: actor.name, advice: adviceTo(actor) }
      : { actor: 'Purser' }),
    ...words,
  };
  const messageOf = (notice: ActNotice) => ({ message: written(notice, known), relatedId, at });
  if (toOwner !== undefined && ownerId !== null) {
    notify(tx, ownerId, { kind: toOwner.kind as PersonalKind, ...messageOf(toOwner) });
  }
  if (toAdmins !== undefined) {
    notifyAdmins(tx, { kind: toAdmins.kind as AdminsKind, ...messageOf(toAdmins) });
  }
}

/** Advice to a person whose sign-in was changed, if it was not them: the word `advice` of a notice. */
export function adviceTo(person: Pick<Actor, 'role' | 'isAlsoEmployee'>): string {
  return isEmployee(person)
    ? 'freeze your payouts and change your password'
    : 'change your password and let another administrator know';
}

/** The first sentence of a notice whose words are all known. */
function written({ kind, message }: ActNotice, words: Words): string {
  const sentences = typeof message === 'string' ? [message] : message;
  const isKnown = (sentence: string) =>
    [...sentence.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => typeof words[name] === 'string');
  const sentence = sentences.find(isKnown);
  if (sentence === undefined) throw new InvariantError(`words of ${kind} are not known`);
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
}
