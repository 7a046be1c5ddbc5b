import { sql } from 'kysely';
import type { RouteArguments, SavedView } from '#contract/api.ts';
import { MAX_SAVED_VIEWS } from '#contract/limits.ts';
import { isViewedList, readSavedView, VIEWED_LISTS } from '#contract/saved-views.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import type { Services } from '#server/services.ts';

/**
 * Views of lists that an admin saves for themselves. Like reading an inbox, they change
 * nothing for other people and leave no audit row.
 */

type Clocked = Pick<Services, 'clock'>;

const COLUMNS = ['id', 'list', 'name', 'view'] as const;

interface Row {
  id: string;
  list: string;
  name: string;
  view: unknown;
}

/** The person's own views, by name; views of a list that no longer exists are left out. */
export async function listSavedViews(
  reader: Reader,
  userId: string,
): Promise<{ items: SavedView[] }> {
  const rows = await reader
    .selectFrom('savedView')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return { items: rows.flatMap((row) => present(row) ?? []) };
}

/**
 * Saves a view of a list under a name.
 *
 * @throws {AppError} `saved_view_limit`, `saved_view_name_taken`
 */
export async function saveView(
  tx: Tx,
  { clock }: Clocked,
  { actor }: CommandContext,
  { list, name, view }: RouteArguments<'adminSaveView'>['body'],
): Promise<SavedView> {
  const now = clock.now();
  await lockUser(tx, actor.id);
  await requireRoom(tx, actor.id);
  await requireFreeName(tx, actor.id, { list, name });
  const row = await tx
    .insertInto('savedView')
    .values({
      id: newId(now.getTime()),
      userId: actor.id,
      list,
      name,
      createdAt: now,
      view: JSON.stringify(readSavedView(VIEWED_LISTS[list], view).view),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return presentKept(row);
}

/** @throws {AppError} `saved_view_not_found`, also for another admin's, and `saved_view_name_taken` */
export async function renameView(
  tx: Tx,
  { actor }: CommandContext,
  { id, name }: { id: string; name: string },
): Promise<SavedView> {
  await lockUser(tx, actor.id);
  const { list } = await find(tx, { id, userId: actor.id, isDeleted: false });
  await requireFreeName(tx, actor.id, { list, name, besides: id });
  const row = await tx
    .updateTable('savedView')
    .set({ name })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return presentKept(row);
}

/**
 * Deletes one of the actor's views. It can be restored until the sweep deletes its row.
 *
 * @throws {AppError} `saved_view_not_found`, also for another admin's
 */
export async function deleteView(
  tx: Tx,
  { clock }: Clocked,
  { actor }: CommandContext,
  id: string,
): Promise<void> {
  await lockUser(tx, actor.id);
  await find(tx, { id, userId: actor.id, isDeleted: false });
  await tx.updateTable('savedView').set({ deletedAt: clock.now() }).where('id', '=', id).execute();
}

/**
 * Undoes the deletion of one of the actor's views, unless its place or its name was taken since.
 *
 * @throws {AppError} `saved_view_not_found`, also for another admin's, one that was swept and one
 *   that is not deleted; `saved_view_limit`, `saved_view_name_taken`
 */
export async function restoreView(
  tx: Tx,
  { actor }: CommandContext,
  id: string,
): Promise<SavedView> {
  await lockUser(tx, actor.id);
  const { list, name } = await find(tx, { id, userId: actor.id, isDeleted: true });
  await requireRoom(tx, actor.id);
  await requireFreeName(tx, actor.id, { list, name });
  const row = await tx
    .updateTable('savedView')
    .set({ deletedAt: null })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return presentKept(row);
}

async function find(
  tx: Tx,
  { id, userId, isDeleted }: { id: string; userId: string; isDeleted: boolean },
): Promise<Row> {
  const row = await tx
    .selectFrom('savedView')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('deletedAt', isDeleted ? 'is not' : 'is', null)
    .executeTakeFirst();
  if (row === undefined || !isViewedList(row.list)) throw new AppError('saved_view_not_found');
  return row;
}

async function requireRoom(tx: Tx, userId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('savedView')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SAVED_VIEWS) {
    throw new AppError('saved_view_limit');
  }
}

async function requireFreeName(
  tx: Tx,
  userId: string,
  { list, name, besides }: { list: string; name: string; besides?: string },
): Promise<void> {
  const same = await tx
    .selectFrom('savedView')
    .select('id')
    .where('userId', '=', userId)
    .where('list', '=', list)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (same !== undefined && same.id !== besides) throw new AppError('saved_view_name_taken');
}

function presentKept(row: Row): SavedView {
  const view = present(row);
  if (view === null) throw new AppError('saved_view_not_found');
  return view;
}

/** Reads the view by the list's current declaration; null for a list that no longer exists. */
function present({ id, list, name, view }: Row): SavedView | null {
  if (!isViewedList(list)) return null;
  const read = readSavedView(VIEWED_LISTS[list], { ...(view as object) });
  return { id, list, name, view: read.view, isPartial: !read.isWhole };
}
