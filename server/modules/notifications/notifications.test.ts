import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminsKind, PersonalKind } from '#contract/notification-kinds.ts';
import { NOTIFICATION_KINDS, kindSpec } from '#contract/notification-kinds.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { deleteNotification, restoreNotification } from './delete-notification.ts';
import {
  markAllNotificationsRead,
  markNotificationRead,
  notify,
  notifyAdmins,
  sweepDeletedNotifications,
} from './index.ts';
import { ownNotifications } from './notification-list.ts';

const services = createTestServices();
let test: TestDb;
let maya: CommandContext;
let sam: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  maya = await createPersonBy(test.db);
  sam = await createPersonBy(test.db);
  await withTx(test.db, async (tx) => {
    for (const [hour, message] of ['first', 'second', 'third'].entries()) {
      const at = new Date(Date.UTC(2026, 11, 8, hour));
      notify(tx, maya.actor.id, { kind: 'welcome', message, at });
    }
  });
});

const setClock = (timeMs: number) => services.clock.set(new Date(timeMs).toISOString());

async function inboxOf({ actor }: CommandContext, place = { page: 1, pageSize: 10 }) {
  const { items } = await ownNotifications.page(test.db, place, actor);
  return items;
}

async function newestOf(by: CommandContext) {
  const [newest] = await inboxOf(by);
  if (newest === undefined) throw new Error('The inbox is empty');
  return newest;
}

async function unreadOf(by: CommandContext): Promise<number> {
  return (await inboxOf(by)).filter(({ isRead }) => !isRead).length;
}

it('lists a person’s own, newest first, in pages, and counts them', async () => {
  const messages = async (page: number) =>
    (await inboxOf(maya, { page, pageSize: 2 })).map(({ message }) => message);
  expect(await messages(1)).toEqual(['third', 'second']);
  expect(await messages(2)).toEqual(['first']);
  expect(await ownNotifications.count(test.db, {}, maya.actor)).toEqual({ total: 3 });
  expect(await inboxOf(sam)).toEqual([]);
  expect(await ownNotifications.count(test.db, {}, sam.actor)).toEqual({ total: 0 });
});

it('marks one or all as read, and never those of another person', async () => {
  const input = { notificationId: (await newestOf(maya)).id };
  const mark = (by: CommandContext) =>
    withTx(test.db, (tx) => markNotificationRead(tx, services, by, input));
  await expect(mark(sam)).rejects.toMatchObject({ code: 'notification_not_found' });
  await mark(maya);
  await mark(maya);
  expect(await unreadOf(maya)).toBe(2);
  await withTx(test.db, (tx) => markAllNotificationsRead(tx, services, sam));
  expect(await unreadOf(maya)).toBe(2);
  await withTx(test.db, (tx) => markAllNotificationsRead(tx, services, maya));
  expect(await unreadOf(maya)).toBe(0);
});

describe('deleting', () => {
  const remove = (by: CommandContext, id: string) =>
    withTx(test.db, (tx) => deleteNotification(tx, services, by, id));
  const restore = (by: CommandContext, id: string) =>
    withTx(test.db, (tx) => restoreNotification(tx, by, id));
  const notFound = { code: 'notification_not_found' };

  it('removes one from the inbox until it is restored, still unread', async () => {
    const before = await inboxOf(maya);
    const { id } = await newestOf(maya);
    await remove(maya, id);
    await remove(maya, id);
    expect(await inboxOf(maya)).toEqual(before.slice(1));
    expect(await ownNotifications.count(test.db, {}, maya.actor)).toEqual({ total: 2 });
    const mark = withTx(test.db, (tx) =>
      markNotificationRead(tx, services, maya, { notificationId: id }),
    );
    await expect(mark).rejects.toMatchObject(notFound);
    await withTx(test.db, (tx) => markAllNotificationsRead(tx, services, maya));
    await restore(maya, id);
    expect((await inboxOf(maya)).map(({ isRead }) => isRead)).toEqual([false, true, true]);
  });

  it('is refused to another person, and so is restoring', async () => {
    const { id } = await newestOf(maya);
    await expect(remove(sam, id)).rejects.toMatchObject(notFound);
    expect(await inboxOf(maya)).toHaveLength(3);
    await remove(maya, id);
    await expect(restore(sam, id)).rejects.toMatchObject(notFound);
    expect(await inboxOf(maya)).toHaveLength(2);
  });

  it('is final a day later, and only for deleted ones', async () => {
    const { id } = await newestOf(maya);
    await remove(maya, id);
    const deletedAt = services.clock.now();
    setClock(deletedAt.getTime() + LIMITS.notifications.undoMs - 1);
    await sweepDeletedNotifications(test.db, services);
    await restore(maya, id);
    await remove(maya, id);
    setClock(services.clock.now().getTime() + LIMITS.notifications.undoMs + 1);
    await sweepDeletedNotifications(test.db, services);
    await expect(restore(maya, id)).rejects.toMatchObject(notFound);
    expect(await inboxOf(maya)).toHaveLength(2);
    setClock(deletedAt.getTime());
  });
});

describe('the catalogue', () => {
  it('has the stored text, and the place that it leads the reader to', async () => {
    const admin = await createPersonBy(test.db, { role: 'admin' });
    const about = {
      message: 'About one thing.',
      relatedId: maya.actor.id,
      at: services.clock.now(),
    };
    await withTx(test.db, async (tx) => {
      notify(tx, maya.actor.id, { kind: 'withdrawal-approved', ...about });
      notifyAdmins(tx, { kind: 'withdrawal-to-approve', ...about });
    });
    const id = maya.actor.id;
    expect(await newestOf(maya)).toMatchObject({
      type: 'withdrawal',
      title: 'Withdrawal Approved',
      place: `/employee/withdraw?request=${id}`,
    });
    expect(await newestOf(admin)).toMatchObject({
      title: 'Withdrawal to approve',
      place: `/admin/withdrawals?request=${id}`,
    });
  });

  it('leads to the dashboard for a kind that this version does not know', async () => {
    expect(kindSpec('toString')).toBeUndefined();
    await test.db
      .insertInto('notification')
      .values({
        id: crypto.randomUUID(),
        userId: sam.actor.id,
        kind: 'from-the-future',
        type: 'info',
        title: 'New',
        message: 'New.',
      })
      .execute();
    expect(await newestOf(sam)).toMatchObject({ title: 'New', place: '/employee/dashboard' });
  });

  it('mails what changes the rules to every admin, and a queue to none', async () => {
    const admins = await Promise.all([1, 2].map(() => createPersonBy(test.db, { role: 'admin' })));
    const mailed = async () => {
      const { rows } = await sql<{ userId: string }>`
        SELECT outbox.user_id FROM outbox
          JOIN notification ON notification.id::text = payload ->> 'notificationId'
         WHERE outbox.kind = 'mail' AND notification.kind IN ('new-administrator', 'withdrawal-to-approve')`.execute(
        test.db,
      );
      return rows.map(({ userId }) => userId);
    };
    const at = services.clock.now();
    await withTx(test.db, (tx) => {
      notifyAdmins(tx, { kind: 'withdrawal-to-approve', message: 'One.', at });
      return Promise.resolve();
    });
    expect(await mailed()).toEqual([]);
    await withTx(test.db, (tx) => {
      notifyAdmins(tx, { kind: 'new-administrator', message: 'Two.', at });
      return Promise.resolve();
    });
    const ids = await mailed();
    expect(ids).toEqual(expect.arrayContaining(admins.map(({ actor }) => actor.id)));
    expect(ids).not.toContain(maya.actor.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has two ways to notify: one person, or every admin, whom only changes of rules are mailed to', () => {
    const kinds = Object.entries(NOTIFICATION_KINDS);
    const isOfAdmins = (mail: string) => mail === 'never' || mail === 'admins';
    const admins = kinds.filter(([, { mail }]) => isOfAdmins(mail)).map(([kind]) => kind);
    expect(admins).toContain('withdrawal-to-approve' satisfies AdminsKind);
    expect(admins).not.toContain('withdrawal-approved' satisfies PersonalKind);
    expect(kinds.filter(([, { mail }]) => mail === 'admins').map(([kind]) => kind)).toEqual([
      'administrator-deactivated',
      'administrator-reactivated',
      'administrator-removed',
      'api-key-created',
      'webhook-created',
      'administrator-invited',
      'new-administrator',
      'security-rules-changed',
      'admin-change-proposed',
      'month-reopening-proposed',
      'month-reopened',
      'proposal-discarded',
      'security-change-waits',
    ] satisfies AdminsKind[]);
    for (const [kind, { type, mail, place }] of kinds) {
      if (isOfAdmins(mail)) expect(Object.keys(place), kind).toEqual(['admin']);
      if (type === 'security' && !isOfAdmins(mail)) {
        expect(mail, kind).toBe(kind === 'payouts-released' ? 'securityAlerts' : 'always');
      }
    }
  });
});
