import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import { firstStart } from './first-start.ts';

const nothing = {
  loadDemo: () => Promise.reject(new Error('no demo was asked for')),
  say: () => undefined,
};

test('a blank company gets one invite, and books that keep its own months', async () => {
  const database = await openTestDb();
  const company = { db: database.db, services: createTestServices() };
  const first = firstStart({ mode: 'empty' }, nothing);
  await first.prepare(company);
  expect(first.welcome('http://localhost').join(' ')).toContain(
    'http://localhost/onboarding?invite=',
  );
  const { rows } = await sql`select time_zone from ledger_calendar`.execute(database.db);
  expect(rows).toEqual([{ timeZone: 'America/New_York' }]);
  expect((await readSettings(database.db)).requireAdminTwoFactor).toBe(true);

  const second = firstStart({ mode: 'empty' }, nothing);
  await second.prepare(company);
  expect(second.welcome('http://localhost').join(' ')).not.toContain('invite=');
  await database.close();
});

test('in production the first invite is not printed, where the log would keep it', async () => {
  const database = await openTestDb();
  const company = { db: database.db, services: createTestServices() };
  const start = firstStart({ mode: 'production' }, nothing);
  await start.prepare(company);
  const printed = start.welcome('https://pay.example.com').join(' ');
  expect(printed).toContain('npm run invite');
  expect(printed).not.toContain('invite=');
  const { rows } = await sql`select from admin_invite`.execute(database.db);
  expect(rows).toEqual([]);
  // Its administrators need two-factor from the first one on, until somebody decides otherwise.
  const required = async () => (await readSettings(database.db)).requireAdminTwoFactor;
  expect(await required()).toBe(true);
  await createAdmin(database.db, company.services);
  await sql`update company_settings set require_admin_two_factor = false`.execute(database.db);
  await firstStart({ mode: 'production' }, nothing).prepare(company);
  expect(await required()).toBe(false);
  await database.close();
});

test.each(['empty', 'production'] as const)(
  'a company whose first invite was made before its first start begins all the same, in mode %s',
  async (mode) => {
    const database = await openTestDb();
    const company = { db: database.db, services: createTestServices() };
    await withTx(database.db, (tx) => createInvite(tx, company.services, { actor: 'system' }));
    const starts = await Promise.all(
      [1, 2].map(async () => {
        const start = firstStart({ mode }, nothing);
        await start.prepare(company);
        return start.welcome('http://localhost').join(' ');
      }),
    );
    expect((await readSettings(database.db)).requireAdminTwoFactor).toBe(true);
    const { rows } = await sql`select time_zone from ledger_calendar`.execute(database.db);
    expect(rows).toEqual([{ timeZone: 'America/New_York' }]);
    for (const printed of starts) expect(printed).not.toContain('invite=');
    await database.close();
  },
);

test('two processes that start at the same moment make one invite', async () => {
  const database = await openTestDb();
  const company = { db: database.db, services: createTestServices() };
  await Promise.all([1, 2].map(() => firstStart({ mode: 'empty' }, nothing).prepare(company)));
  const { rows } = await sql`select from admin_invite`.execute(database.db);
  expect(rows).toHaveLength(1);
  await database.close();
});

test('production does not start on the demo company, nor on half of one', async () => {
  const database = await openTestDb();
  const company = { db: database.db, services: createTestServices() };
  for (const demo of ['complete', 'unfinished']) {
    await sql`update company_settings set demo = ${demo}`.execute(database.db);
    const start = firstStart({ mode: 'production' }, nothing);
    await expect(start.prepare(company)).rejects.toThrow('holds the demo company');
  }
  await database.close();
});
