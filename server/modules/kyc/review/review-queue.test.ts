import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { approveApplication, ensureApplication } from '../index.ts';
import { findProfile } from '../documents/profile.ts';
import { FEW, reviewQueue } from './queue-list.ts';
import { countReviews, findNeighbours } from './review-queue.ts';

const services = createTestServices();
let opened: TestDb;
let db: Db;
let renee: CommandContext;

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  renee = await createPersonBy(db, { role: 'admin' });
});
afterAll(() => opened.close());

const someone = (lastName = 'Person') => createPersonBy(db, { lastName });

describe('the queue', () => {
  const filter = {
    search: '',
    status: 'all',
    kind: 'all',
    sort: 'queue',
    direction: 'desc',
  } as const;
  const mark = 'Quetzal';
  let ids: string[];

  beforeAll(async () => {
    await submittedApplication(db, services, await someone());
    ids = [];
    for (const [minute, kind] of ['application', 'documents', 'application'].entries()) {
      services.clock.set(`2026-12-08T10:0${minute}:00.000Z`);
      const owner = await someone(mark);
      if (kind === 'application') ids.push((await submittedApplication(db, services, owner)).id);
      else {
        await giveDocument(db, services, owner, { type: 'government_id' });
        ids.push((await findProfile(db, owner.actor.id))?.id ?? '');
      }
    }
    services.clock.set('2026-12-08T10:05:00.000Z');
    const settled = await submittedApplication(db, services, await someone(mark));
    await withTx(db, (tx) =>
      approveApplication(tx, services, renee, {
        applicationId: settled.id,
        version: settled.version,
      }),
    );
    ids.push(settled.id);
    services.clock.set('2026-12-08T15:00:00.000Z');
  });

  const scope = () => ({ viewerId: renee.actor.id, now: services.clock.now() });
  const list = (changes: object) =>
    reviewQueue.page(db, { ...filter, search: mark, page: 1, pageSize: 10, ...changes }, scope());

  test('has both kinds, what waits first and oldest first', async () => {
    const { items, hasMore } = await list({});
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(hasMore).toBe(false);
    expect(items.map(({ kind }) => kind)).toEqual([
      'application',
      'documents',
      'application',
      'application',
    ]);
    expect(items[0]).toMatchObject({
      status: 'submitted',
      ageHours: 5,
      documents: 2,
      documentsRequired: 2,
    });
    expect(items[1]).toMatchObject({ documents: 1, documentsRequired: 3 });
    expect(items[3]).toMatchObject({ status: 'approved', ageHours: null });
  });

  test('is filtered, sorted and paged', async () => {
    const idsOf = async (changes: object) => (await list(changes)).items.map(({ id }) => id);
    expect(await idsOf({ status: 'waiting' })).toEqual(ids.slice(0, 3));
    expect(await idsOf({ status: 'approved' })).toEqual(ids.slice(3));
    expect(await idsOf({ kind: 'documents' })).toEqual([ids[1]]);
    expect(await idsOf({ sort: 'submitted' })).toEqual(ids.toReversed());
    expect(await idsOf({ page: 2, pageSize: 3 })).toEqual([ids[3]]);
    expect(await idsOf({ sort: 'name', direction: 'asc' })).toHaveLength(4);
    expect(await idsOf({ search: '100%' })).toEqual([]);
    expect((await list({ pageSize: 3 })).hasMore).toBe(true);
    expect(await reviewQueue.count(db, { ...filter, search: mark }, scope())).toEqual({ total: 4 });
    const documents = { ...filter, search: mark, kind: 'documents' } as const;
    expect(await reviewQueue.count(db, documents, scope())).toEqual({ total: 1 });
  });

  test('has the applications in progress under a filter of their own, newest first', async () => {
    const kept = services.clock.now();
    const begin = async (at: string) => {
      services.clock.set(at);
      const owner = await someone(mark);
      const userId = owner.actor.id;
      await withTx(db, (tx) => ensureApplication(tx, services, userId));
      await db.insertInto('authAccount').values({ userId, password: 'a hash' }).execute();
      const { id } = await db
        .selectFrom('kycApplication')
        .select('id')
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow();
      return id;
    };
    const [first, second] = [
      await begin('2026-12-08T15:01:00.000Z'),
      await begin('2026-12-08T15:02:00.000Z'),
    ];
    const invited = await someone(mark);
    await withTx(db, (tx) => ensureApplication(tx, services, invited.actor.id));
    services.clock.set(kept.toISOString());

    const { items } = await list({ status: 'in_progress' });
    expect(items.map(({ id }) => id)).toEqual([second, first]);
    expect(items[0]).toMatchObject({
      kind: 'application',
      status: 'in_progress',
      submittedAt: null,
      ageHours: null,
      startedAt: '2026-12-08T15:02:00.000Z',
      documents: 0,
    });
    expect((await list({ status: 'in_progress', kind: 'documents' })).items).toEqual([]);
    expect((await list({ status: 'in_progress', sort: 'name' })).items).toHaveLength(2);
    expect((await list({})).items.map(({ id }) => id)).toEqual(ids);
    const counted = await countReviews(db, services, { kind: 'application' });
    expect(counted.in_progress).toBeGreaterThanOrEqual(2);
    expect((await countReviews(db, services, { kind: 'documents' })).in_progress).toBe(0);
  });

  test('leads from one item to the next and back, also from one that was decided', async () => {
    const around = (index: number, changes: object = {}) =>
      findNeighbours(db, ids[index] ?? '', { ...filter, search: mark, ...changes }, scope());
    const at = (index: number) => expect.objectContaining({ id: ids[index] });
    expect(await around(0)).toEqual({ previous: null, next: at(1) });
    expect(await around(1)).toEqual({ previous: at(0), next: at(2) });
    expect(await around(2)).toEqual({ previous: at(1), next: at(3) });
    expect(await around(3)).toEqual({ previous: at(2), next: null });
    expect(await around(3, { status: 'waiting' })).toEqual({ previous: at(2), next: null });
    expect(await around(1, { sort: 'submitted' })).toEqual({ previous: at(2), next: at(0) });
    expect((await around(1, { sort: 'name', direction: 'asc' })).next).not.toBeNull();
    await expect(
      findNeighbours(db, '00000000-0000-4000-8000-000000000000', filter, scope()),
    ).rejects.toEqual(expect.objectContaining({ code: 'not_found' }));
  });

  test('counts what stands where, and how long the oldest has waited', async () => {
    const counts = await countReviews(db, services, { kind: 'all' });
    const waiting = { search: '', status: 'waiting', kind: 'all' } as const;
    const { items } = await list({ ...waiting, pageSize: 100 });
    const { total } = await reviewQueue.count(db, waiting, scope());
    expect(total).toBe(items.length);
    expect(counts.waiting).toBe(total);
    expect(counts.submitted + counts.in_review).toBe(total);
    expect(counts.oldestHours).toBe(Math.max(...items.map(({ ageHours }) => ageHours ?? 0)));
    const documents = await countReviews(db, services, { kind: 'documents' });
    expect(documents.all).toBeLessThan(counts.all);
  });

  test('has the same items in the order of names, few or many', async () => {
    const byName = async (direction: 'asc' | 'desc') => {
      const { items } = await list({ sort: 'name', direction });
      return items.map(({ id }) => id);
    };
    const of = async () => [await byName('asc'), await byName('desc')];
    const [ascending, descending] = await of();
    expect(ascending?.toSorted()).toEqual(ids.toSorted());
    expect(descending).toEqual(ascending?.toReversed());

    const other = await someone();
    await sql`
      INSERT INTO kyc_application (id, user_id, status, answers_encrypted, submitted_at, decided_by, decided_at)
      SELECT gen_random_uuid(), ${other.actor.id}, 'rejected', '', now(), ${renee.actor.id}, now()
        FROM generate_series(0, ${FEW}::int)`.execute(db);
    expect(await of()).toEqual([ascending, descending]);
  });
});
