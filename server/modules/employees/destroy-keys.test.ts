import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { reactivatePerson } from '#server/modules/identity/change-standing.ts';
import { sweepIdentity } from '#server/modules/kyc/index.ts';
import { adminRevealBankAccount } from '#server/modules/bank-accounts/reveal-bank-account.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { sweepKeys } from './index.ts';

const HIRED = '2026-01-01T00:00:00.000Z';
const LEFT = '2026-01-10T00:00:00.000Z';
const TOO_EARLY = '2026-02-08T00:00:00.000Z';
const OVER = '2026-02-10T00:00:00.000Z';

const services = createTestServices(HIRED);
let opened: TestDb;
let db: Db;
let admin: TestPerson;
beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  admin = await createAdmin(db, services);
  await withTx(db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { kycRetentionDays: 30 }),
  );
});
afterAll(() => opened.close());

/** Somebody with a bank account and that much money, whose account is closed. */
async function leaver(fundedMinor: bigint): Promise<Payee> {
  services.clock.set(HIRED);
  const payee = await createPayee(db, services, { admin: admin.by, fundedMinor });
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: new Date(LEFT) })
    .where('id', '=', payee.by.actor.id)
    .execute();
  return payee;
}

/** As the hourly job does. */
async function sweepAt(at: string): Promise<number> {
  services.clock.set(at);
  await sweepIdentity(db, services);
  return sweepKeys(db, services);
}

const eventsOf = ({ by }: Payee) =>
  db
    .selectFrom('auditEvent')
    .select(['actorRole', 'subjectId', 'details'])
    .where('personId', '=', by.actor.id)
    .where('action', '=', 'person.key_destroyed')
    .execute();

const reveal = ({ bank }: Payee) =>
  withTx(db, (tx) => adminRevealBankAccount(tx, services, admin.by, bank.id));

test('the key of who left is destroyed once its time is over, and the record says so', async () => {
  const payee = await leaver(0n);
  expect(await sweepAt(TOO_EARLY)).toBe(0);
  expect(await reveal(payee)).toMatchObject({ accountNumber: expect.any(String) });

  expect(await sweepAt(OVER)).toBe(1);
  await expect(reveal(payee)).rejects.toMatchObject({ code: 'data_destroyed' });
  const details = { deactivatedAt: LEFT, retentionDays: 30 };
  const { id } = payee.by.actor;
  expect(await eventsOf(payee)).toEqual([{ actorRole: 'system', subjectId: id, details }]);
  expect(await sweepAt(OVER)).toBe(0);

  const reason = 'Came back';
  const reactivating = withTx(db, (tx) => reactivatePerson(tx, services, admin.by, { id, reason }));
  await expect(reactivating).rejects.toMatchObject({ code: 'person_erased' });
});

test('whoever has money left keeps their key, for it to be paid out', async () => {
  const payee = await leaver(40_000n);
  expect(await sweepAt(OVER)).toBe(0);
  expect(await reveal(payee)).toMatchObject({ accountNumber: expect.any(String) });

  const money = { payee, admin: admin.by, amountMinor: 40_000n } as const;
  await withdrawalIn(db, services, { ...money, status: 'completed' });
  expect(await sweepAt(OVER)).toBe(1);
});

test('nothing that is verified is changed by it', async () => {
  const found = async () => {
    const { problems } = await verifyLedger(db, {
      furtherChecks: (tx, scope) => checksFor(tx, businessChecks, scope),
    });
    return problems;
  };
  const payee = await leaver(0n);
  services.clock.set(OVER);
  await sweepIdentity(db, services);
  const before = await found();
  expect(await sweepKeys(db, services)).toBe(1);
  expect(await eventsOf(payee)).toHaveLength(1);
  expect(await found()).toEqual(before);
});
