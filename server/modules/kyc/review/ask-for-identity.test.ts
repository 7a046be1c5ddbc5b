import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';

let purser: TestApp;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
});
afterAll(() => purser.close());

const ask = async (id: string) => {
  const reply = await purser.ask('POST', `/api/admin/people/${id}/ask-for-identity`, { cookie });
  return { status: reply.status, ...((await reply.json()) as object) };
};
const notified = async (userId: string) => {
  const rows = await purser.db
    .selectFrom('notification')
    .select('kind')
    .where('userId', '=', userId)
    .where('kind', '=', 'identity-asked')
    .execute();
  return rows.length;
};

test('asks once a day, also when two admins do concurrently', async () => {
  const { id } = await createEmployee(purser.db, purser.services);
  const replies = await Promise.all([ask(id), ask(id)]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await ask(id)).toMatchObject({ code: 'identity_asked_already' });
  expect(await notified(id)).toBe(1);
  const mails = await purser.db
    .selectFrom('outbox')
    .select('topic')
    .where('kind', '=', 'mail')
    .where('userId', '=', id)
    .execute();
  expect(mails).toEqual([{ topic: 'notification' }]);
  await purser.db.deleteFrom('notification').where('userId', '=', id).execute();
  expect(await ask(id)).toMatchObject({ status: 200 });
});

test('asks nobody whose identity is reviewed, who is deactivated, or is no employee', async () => {
  const owner = await createEmployee(purser.db, purser.services);
  const { id } = owner;
  await submittedApplication(purser.db, purser.services, owner.by);
  expect(await ask(id)).toMatchObject({ code: 'identity_not_awaited' });
  const other = await createEmployee(purser.db, purser.services);
  await purser.db
    .updateTable('appUser')
    .set({ deactivatedAt: new Date() })
    .where('id', '=', other.id)
    .execute();
  expect(await ask(other.id)).toMatchObject({ code: 'person_wrong_standing' });
  const admin = await createAdmin(purser.db, purser.services);
  expect(await ask(admin.id)).toMatchObject({ code: 'person_not_found' });
  expect(await notified(id)).toBe(0);
});
