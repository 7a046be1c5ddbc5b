import { describe, expect, it } from 'vitest';
import { DUTY_SETTINGS } from '../duties.ts';
import { NOTIFICATION_KINDS } from '../notification-kinds.ts';
import type { RouteName } from '../api.ts';
import { ROUTES } from '../routes/all.ts';
import type { RouteSpec } from '../routes/define.ts';
import { WEBHOOK_EVENTS } from '../webhooks.ts';
import { THINGS } from './all.ts';
import { operationOf } from './operations.ts';
import { FOR_ADMINS } from './person-access.ts';
import { eventOf } from './thing.ts';
import type { ActSpec } from './thing.ts';

/** Things with kinds of notification that are older than the words of their acts. */
const NAMED_OTHERWISE = ['kyc_application', 'kyc_document', 'user'];

/** Statuses in which a thing is made, where they are not the first one alone. */
const MADE_IN: Readonly<Record<string, readonly string[]>> = {
  // A draft is a batch that was stopped or declined.
  payroll_batch: ['pending', 'processing'],
  // Most changes need nobody else.
  usual_pay_change: ['waiting', 'confirmed'],
  // A line is decided when its payroll is made.
  payroll_line: ['draft', 'skipped'],
  // Administrators add people, who are accepted with it.
  user: ['active', 'applicant'],
};

function routeOf(operation: string): RouteSpec {
  return ROUTES[operation as RouteName];
}

describe.each(THINGS.map((thing) => [thing.name, thing] as const))('%s', (_, thing) => {
  const acts: readonly (readonly [string, ActSpec])[] = Object.entries(thing.acts);

  it('has acts between its own statuses, and reaches each of them', () => {
    const reached = new Set<string>();
    for (const [, { from, to }] of acts) {
      for (const status of [...from, ...(to === undefined ? [] : [to])]) {
        expect(thing.statuses).toContain(status);
      }
      if (to !== undefined) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual([...thing.statuses].toSorted());
  });

  it('is made by acts that lead to a first status', () => {
    const made = acts.filter(([, { from }]) => from.length === 0);
    expect(made).not.toEqual([]);
    const first = MADE_IN[thing.name] ?? [thing.statuses[0]];
    expect(new Set(made.map(([, { to }]) => to))).toEqual(new Set(first));
  });

  it('calls an act by one word, in the audit trail as in the notification of its owner', () => {
    if (NAMED_OTHERWISE.includes(thing.name)) return;
    const decided = acts.filter(([, { by, from }]) => by === 'admin' && from.length > 0);
    for (const [, { past, toOwner }] of decided) {
      if (toOwner === undefined || past === 'updated') continue;
      expect(toOwner.kind).toBe(`${thing.name.replaceAll('_', '-')}-${past}`);
    }
  });

  const operations = acts.flatMap(([act, spec]) => {
    const operation = operationOf(thing, act);
    return operation === undefined ? [] : [[act, { ...spec, operation }] as const];
  });

  it.each(operations)('%s is an operation of those who do it', (_act, { operation, by }) => {
    expect(routeOf(operation).access).toBe(by === 'owner' ? 'employee' : 'admin');
  });

  const plain = operations.filter(([, { hasForm }]) => hasForm !== true);
  it.each(plain)('%s has its refusals and, if it needs one, its reason', (_act, spec) => {
    const { operation, offer, refusal, by } = spec;
    const { errors, body } = routeOf(operation);
    expect(errors).toContain(thing.refusals.notFound);
    const ofStatus = typeof refusal === 'string' ? [refusal] : Object.values(refusal ?? {});
    expect(errors).toEqual(expect.arrayContaining(ofStatus));
    const isAlwaysLegal = spec.from.length === thing.statuses.length;
    if (typeof refusal !== 'string' && !isAlwaysLegal)
      expect(errors).toContain(thing.refusals.wrongStatus);
    if (by === 'admin') expect(errors).toContain(thing.refusals.own ?? 'own_request');
    const fields = Object.keys(body?.shape ?? {});
    expect(fields.includes('reason')).toBe((offer?.reason ?? offer?.reasonForSome) !== undefined);
    expect(fields.includes('leftBankOn')).toBe(offer?.isCompletion === true);
  });

  it('takes a second person only for acts of administrators, which say so among their refusals', () => {
    for (const [act, { by, secondPerson = [] }] of acts) {
      if (secondPerson.length === 0) continue;
      expect(['admin', 'anyAdmin']).toContain(by);
      const { errors } = routeOf(operationOf(thing, act) ?? '');
      expect(errors).toContain('second_person_needed');
    }
  });

  it('notifies by kinds of the catalogue', () => {
    const kinds = acts.flatMap(([, { toOwner, toAdmins }]) => [toOwner?.kind, toAdmins?.kind]);
    const known: readonly string[] = Object.keys(NOTIFICATION_KINDS);
    expect(kinds.filter((kind) => kind !== undefined && !known.includes(kind))).toEqual([]);
  });

  it('gives its owner the reason of each act that has one', () => {
    const reasoned = acts.filter(
      ([, { offer }]) => offer?.reason !== undefined && offer.reason.placeholder !== FOR_ADMINS,
    );
    const silent = reasoned.filter(([, { toOwner }]) => !toOwner?.message.includes('{reason}'));
    expect(silent).toEqual([]);
  });

  it('sends webhooks what it says it sends', () => {
    const sent = acts.filter(([, { isSent }]) => isSent === true);
    const { event: begin = thing.name } = thing;
    const events = Object.keys(WEBHOOK_EVENTS).filter((event) => event.startsWith(`${begin}.`));
    expect(new Set(events)).toEqual(new Set(sent.map(([act]) => eventOf(thing, act))));
  });
});

it('separates by every setting about two people', () => {
  const acts: readonly ActSpec[] = THINGS.flatMap(({ acts: all }) => Object.values(all));
  const rules = acts.flatMap(({ secondPerson = [] }) => secondPerson.map(({ rule }) => rule));
  expect(new Set(rules)).toEqual(new Set([...DUTY_SETTINGS, 'always']));
});
