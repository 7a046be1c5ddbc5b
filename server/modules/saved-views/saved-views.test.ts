import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RouteArguments, SavedView } from '#contract/api.ts';
import { MAX_SAVED_VIEWS } from '#contract/limits.ts';
import { VIEWED_LIST_IDS, VIEWED_LISTS, readSavedView } from '#contract/saved-views.ts';
import { withTx } from '#server/db/tx.ts';
import { sweepRetention } from '#server/jobs/retention.ts';
import { newId } from '#server/lib/ids.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import { deleteView, listSavedViews, renameView, restoreView, saveView } from './saved-views.ts';

let purser: TestApp;
let amara: TestPerson;
let daniel: TestPerson;
beforeAll(async () => {
  purser = await openTestApp();
  amara = await createAdmin(purser.db, purser.services);
  daniel = await createAdmin(purser.db, purser.services);
});
afterAll(() => purser.close());
afterEach(() => sql`DELETE FROM saved_view`.execute(purser.db));

type Body = RouteArguments<'adminSaveView'>['body'];

const urgent: Body = {
  list: 'adminListWithdrawals',
  name: 'Urgent ones',
  view: { status: 'pending', urgency: 'high', sort: 'amount', direction: 'asc' },
};
const save = (body: Partial<Body> = {}, admin = amara) =>
  withTx(purser.db, (tx) => saveView(tx, purser.services, admin.by, { ...urgent, ...body }));
const rename = (id: string, name: string, admin = amara) =>
  withTx(purser.db, (tx) => renameView(tx, admin.by, { id, name }));
const remove = (id: string, admin = amara) =>
  withTx(purser.db, (tx) => deleteView(tx, purser.services, admin.by, id));
const restore = (id: string, admin = amara) =>
  withTx(purser.db, (tx) => restoreView(tx, admin.by, id));
const views = async (admin = amara) => (await listSavedViews(purser.db, admin.id)).items;
const names = async (admin = amara) => (await views(admin)).map(({ name }) => name);

/** Inserts the maximum number of views less `less`, in one statement. */
async function fill(less = 0): Promise<void> {
  await purser.db
    .insertInto('savedView')
    .values(
      Array.from({ length: MAX_SAVED_VIEWS - less }, (_, index) => ({
        id: newId(),
        userId: amara.id,
        list: urgent.list,
        name: `View ${index}`,
        view: '{}',
        createdAt: new Date(),
      })),
    )
    .execute();
}

/** Inserts a view as an older version of Purser may have left it. */
async function keep(list: string, view: Record<string, unknown>): Promise<void> {
  await purser.db
    .insertInto('savedView')
    .values({
      id: newId(),
      userId: amara.id,
      list,
      name: 'Old',
      createdAt: new Date(),
      view: JSON.stringify(view),
    })
    .execute();
}

describe('a saved view', () => {
  test('is stored completely, and listed by name only for its owner', async () => {
    await save();
    await save({ name: 'all of them', view: {} });
    expect(await views()).toMatchObject([
      { name: 'all of them', view: { status: 'all', sort: 'queue' }, isPartial: false },
      {
        name: 'Urgent ones',
        list: 'adminListWithdrawals',
        view: { search: '', ...urgent.view },
        isPartial: false,
      },
    ]);
    expect(await names(daniel)).toEqual([]);
  });

  test('is not renamed, deleted or restored by another admin', async () => {
    const { id } = await save();
    await expect(rename(id, 'Mine', daniel)).rejects.toMatchObject({
      code: 'saved_view_not_found',
    });
    await expect(remove(id, daniel)).rejects.toMatchObject({ code: 'saved_view_not_found' });
    await remove(id);
    await expect(restore(id, daniel)).rejects.toMatchObject({ code: 'saved_view_not_found' });
    await restore(id);
    expect(await names()).toEqual(['Urgent ones']);
  });

  test('has a unique name in its list, ignoring case', async () => {
    const { id } = await save();
    await expect(save({ name: 'URGENT ones' })).rejects.toMatchObject({
      code: 'saved_view_name_taken',
    });
    const other = await save({ name: 'Other' });
    await expect(rename(other.id, 'urgent ONES')).rejects.toMatchObject({
      code: 'saved_view_name_taken',
    });
    expect((await rename(id, 'urgent ones')).name).toBe('urgent ones');
    await save({ list: 'adminListBills', name: 'Urgent ones', view: {} });
    await save({}, daniel);
    expect(await names()).toEqual(['Other', 'urgent ones', 'Urgent ones']);
  });

  test('above the limit is refused, also of two concurrent requests', async () => {
    await fill(1);
    const second = await withTx(purser.db, async (tx) => {
      await saveView(tx, purser.services, amara.by, { ...urgent, name: 'One' });
      return startAndBlock(purser.db, () => Promise.allSettled([save({ name: 'Two' })]));
    });
    expect(await second.answer).toMatchObject([{ reason: { code: 'saved_view_limit' } }]);
    expect(await names()).toHaveLength(MAX_SAVED_VIEWS);
  });

  test('is saved once by two concurrent requests with the same name', async () => {
    expectOneWins(await Promise.allSettled([save(), save()]), 'saved_view_name_taken');
  });
});

describe('a deleted view', () => {
  test('can be restored unchanged, once', async () => {
    const before = await save();
    await remove(before.id);
    expect(await names()).toEqual([]);
    await expect(remove(before.id)).rejects.toMatchObject({ code: 'saved_view_not_found' });
    expect(await restore(before.id)).toEqual(before);
    await expect(restore(before.id)).rejects.toMatchObject({ code: 'saved_view_not_found' });
  });

  test('stays deleted if its name or its place was taken in the meantime', async () => {
    const { id } = await save();
    await remove(id);
    const again = await save();
    await expect(restore(id)).rejects.toMatchObject({ code: 'saved_view_name_taken' });
    await remove(again.id);
    await fill();
    await expect(restore(id)).rejects.toMatchObject({ code: 'saved_view_limit' });
  });

  test('is removed for good after a day, and the others are kept', async () => {
    const { id } = await save();
    await save({ name: 'Kept' });
    await remove(id);
    await sweepRetention(purser.db, new Date(Date.now() + 25 * 3_600_000));
    await expect(restore(id)).rejects.toMatchObject({ code: 'saved_view_not_found' });
    expect(await names()).toEqual(['Kept']);
  });
});

describe('a view of an older version', () => {
  test('opens with its valid parts, and says so', async () => {
    await keep('adminListWithdrawals', { status: 'rejected', urgency: 'extreme', colour: 'red' });
    expect(await views()).toMatchObject([
      { view: { status: 'rejected', urgency: 'all' }, isPartial: true },
    ]);
  });

  test('is not listed if its list no longer exists', async () => {
    await keep('adminListParcels', {});
    expect(await views()).toEqual([]);
  });
});

test('every list can save its initial view', () => {
  for (const list of VIEWED_LIST_IDS) {
    const { view } = readSavedView(VIEWED_LISTS[list], {});
    expect(readSavedView(VIEWED_LISTS[list], view), list).toEqual({ view, isWhole: true });
  }
});

describe('input of a hostile client', () => {
  const post = async (body: unknown) =>
    purser.ask('POST', '/api/admin/saved-views', { cookie: await purser.cookieOf(amara), body });

  test.each([
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['a name of two lines', { name: 'Urgent\nones' }],
    ['a name that nobody sees', { name: ' \u200b ' }],
    ['no name', { name: '   ' }],
    ['a filter that the list has not', { view: { colour: 'red' } }],
    ['a value that the filter has not', { view: { status: 'lost' } }],
    ['an order that the list has not', { view: { sort: 'mood' } }],
    ['a page', { view: { page: '2' } }],
    ['a search of 10,000 characters', { view: { search: 'x'.repeat(10_000) } }],
    ['a list that has no views', { list: 'listHistory' }],
    ['words of an object’s prototype', { list: 'constructor', view: {} }],
  ])('is refused: %s', async (_what, wrong) => {
    const response = await post({ ...urgent, ...wrong });
    expect(response.status).toBe(422);
    expect(await names()).toEqual([]);
  });

  test('is stored as plain text if it is markup', async () => {
    const name = '<img src=x onerror="alert(1)">';
    const response = await post({ ...urgent, name });
    expect(response.status).toBe(201);
    const { view } = (await response.json()) as SavedView;
    expect(view).toMatchObject(urgent.view);
    expect(await names()).toEqual([name]);
  });
});
