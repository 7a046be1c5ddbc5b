import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { sweepIdentity } from '#server/modules/kyc/index.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import type { Problem } from '#server/modules/ledger/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { picture } from '#test/factories/images.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { sweepKeys } from './index.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

let purser: TestApp;
let admin: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  admin = await createAdmin(db, services);
  cookie = await purser.cookieOf(admin);
  await withTx(db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { kycRetentionDays: RETENTION_DAYS }),
  );
});
afterAll(() => purser.close());

/** Somebody with a bank account and that much money. */
const person = (fundedMinor: bigint) =>
  createPayee(purser.db, purser.services, { admin: admin.by, fundedMinor });

async function closeAccount({ by }: Payee, daysAgo: number): Promise<Date> {
  const deactivatedAt = new Date(Date.now() - daysAgo * DAY_MS);
  await purser.db
    .updateTable('appUser')
    .set({ deactivatedAt })
    .where('id', '=', by.actor.id)
    .execute();
  return deactivatedAt;
}

/** As the hourly job does. */
async function sweep(): Promise<number> {
  await sweepIdentity(purser.db, purser.services);
  return sweepKeys(purser.db, purser.services);
}

const eventsOf = ({ by }: Payee) =>
  purser.db
    .selectFrom('auditEvent')
    .select(['actorRole', 'subjectId', 'details'])
    .where('personId', '=', by.actor.id)
    .where('action', '=', 'person.key_destroyed')
    .execute();

async function post(path: string, body?: object): Promise<unknown> {
  const key = crypto.randomUUID();
  return (await purser.ask('POST', path, { cookie, key, ...(body && { body }) })).json();
}
const reveal = ({ bank }: Payee) => post(`/api/admin/bank-accounts/${bank.id}/reveal`);

test('the key of who left is destroyed once its time is over, and the record says so', async () => {
  const payee = await person(0n);
  const { id } = payee.by.actor;
  await purser.ask('POST', '/api/avatar', {
    cookie: await purser.cookieOf(payee.by.actor),
    body: await picture(),
  });
  const pictures = () =>
    purser.db.selectFrom('avatar').select('id').where('userId', '=', id).execute();
  expect(await sweep()).toBe(0);
  await closeAccount(payee, RETENTION_DAYS - 1);
  expect(await sweep()).toBe(0);
  expect(await reveal(payee)).toEqual({ accountNumber: expect.any(String) });
  expect(await pictures()).toHaveLength(1);

  const deactivatedAt = await closeAccount(payee, RETENTION_DAYS + 1);
  expect(await sweep()).toBe(1);
  const details = { deactivatedAt: deactivatedAt.toISOString(), retentionDays: RETENTION_DAYS };
  expect(await eventsOf(payee)).toEqual([{ actorRole: 'system', subjectId: id, details }]);
  expect(await pictures()).toEqual([]);
  expect(await sweep()).toBe(0);

  expect(await reveal(payee)).toMatchObject({ status: 410, code: 'data_destroyed' });
  const reactivated = await post(`/api/admin/people/${id}/reactivate`, { reason: 'Came back' });
  expect(reactivated).toMatchObject({ status: 409, code: 'person_erased' });
});

test('whoever has money left keeps their key, for it to be paid out', async () => {
  const payee = await person(40_000n);
  await closeAccount(payee, RETENTION_DAYS + 1);
  expect(await sweep()).toBe(0);
  expect(await reveal(payee)).toEqual({ accountNumber: expect.any(String) });

  const payout = { payee, admin: admin.by, amountMinor: 40_000n, status: 'completed' } as const;
  await withdrawalIn(purser.db, purser.services, payout);
  expect(await sweep()).toBe(1);
});

test('nothing that is verified is changed by it', async () => {
  const found = async (): Promise<Problem[]> => {
    const { problems } = await verifyLedger(purser.db, {
      furtherChecks: (tx, scope) => checksFor(tx, businessChecks, scope),
    });
    return problems;
  };
  const payee = await person(0n);
  await closeAccount(payee, RETENTION_DAYS + 1);
  await sweepIdentity(purser.db, purser.services);
  const before = await found();
  expect(await sweepKeys(purser.db, purser.services)).toBe(1);
  expect(await eventsOf(payee)).toHaveLength(1);
  expect(await found()).toEqual(before);
});
