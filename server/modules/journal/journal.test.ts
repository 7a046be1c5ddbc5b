import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS } from '#contract/events/all.ts';
import type { EventName } from '#contract/events/all.ts';
import type { EventSpec } from '#contract/events/event.ts';
import { THINGS } from '#contract/things/all.ts';
import { eventOf, specOf } from '#contract/things/thing.ts';
import type { ActNotice } from '#contract/things/thing.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { journal, record } from './journal.ts';

const services = createTestServices();
const at = new Date('2026-12-08T15:00:00.000Z');
let test: TestDb;
let maya: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  await createAdmin(test.db, services, { firstName: 'Renee', lastName: 'Albright' });
  maya = await createPersonBy(test.db, { firstName: 'Maya', lastName: 'Castellanos' });
});
afterAll(() => test.close());

/** Runs a recording alone and reads what it has written. */
async function written(run: (tx: Tx) => void) {
  await test.db.deleteFrom('outbox').execute();
  await test.db.deleteFrom('notification').execute();
  await withTx(test.db, run);
  const records = await test.db
    .selectFrom('auditEvent')
    .select(['action', 'subjectType', 'personId', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const notices = await test.db
    .selectFrom('notification')
    .select(['kind', 'userId', 'message'])
    .execute();
  const live = await test.db
    .selectFrom('outbox')
    .select(['topic', 'userId'])
    .where('kind', '=', 'event')
    .where('topic', '<>', 'notifications')
    .execute();
  const topicsOf = (userId: string | null) =>
    live.filter((event) => event.userId === userId).map(({ topic }) => topic);
  return {
    record: records[0],
    notices: notices.map(({ kind, userId }) => noticeOf(kind, userId === maya.actor.id)).toSorted(),
    messages: notices.map(({ message }) => message).join(' '),
    live: { owner: topicsOf(maya.actor.id), admins: topicsOf(null) },
  };
}

/** A value for each word of the notices that the actor's name does not give. */
function wordsOf(...notices: readonly (ActNotice | undefined)[]): Record<string, string> {
  const names = notices.flatMap((notice) =>
    [...String(notice?.message ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  );
  return Object.fromEntries(names.filter((name) => name !== 'actor').map((name) => [name, 'X']));
}

const noticesOf = (toOwner: ActNotice | undefined, toAdmins: ActNotice | undefined): string[] => [
  ...(toOwner ? [noticeOf(toOwner.kind, true)] : []),
  ...(toAdmins ? [noticeOf(toAdmins.kind, false)] : []),
];
const noticeOf = (kind: string, isOwn: boolean) => `${isOwn ? 'to Maya' : 'to admins'}: ${kind}`;

const events: [string, EventSpec][] = Object.entries(EVENTS);
describe.each(events)('%s', (name, spec) => {
  it('is recorded with its notices and its screens', async () => {
    const { about, event = name, toOwner, toAdmins, live = {} } = spec;
    const personId = maya.actor.id;
    const id = about === 'user' ? personId : newId();
    const words = wordsOf(toOwner, toAdmins);
    const result = await written((tx) =>
      record(tx, maya, name as EventName, { id, personId, at, words } as never),
    );
    expect(result.record).toMatchObject({ action: event, subjectType: about, personId });
    expect(result.notices).toEqual(noticesOf(toOwner, toAdmins).toSorted());
    expect(result.messages).not.toContain('{');
    // Those of the inbox are published by its notices, too.
    const shown = (topics: readonly string[] = []) =>
      topics.filter((topic) => topic !== 'notifications');
    expect(result.live).toEqual({ owner: shown(live.owner), admins: shown(live.admins) });
  });
});

const acts = THINGS.flatMap((thing) =>
  Object.keys(thing.acts).map((act) => [`${thing.name} ${act}`, thing, act] as const),
);
it.each(acts)('%s is recorded with its notices', async (_, thing, act) => {
  const { toOwner, toAdmins, by } = specOf(thing, act);
  const userId = maya.actor.id;
  const id = thing.name === 'user' ? userId : newId();
  const words = wordsOf(toOwner, toAdmins);
  const result = await written((tx) =>
    journal(tx, maya, thing, act, { id, userId, at, details: {}, words }),
  );
  expect(result.record).toMatchObject({
    action: eventOf(thing, act),
    subjectType: thing.name,
    personId: thing.isOfCompany === true ? null : userId,
    details: thing.keepsMoments === true ? {} : { at: at.toISOString() },
  });
  const isOwn = by === 'anyAdmin';
  const expected = noticesOf(isOwn ? undefined : toOwner, toAdmins);
  expect(result.notices).toEqual(expected.toSorted());
  expect(result.messages).not.toContain('{');
});
