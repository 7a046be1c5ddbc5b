import { readThingScope } from '#server/modules/acts/index.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { createVault } from '#server/vault/store.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { pendingBank } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminBankAccounts } from './admin-list.ts';
import { bankAccountActs } from './index.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let owner: CommandContext;
let stranger: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  stranger = await createPersonBy(db);
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await createPersonBy(db, { firstName: 'Maya', lastName: 'Castellanos' });
});

const add = (details = {}) => pendingBank(db, services, owner, details);
const checkOf = async (id: string) => {
  const filter = { page: 1, pageSize: 100, search: '', person: '', status: 'all' } as const;
  const { items } = await adminBankAccounts.page(
    db,
    filter,
    await readThingScope(services)(db, admin),
  );
  return items.find((item) => item.id === id)?.check;
};

it('shows an account whose number was destroyed with the key of its owner, who left', async () => {
  const { id } = await add();
  const { actor } = owner;
  await withTx(db, (tx) => services.vault.destroyKey(tx, actor.id, services.clock.now()));
  expect(await checkOf(id)).toMatchObject({ alsoOf: [] });
  const reason = 'Left the company';
  const { status } = await withTx(db, (tx) =>
    bankAccountActs.reject(tx, services, admin, { id, reason }),
  );
  expect(status).toBe('rejected');
});

it('compares the holder with the name that the person joined with, then with the approved one', async () => {
  const person = await createPersonBy(db, { firstName: 'Maia', lastName: 'Castellanos' });
  const { id } = await pendingBank(db, services, person, {
    accountHolderName: 'CASTELLANOS, MAIA',
  });
  const joined = { ownerName: 'Maia Castellanos', isNameVerified: false, alsoOf: [] };
  expect(await checkOf(id)).toEqual({ ...joined, nameMatch: 'equal' });
  await approveIdentity(db, services, person, admin);
  const approved = { ...joined, ownerName: 'Maya Castellanos', isNameVerified: true };
  expect(await checkOf(id)).toEqual({ ...approved, nameMatch: 'different' });
});

it('names other people with the same account, also where it was removed', async () => {
  const details = { accountNumber: '31415926535' };
  const before = await createPersonBy(db, { firstName: 'Anil', lastName: 'Deshpande' });
  const { id: removed } = await pendingBank(db, services, before, details);
  await withTx(db, (tx) => bankAccountActs.remove(tx, services, before, { id: removed }));
  await pendingBank(db, services, stranger, details);
  const { id } = await add(details);
  expect((await checkOf(id))?.alsoOf).toEqual([
    { id: before.actor.id, name: 'Anil Deshpande', employeeId: null },
    { id: stranger.actor.id, name: stranger.actor.name, employeeId: null },
  ]);
});

it('is kept in the audit trail with the decision, and shown no more', async () => {
  const details = { accountNumber: '16180339887', accountHolderName: 'Anil Deshpande' };
  await pendingBank(db, services, stranger, details);
  const { id } = await add(details);
  const verify = (given: object) =>
    withTx(db, (tx) => bankAccountActs.verify(tx, services, admin, { id, ...given }));
  await expect(verify({})).rejects.toMatchObject({ code: 'holder_reason_required' });
  const verified = await verify({ reason: 'Her maiden name' });
  expect(verified.check).toBeNull();
  expect(await checkOf(id)).toBeNull();
  const trail = await db
    .selectFrom('auditEvent')
    .select('details')
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();
  expect(trail.at(-1)?.details).toMatchObject({
    nameMatch: 'different',
    isNameVerified: false,
    alsoOf: [stranger.actor.id],
    reason: 'Her maiden name',
  });
});

it('finds one that was added under an earlier master key', async () => {
  const details = { accountNumber: '27182818284' };
  const earlier = { id: '2025', key: randomBytes(32) };
  const later = { id: '2026', key: randomBytes(32) };
  const before = { ...services, vault: createVault({ masterKeys: [earlier] }) };
  const after = { ...services, vault: createVault({ masterKeys: [later, earlier] }) };
  const one = await createPersonBy(db, { lastName: 'Rotated' });
  const other = await createPersonBy(db, { lastName: 'Rotated' });
  await pendingBank(db, before, one, details);
  await pendingBank(db, after, other, details);
  const filter = { page: 1, pageSize: 10, search: 'Rotated', person: '', status: 'all' } as const;
  const { items } = await adminBankAccounts.page(
    db,
    filter,
    await readThingScope(after)(db, admin),
  );
  const found = items.map(({ employee, check }) => [
    employee.id,
    check?.alsoOf.map(({ id }) => id),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    [one.actor.id]: [other.actor.id],
    [other.actor.id]: [one.actor.id],
  });
});
