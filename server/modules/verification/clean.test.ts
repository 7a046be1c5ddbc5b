import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { createInvite, grantAdmin } from '#server/modules/identity/index.ts';
import { makeBusyCompany } from '#test/busy-company.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { liftGuards, openOwner, undone } from '#test/unguarded.ts';
import { businessChecks, checksFor, countPartlyRecorded, runChecks } from './index.ts';

/** Facts that the first versions did not record of a thing; what is not named here was recorded from the beginning. */
const KNOWN_LATER = {
  withdrawal: [
    'walletId',
    'holdId',
    'bankAccountId',
    'accountHash',
    'last4',
    'urgency',
    'at',
    'transactionId',
  ],
  deposit: ['walletId', 'feeMinor', 'limitDay', 'at', 'transactionId'],
  bank_account: ['accountHash', 'contentHash', 'at'],
  payroll_batch: [
    'number',
    'name',
    'payPeriod',
    'currency',
    'walletId',
    'at',
    'previewHash',
    'linesHash',
  ],
};

let database: TestDb;
beforeAll(async () => {
  database = await openTestDb();
});
afterAll(() => database.close());

const problems = () => withTx(database.db, (tx) => runChecks(tx, businessChecks));

test('an empty company has nothing to find', async () => {
  expect(await problems()).toEqual([]);
});

test('money that tests put into a wallet has nothing to find', async () => {
  const services = createTestServices();
  const { by } = await createEmployee(database.db, services);
  await fundedWallet(database.db, services, by, 12_345n);
  await fundedWallet(database.db, services, by, 500n, 'irs');
  expect(await problems()).toEqual([]);
});

test('a busy company has nothing to find', async () => {
  await makeBusyCompany(database.db, createTestServices());
  expect(await problems()).toEqual([]);
});

test('a wait that had passed long before it was recorded may be deleted', async () => {
  const services = createTestServices();
  const { by } = await createAdmin(database.db, services);
  const person = await createEmployee(database.db, services);
  services.clock.set(new Date(Date.now() - 40 * 86_400_000).toISOString());
  await withTx(database.db, async (tx) => {
    const { token } = await createInvite(tx, services, by);
    await grantAdmin(tx, services, person.by, token);
  });
  const { numDeletedRows } = await database.db
    .deleteFrom('secondPersonWait')
    .where('userId', '=', person.id)
    .executeTakeFirst();
  expect(numDeletedRows).toBe(1n);
  expect(await problems()).toEqual([]);
});

test('rows made before Purser recorded the facts are compared as far as they were recorded', async () => {
  const owner = openOwner(database.ownerUrl);
  const found = await undone(owner.db, async (tx) => {
    await liftGuards(tx);
    for (const [thing, facts] of Object.entries(KNOWN_LATER)) {
      await sql`
        UPDATE audit_event
           SET details = details - ${facts}::text[]
         WHERE subject_type = ${thing}`.execute(tx);
    }
    await sql`DELETE FROM audit_event WHERE action = 'wallet.opened'`.execute(tx);
    expect(await countPartlyRecorded(tx)).toBeGreaterThan(20n);
    return runChecks(tx, businessChecks);
  });
  await owner.close();
  expect(found).toEqual([]);
  expect(await countPartlyRecorded(database.db)).toBe(0n);
});

test('every check has a name of its own, which docs/ledger.md explains', async () => {
  const checks = await checksFor(database.db, businessChecks, { afterHeight: null });
  const names = checks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/ledger.md'), 'utf8');
  const [, section = ''] = docs.split('## Compared with the business');
  const listed = [...section.matchAll(/^\| (`[a-z`, -]+?) +\|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );
  expect(listed.toSorted()).toEqual(names.toSorted());
});
