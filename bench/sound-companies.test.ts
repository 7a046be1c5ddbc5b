import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { recordCompany } from '#test/factories/records.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { makeEmployees } from './employee-people.ts';
import { makeListCompany } from './lists-company.ts';
import { makeWaiting } from './payout-files.ts';
import { makeCompany } from './people.ts';

/** The companies do not serve: their cookies are for an address that nobody asks. */
const url = 'http://localhost';
let database: TestDb & { dataDir: string; isMade: boolean };

beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'purser-bench-'));
  database = { ...(await openTestDb()), dataDir, isMade: false };
});
afterEach(async () => {
  await database.close();
  rmSync(database.dataDir, { recursive: true });
});

async function expectSound(): Promise<void> {
  const { db } = database;
  const { problems } = await verifyLedger(db, {
    furtherChecks: (tx, scope) => checksFor(tx, businessChecks, scope),
  });
  expect(problems).toEqual([]);
}

const countEvents = async () => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int FROM audit_event`.execute(database.db);
  return rows[0]?.count;
};

test('approved withdrawals of many people verify as sound, and payouts are not stopped', async () => {
  await makeWaiting(database, { payments: 30, url });
  await expectSound();
});

test('a company of people who are paid and withdraw verifies as sound', async () => {
  await makeCompany(database, { people: 30, payees: 5, admins: 2, url });
  await expectSound();
});

test('the large company of lists verifies as sound, and has nothing left to record', async () => {
  await makeListCompany(database, { people: 30, entries: 300, url });
  await expectSound();

  const events = await countEvents();
  await recordCompany(database.db);
  expect(await countEvents()).toBe(events);
  await expectSound();
});

test('people with few entries and with many verify as sound', async () => {
  const [few, many] = await makeEmployees(database, { entries: [100, 400], url });
  await expectSound();
  expect([few.entries, many.entries]).toEqual([100, 400]);
});
