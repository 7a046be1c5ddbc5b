import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankDetails, pendingBank, verifiedBank, KNOWN } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { noticesOf } from '#test/notices-of.ts';
import { claimUse, bankAccountActs } from './index.ts';
import { listBankAccounts } from './queries.ts';
import { adminRevealBankAccount, revealBankAccount } from './reveal-bank-account.ts';
import { updateBankAccount } from './update-bank-account.ts';
import type { BankAccountChange } from './update-bank-account.ts';

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
  services.clock.set('2026-12-08T15:00:00.000Z');
  owner = await createPersonBy(db, { firstName: 'Maya', lastName: 'Castellanos' });
});

const NOWHERE = crypto.randomUUID();
const add = (details = {}) => pendingBank(db, services, owner, details);
const verified = (details = {}) => verifiedBank(db, services, { owner, admin, ...details });
const update = (by: CommandContext, id: string, change: BankAccountChange = bankDetails()) =>
  withTx(db, (tx) => updateBankAccount(tx, services, by, { id, change }));
const remove = (by: CommandContext, id: string) =>
  withTx(db, (tx) => bankAccountActs.remove(tx, services, by, { id }));
const verify = (by: CommandContext, id: string) =>
  withTx(db, (tx) => bankAccountActs.verify(tx, services, by, { id, reason: KNOWN }));
const reject = (by: CommandContext, id: string, reason = 'Names differ') =>
  withTx(db, (tx) => bankAccountActs.reject(tx, services, by, { id, reason }));
const claim = (id: string, userId = owner.actor.id) =>
  withTx(db, (tx) => claimUse(tx, { bankAccountId: id, userId }));
const mine = async () =>
  (await listBankAccounts(db, services, { ...owner, as: 'owner' }, owner.actor.id)).items;
const auditOf = (id: string) =>
  db.selectFrom('auditEvent').selectAll().where('subjectId', '=', id).orderBy('id').execute();
const inboxOf = (userId: string) =>
  db.selectFrom('notification').selectAll().where('userId', '=', userId).orderBy('id').execute();

describe('adding a bank account', () => {
  it('makes it wait for an admin, who is notified', async () => {
    const account = await add({ accountNumber: '004412342208' });
    expect(account).toMatchObject({
      status: 'pending',
      isPrimary: false,
      isInUse: false,
      accountNumberLast4: '2208',
      addedAt: '2026-12-08T15:00:00.000Z',
      history: [
        { status: 'pending', at: '2026-12-08T15:00:00.000Z', by: 'Maya Castellanos', note: null },
      ],
    });
    expect(JSON.stringify(account)).not.toContain('004412342208');
    expect((await inboxOf(admin.actor.id)).at(-1)).toMatchObject({
      message: 'Maya Castellanos added Cascade Federal Credit Union ••2208.',
      relatedId: account.id,
    });
    const events = await db
      .selectFrom('outbox')
      .select('userId')
      .where('topic', '=', 'bank-accounts')
      .execute();
    expect(events).toContainEqual({ userId: owner.actor.id });
    expect(events).toContainEqual({ userId: null });
  });

  it('keeps the number encrypted and out of the audit trail', async () => {
    const { id } = await add({ accountNumber: '998877665544' });
    const row = await db
      .selectFrom('bankAccount')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.accountNumberEncrypted.toString('latin1')).not.toContain('998877665544');
    const hash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect((await auditOf(id)).map((event) => event.details)).toEqual([
      {
        last4: '5544',
        routingNumber: '021000021',
        at: '2026-12-08T15:00:00.000Z',
        accountHash: hash,
        contentHash: hash,
      },
    ]);
  });

  it('refuses the same account twice for one person, also concurrently, but not for two', async () => {
    const details = { accountNumber: '123456789' };
    const twice = await Promise.allSettled([add(details), add(details)]);
    const refused = twice.filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'bank_account_exists' } }]);
    await expect(add(details)).rejects.toMatchObject({ code: 'bank_account_exists' });
    await add({ ...details, routingNumber: '071000013' });
    await pendingBank(db, services, stranger, details);
  });

  it('takes an account again after it was removed', async () => {
    const details = { accountNumber: '55667788' };
    const { id } = await add(details);
    await remove(owner, id);
    await add(details);
    expect(await mine()).toHaveLength(1);
  });
});

describe('changing a bank account', () => {
  it('sends it back to verification and keeps the number when none is given', async () => {
    const { id } = await verified({ accountNumber: '111122223333' });
    services.clock.set('2026-12-09T15:00:00.000Z');
    const changed = await update(owner, id, {
      bankName: 'Meridian Trust Bank',
      accountType: 'savings',
      routingNumber: '071000013',
      accountHolderName: 'Maya Castellanos',
    });
    expect(changed).toMatchObject({
      bankName: 'Meridian Trust Bank',
      accountType: 'savings',
      status: 'pending',
      isPrimary: false,
      accountNumberLast4: '3333',
      addedAt: '2026-12-08T15:00:00.000Z',
      history: [{ status: 'pending', at: '2026-12-09T15:00:00.000Z' }],
    });
    const { accountNumber } = await withTx(db, (tx) => revealBankAccount(tx, services, owner, id));
    expect(accountNumber).toBe('111122223333');
    await expect(claim(id)).rejects.toMatchObject({ code: 'bank_account_not_verified' });
  });

  it('corrects a rejected one', async () => {
    const { id } = await add();
    await reject(admin, id);
    expect(await update(owner, id)).toMatchObject({ status: 'pending', rejectionReason: null });
  });

  it('refuses to make two the same', async () => {
    await add({ accountNumber: '1010101010' });
    const { id } = await add();
    await expect(
      update(owner, id, bankDetails({ accountNumber: '1010101010' })),
    ).rejects.toMatchObject({ code: 'bank_account_exists' });
  });

  it("does not find another person's, a removed or an unknown one", async () => {
    const { id } = await add();
    const refusal = { code: 'bank_account_not_found' };
    await expect(update(stranger, id)).rejects.toMatchObject(refusal);
    await expect(remove(stranger, id)).rejects.toMatchObject(refusal);
    await expect(update(owner, NOWHERE)).rejects.toMatchObject(refusal);
    await remove(owner, id);
    await expect(update(owner, id)).rejects.toMatchObject(refusal);
    await expect(remove(owner, id)).rejects.toMatchObject(refusal);
    await expect(verify(admin, id)).rejects.toMatchObject(refusal);
  });
});

describe('deciding on a bank account', () => {
  it('verifies it once, notifies its owner, and makes the first the primary one', async () => {
    const first = await add();
    const second = await add();
    const decided = await verify(admin, first.id);
    expect(decided).toMatchObject({
      status: 'verified',
      isPrimary: true,
      employee: { id: owner.actor.id, name: 'Maya Castellanos', employeeId: null },
      history: [{ status: 'pending' }, { status: 'verified', by: 'Renee Albright' }],
    });
    expect(await verify(admin, second.id)).toMatchObject({ isPrimary: false });
    expect(await inboxOf(owner.actor.id)).toMatchObject([
      { title: 'Bank account added', type: 'security', relatedId: first.id },
      { title: 'Bank account added', type: 'security', relatedId: second.id },
      { title: 'Bank Account Verified', relatedId: first.id },
      { title: 'Bank Account Verified', relatedId: second.id },
    ]);
    const refusal = { code: 'bank_account_not_pending' };
    await expect(verify(admin, first.id)).rejects.toMatchObject(refusal);
    await expect(reject(admin, first.id)).rejects.toMatchObject(refusal);
  });

  it('says to its owner from when money can be paid to it, while it cools off', async () => {
    const setCooling = (payoutCoolingHours: number) =>
      db.updateTable('companySettings').set({ payoutCoolingHours }).execute();
    await setCooling(24);
    const account = await add({ accountNumber: '004412342208' });
    await verify(admin, account.id);
    await setCooling(0);
    expect((await inboxOf(owner.actor.id)).at(-1)?.message).toBe(
      'Cascade Federal Credit Union ••2208 is verified. Money can be paid to it from Dec 9, 2026, 10:00 AM EST.',
    );
  });

  it('rejects it with a reason for its owner', async () => {
    const { id } = await add();
    expect(await reject(admin, id, 'The holder is someone else')).toMatchObject({
      status: 'rejected',
      rejectionReason: 'The holder is someone else',
      history: [{ status: 'pending' }, { status: 'rejected', note: 'The holder is someone else' }],
    });
    expect((await inboxOf(owner.actor.id)).at(-1)?.message).toContain('The holder is someone else');
    await expect(verify(admin, id)).rejects.toMatchObject({ code: 'bank_account_not_pending' });
  });

  it('leaves one primary account when two are verified concurrently', async () => {
    const both = [await add(), await add()];
    await Promise.all(both.map(({ id }) => verify(admin, id)));
    expect((await mine()).map((account) => account.isPrimary)).toEqual([true, false]);
  });

  it('decides once when verified and rejected concurrently', async () => {
    const { id } = await add();
    const results = await Promise.allSettled([verify(admin, id), reject(admin, id)]);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'bank_account_not_pending' } }]);
  });

  it("is not for the admin's own", async () => {
    const { id } = await add();
    const self: CommandContext = { actor: { ...owner.actor, role: 'admin' } };
    await expect(verify(self, id)).rejects.toMatchObject({ code: 'own_request' });
    await expect(reject(self, id)).rejects.toMatchObject({ code: 'own_request' });
    await expect(verify(admin, NOWHERE)).rejects.toMatchObject({ code: 'bank_account_not_found' });
  });
});

describe('the primary account', () => {
  it('passes on when it is removed or changed', async () => {
    const first = await verified();
    services.clock.set('2026-12-08T16:00:00.000Z');
    const second = await verified();
    await remove(owner, first.id);
    expect(await mine()).toMatchObject([{ id: second.id, isPrimary: true }]);
    await update(owner, second.id);
    expect(await mine()).toMatchObject([{ id: second.id, isPrimary: false }]);
  });
});

describe('revealing a number', () => {
  it('is audited, and an admin’s reveal names the owner', async () => {
    const { id } = await add({ accountNumber: '700700700' });
    const own = await withTx(db, (tx) => revealBankAccount(tx, services, owner, id));
    const checked = await withTx(db, (tx) => adminRevealBankAccount(tx, services, admin, id));
    expect([own, checked]).toEqual([
      { accountNumber: '700700700' },
      { accountNumber: '700700700' },
    ]);
    const [, ...reveals] = await auditOf(id);
    expect(reveals).toMatchObject([
      { action: 'bank_account.revealed', actorId: owner.actor.id, personId: owner.actor.id },
      { action: 'bank_account.revealed', actorId: admin.actor.id, personId: owner.actor.id },
    ]);
    expect(await noticesOf(db, owner.actor.id, 'account-number-shown')).toEqual([
      expect.stringMatching(/^Renee Albright revealed the full number of .+ ••0700\./),
    ]);
  });

  it("does not find another person's", async () => {
    const { id } = await add();
    await expect(
      withTx(db, (tx) => revealBankAccount(tx, services, stranger, id)),
    ).rejects.toMatchObject({ code: 'bank_account_not_found' });
    expect(await auditOf(id)).toHaveLength(1);
  });
});
