import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankDetails, pendingBank, verifiedBank } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectLocksInOrder, startAndBlock } from '#test/start-and-block.ts';
import { claimUse, bankAccountActs, releaseUses } from './index.ts';
import { listBankAccounts } from './queries.ts';
import { updateBankAccount } from './update-bank-account.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let owner: CommandContext;
let stranger: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  stranger = await createPersonBy(db);
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await createPersonBy(db);
});

const add = () => pendingBank(db, services, owner);
const verified = () => verifiedBank(db, services, { owner, admin });
const update = (by: CommandContext, id: string) =>
  withTx(db, (tx) => updateBankAccount(tx, services, by, { id, change: bankDetails() }));
const remove = (by: CommandContext, id: string) =>
  withTx(db, (tx) => bankAccountActs.remove(tx, services, by, { id }));
const reject = (by: CommandContext, id: string) =>
  withTx(db, (tx) => bankAccountActs.reject(tx, services, by, { id, reason: 'Names differ' }));
const claim = (id: string, userId = owner.actor.id) =>
  withTx(db, (tx) => claimUse(tx, { bankAccountId: id, userId }));
const release = (id: string) => withTx(db, (tx) => releaseUses(tx, [id]));
const mine = async () =>
  (await listBankAccounts(db, services, { ...owner, as: 'owner' }, owner.actor.id)).items;

describe('a bank account in use', () => {
  it('can be neither changed nor removed until it is released', async () => {
    const { id } = await verified();
    expect(await claim(id)).toMatchObject({ bankName: 'Cascade Federal Credit Union' });
    await claim(id);
    expect(await mine()).toMatchObject([{ isInUse: true }]);
    const refusal = { code: 'bank_account_in_use' };
    await release(id);
    await expect(update(owner, id)).rejects.toMatchObject(refusal);
    await expect(remove(owner, id)).rejects.toMatchObject(refusal);
    await release(id);
    await remove(owner, id);
  });

  it('cannot be released more often than claimed', async () => {
    const { id } = await verified();
    await expect(release(id)).rejects.toThrow('released more often than claimed');
  });

  it('is released in the order of ids with others, so that two releases never deadlock', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 8; made += 1) {
      owner = await createPersonBy(db);
      const { id } = await verified();
      await claim(id);
      ids.push(id);
    }
    await expectLocksInOrder(db, 'bank_account', ids, () =>
      withTx(db, (tx) => releaseUses(tx, ids.toReversed())),
    );
  });

  it('is claimed only while verified, present and its owner’s', async () => {
    const refusal = { code: 'bank_account_not_verified' };
    const pending = await add();
    await expect(claim(pending.id)).rejects.toMatchObject(refusal);
    await reject(admin, pending.id);
    await expect(claim(pending.id)).rejects.toMatchObject(refusal);
    const { id } = await verified();
    await expect(claim(id, stranger.actor.id)).rejects.toMatchObject(refusal);
    await expect(claim(crypto.randomUUID())).rejects.toMatchObject(refusal);
    await remove(owner, id);
    await expect(claim(id)).rejects.toMatchObject(refusal);
  });

  describe.each([
    ['removed', (id: string) => remove(owner, id)],
    ['changed', (id: string) => update(owner, id)],
  ])('is claimed or %s, never both', (_, change) => {
    it('if both are tried concurrently', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await verified();
        const results = await Promise.allSettled([claim(id), change(id)]);
        const refused = results.filter((result) => result.status === 'rejected');
        const isClaimed = results[0].status === 'fulfilled';
        expect(refused).toMatchObject([
          { reason: { code: isClaimed ? 'bank_account_in_use' : 'bank_account_not_verified' } },
        ]);
      }
    });

    it('if the claim is not committed yet', async () => {
      const { id } = await verified();
      const changing = await withTx(db, async (tx) => {
        await claimUse(tx, { bankAccountId: id, userId: owner.actor.id });
        return startAndBlock(db, () => Promise.allSettled([change(id)]));
      });
      expect(await changing.answer).toMatchObject([{ reason: { code: 'bank_account_in_use' } }]);
    });
  });
});
