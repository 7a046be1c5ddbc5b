import { eventOf, specOf } from '#contract/things/thing.ts';
import type { ActNotice, ActOf, Thing } from '#contract/things/thing.ts';
import type { AdminsKind, PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';

export type AuditDetails = NonNullable<AuditEntry['details']>;

/** Formatted words of a thing for its notifications; null for a word that is not known. */
export type Words = Readonly<Record<string, string | null>>;

interface Done {
  readonly id: string;
  /** Id of its owner. */
  readonly userId: string;
  /** Id of the person it concerns, where it is not its owner. */
  readonly personId?: string;
  /** Id that the notifications lead to, where it is not its own. */
  readonly relatedId?: string;
  /** True if its owner is not notified: they see the outcome, or are notified of more. */
  readonly isSilent?: boolean;
  readonly at: Date;
  readonly details: AuditDetails;
  readonly words: Words;
}

/**
 * Records an act that was done. With the COMMIT it writes the audit record, which webhooks are sent, and the
 * notifications that the declaration names, and tells which screens must be read again.
 *
 * @throws InvariantError where a sentence needs a word that is not known
 */
export function journal<T extends Thing>(
  tx: Tx,
  by: AuditContext,
  thing: T,
  act: ActOf<T>,
  { id, userId, personId, relatedId = id, isSilent, at, details, words }: Done,
): void {
  const { by: who, toOwner, toAdmins } = specOf(thing, act);
  recordAudit(tx, {
    by,
    action: eventOf(thing, act),
    subjectType: thing.name,
    subjectId: id,
    personId: personId ?? (thing.isOfCompany === true ? null : userId),
    details: { ...details, at: at.toISOString() },
  });
  const known = { actor: typeof by.actor === 'object' ? by.actor.name : 'Purser', ...words };
  const messageOf = (notice: ActNotice) => ({ message: written(notice, known), relatedId, at });
  const isOwn = who === 'anyAdmin' && typeof by.actor === 'object' && by.actor.id === userId;
  if (toOwner !== undefined && isSilent !== true && !isOwn) {
    notify(tx, userId, { kind: toOwner.kind as PersonalKind, ...messageOf(toOwner) });
  }
  if (toAdmins !== undefined) {
    notifyAdmins(tx, { kind: toAdmins.kind as AdminsKind, ...messageOf(toAdmins) });
  }
  publishThing(tx, thing, userId);
}

/** Makes screens that show a thing to its owner and to admins read it again. */
export function publishThing(
  tx: Tx,
  { topic, movesMoney, isOfCompany }: Thing,
  userId: string,
): void {
  const owners = isOfCompany === true ? [] : [topic, ...(movesMoney ? (['wallets'] as const) : [])];
  publish(tx, ...owners.map((each) => ({ topic: each, userId })), { topic, userId: null });
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
