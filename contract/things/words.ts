/**
 * Words and names that follow from the acts of a thing: its webhook events, the titles of its notifications, and what
 * the audit page says of it.
 */
import { eventOf } from './thing.ts';
import type { ActOf, ActSpec, Thing, WordOf } from './thing.ts';

/** The acts of a thing, each with its event. */
function recordedActs(thing: Thing): (readonly [string, ActSpec])[] {
  return Object.entries(thing.acts).map(([act, spec]) => [eventOf(thing, act), spec]);
}

/** Webhook events of a thing, each with its words: "Withdrawal approved". */
export function sentEvents<T extends Thing>(thing: T): { readonly [Event in SentOf<T>]: string } {
  const sent = recordedActs(thing).filter(([, { isSent }]) => isSent === true);
  return Object.fromEntries(
    sent.map(([event]) => [event, capitalized(event.replace('.', ' '))]),
  ) as never;
}
type SentOf<T extends Thing> = {
  [Act in ActOf<T>]: T['acts'][Act] extends { isSent: true; past: infer Past extends string }
    ? `${WordOf<T>}.${Past}`
    : never;
}[ActOf<T>];

/**
 * The kinds of notification that a thing's owner, or every admin, gets. Each has `spec` and its own title, which is
 * "Deposit Rejected" for `deposit-rejected`.
 */
export function noticesOf<
  T extends Thing,
  To extends 'toOwner' | 'toAdmins',
  const Spec extends object,
>(
  thing: T,
  to: To,
  spec: Spec,
): { readonly [Kind in KindOf<T, To>]: Spec & { readonly title: string } } {
  const notices = Object.values(thing.acts).flatMap((act) => act[to] ?? []);
  const titleOf = to === 'toOwner' ? titled : worded;
  return Object.fromEntries(
    notices.map(({ kind, title = titleOf(kind) }) => [kind, { ...spec, title }]),
  ) as never;
}
type KindOf<T extends Thing, To extends string> = {
  [Act in ActOf<T>]: T['acts'][Act] extends Record<To, { kind: infer Kind extends string }>
    ? Kind
    : never;
}[ActOf<T>];

/** Words after the name of the person who did an act, by its event: "approved this" of `withdrawal.approved`. */
export function verbsOf(thing: Thing): Readonly<Record<string, string>> {
  const { called = 'this' } = thing;
  const decided = recordedActs(thing).filter(([, { from }]) => from.length > 0);
  return Object.fromEntries(
    decided.flatMap(([event, { past, did = past }]) =>
      did === null ? [] : [[event, `${did} ${called}`]],
    ),
  );
}

/** Words of the acts of a thing on the audit page, by event, where they are not made of the event. */
export function auditWordsOf(thing: Thing): Readonly<Record<string, string>> {
  return Object.fromEntries(
    recordedActs(thing).flatMap(([event, { words }]) =>
      words === undefined ? [] : [[event, words]],
    ),
  );
}

/** Makes "Deposit Rejected" from "deposit-rejected". */
function titled(kind: string): string {
  return kind.split('-').map(capitalized).join(' ');
}

/** Makes "Withdrawal to approve" from "withdrawal-to-approve". */
function worded(kind: string): string {
  return capitalized(kind.replaceAll('-', ' '));
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
