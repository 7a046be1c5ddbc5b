import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { createInvite } from '../invites/create-invite.ts';
import { deactivatePerson } from '../people/change-standing.ts';
import { createApiKey } from './create-api-key.ts';

const services = createTestServices();
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

test('an admin who is deactivated after their request was let in makes no key and no invite', async () => {
  const [admin, maker] = [
    await createAdmin(opened.db, services),
    await createAdmin(opened.db, services),
  ];
  const make = () =>
    withTx(opened.db, (tx) =>
      createApiKey(tx, services, maker.by, {
        name: 'Time tracking',
        scopes: ['payroll:read'],
        days: 30,
      }),
    );
  expect(await make()).toMatchObject({ status: 'active' });
  await withTx(opened.db, (tx) =>
    deactivatePerson(tx, services, admin.by, { id: maker.id, reason: 'Left' }),
  );
  await expect(make()).rejects.toMatchObject({ code: 'forbidden' });
  const inviting = withTx(opened.db, (tx) => createInvite(tx, services, maker.by));
  await expect(inviting).rejects.toMatchObject({ code: 'forbidden' });
});
