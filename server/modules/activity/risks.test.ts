import { afterEach, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { createEmployee, createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listRisks } from './risks.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;

// A database each: a risk is the whole company's.
beforeEach(async () => {
  services.clock.set('2026-12-08T15:00:00.000Z');
  test = await openTestDb();
  db = test.db;
  await separateDuties(0n);
});
afterEach(() => test.close());

const separateDuties = (fromMinor: bigint | null) =>
  db
    .updateTable('companySettings')
    .set({
      separatePayrollMinor: fromMinor,
      separateBankAccountMinor: fromMinor,
      separatePayoutMinor: fromMinor,
      separateReturnMinor: fromMinor,
      separateDepositMinor: fromMinor,
      separateUsualPayMinor: fromMinor,
    })
    .execute();
const risks = async () => (await listRisks(db, services)).items;
const twoFactor = (id: string) =>
  db.updateTable('appUser').set({ twoFactorEnabled: true }).where('id', '=', id).execute();

it('is empty where three admins have a second factor, and all is sealed and delivered', async () => {
  for (const firstName of ['Renee', 'Priya', 'Theo']) {
    const { actor } = await createPersonBy(db, { role: 'admin', firstName });
    await twoFactor(actor.id);
  }
  expect(await risks()).toEqual([]);
});

it('names a single admin, and admins without a second factor; who has left counts as neither', async () => {
  await createPersonBy(db, { role: 'admin', firstName: 'Renee' });
  const gone = await createPersonBy(db, { role: 'admin', firstName: 'Priya' });
  expect(await risks(), 'two cannot carry out all duties').toEqual([
    { kind: 'dutiesNotInForce', count: 6, since: null },
    { kind: 'adminsWithoutTwoFactor', count: 2, since: null },
  ]);
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: services.clock.now() })
    .where('id', '=', gone.actor.id)
    .execute();
  expect(await risks()).toEqual([
    { kind: 'oneAdmin', count: 1, since: null },
    { kind: 'adminsWithoutTwoFactor', count: 1, since: null },
  ]);
});

it('names books that were found unsound, and what waits to be sealed for too long', async () => {
  for (const firstName of ['Renee', 'Priya', 'Theo']) {
    await twoFactor((await createPersonBy(db, { role: 'admin', firstName })).actor.id);
  }
  await sql`
    INSERT INTO verification_run (started_at, finished_at, is_sound, problems)
    VALUES (now(), now(), false, '[]')`.execute(db);
  await createEmployee(db, services);
  await withClient(test.superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query("UPDATE audit_unsealed SET queued_at = now() - interval '1 hour'");
  });
  expect(await risks()).toEqual([
    { kind: 'booksUnsound', count: 1, since: null },
    {
      kind: 'unsealedTail',
      count: 1,
      since: expect.stringMatching(/^2026-12-08T13:59:|^2026-12-08T14:00:/) as string,
    },
  ]);
});

it('names duties that one of several admins may do alone', async () => {
  await twoFactor((await createPersonBy(db, { role: 'admin', firstName: 'Renee' })).actor.id);
  await separateDuties(null);
  expect(await risks(), 'one admin cannot separate any').toEqual([
    { kind: 'oneAdmin', count: 1, since: null },
  ]);
  await twoFactor((await createPersonBy(db, { role: 'admin', firstName: 'Priya' })).actor.id);
  expect(await risks()).toEqual([{ kind: 'dutiesTogether', count: 6, since: null }]);
  await db.updateTable('companySettings').set({ separatePayrollMinor: 100n }).execute();
  expect(await risks()).toEqual([{ kind: 'dutiesTogether', count: 5, since: null }]);
});
