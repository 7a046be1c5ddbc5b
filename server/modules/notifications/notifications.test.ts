import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { countUnread, markAllNotificationsRead, markNotificationRead, notify } from './index.ts';
import { newestNotifications } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let maya: CommandContext;
let sam: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  maya = await createPersonBy(test.db);
  sam = await createPersonBy(test.db);
  await withTx(test.db, async (tx) => {
    for (const [hour, title] of ['first', 'second', 'third'].entries()) {
      const at = new Date(Date.UTC(2026, 11, 8, hour));
      notify(tx, maya.actor.id, { type: 'info', title, message: title, at });
    }
  });
});
afterAll(() => test.close());

it('lists the newest first and counts the unread', async () => {
  const items = await newestNotifications(test.db, maya.actor.id, 2);
  expect(items.map(({ title, isRead }) => [title, isRead])).toEqual([
    ['third', false],
    ['second', false],
  ]);
  expect(await countUnread(test.db, maya.actor.id)).toBe(3);
  expect(await newestNotifications(test.db, sam.actor.id, 10)).toEqual([]);
});

it('marks one and all as read, and never those of another person', async () => {
  const [newest] = await newestNotifications(test.db, maya.actor.id, 1);
  const input = { notificationId: newest?.id ?? '' };
  const mark = (by: CommandContext) =>
    withTx(test.db, (tx) => markNotificationRead(tx, services, by, input));
  await expect(mark(sam)).rejects.toMatchObject({ code: 'notification_not_found' });
  await mark(maya);
  await mark(maya);
  expect(await countUnread(test.db, maya.actor.id)).toBe(2);
  await withTx(test.db, (tx) => markAllNotificationsRead(tx, services, sam));
  expect(await countUnread(test.db, maya.actor.id)).toBe(2);
  await withTx(test.db, (tx) => markAllNotificationsRead(tx, services, maya));
  expect(await countUnread(test.db, maya.actor.id)).toBe(0);
});
