import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/lib/ids.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { holdFunds, listWallets, lockWallet, openWallet, openWallets } from './index.ts';
import { openFurtherWallet } from './open-further-wallet.ts';
import { revealWallet } from './reveal-wallet.ts';
import { totalOwed } from './total-owed.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
});
afterAll(() => test.close());

const employee = () => createPersonBy(db);
const hold = (owner: CommandContext, walletId: string, amountMinor: bigint, reference: string) =>
  withTx(db, async (tx) => {
    const wallet = await lockWallet(tx, { walletId, userId: owner.actor.id });
    return holdFunds(tx, wallet, { id: newId(), amountMinor, currency: 'USD', reference });
  });
const reveal = (by: CommandContext, id: string) =>
  withTx(db, (tx) => revealWallet(tx, services, by, id));
const close = (id: string) =>
  db.updateTable('wallet').set({ closedAt: new Date() }).where('id', '=', id).execute();

describe('opening a wallet', () => {
  it('opens one of each type, however often and concurrently it is called', async () => {
    const { actor } = await employee();
    const open = (type: 'salary' | 'irs') =>
      withTx(db, (tx) => openWallet(tx, services, { userId: actor.id, type }));
    const [first, second, other] = await Promise.all([open('salary'), open('salary'), open('irs')]);
    expect(first).toEqual(second);
    expect(other.id).not.toBe(first.id);
    expect(await open('salary')).toEqual(first);
    const { accounts } = await listWallets(db, actor.id);
    expect(accounts.map((account) => account.type)).toEqual(['salary', 'irs']);
    const ledgerAccounts = await db
      .selectFrom('ledgerAccount')
      .select(['kind', 'minAvailable'])
      .where('ownerId', '=', actor.id)
      .orderBy('kind', 'desc')
      .execute();
    expect(ledgerAccounts).toEqual([
      { kind: 'salary', minAvailable: 0n },
      { kind: 'irs', minAvailable: 0n },
    ]);
  });

  it('opens wallets for those of many people who have none, and keeps the others', async () => {
    const owner = await employee();
    const others = [await employee(), await employee()];
    const known = await fundedWallet(db, services, owner, 500n);
    const userIds = [...others, owner].map(({ actor }) => actor.id);
    const open = () => withTx(db, (tx) => openWallets(tx, services, { userIds, type: 'salary' }));
    const [first, second] = await Promise.all([open(), open()]);
    expect(first).toEqual(second);
    expect(first.size).toBe(3);
    expect(first.get(owner.actor.id)).toEqual(known);
    for (const { actor } of others) {
      const { accounts } = await listWallets(db, actor.id);
      expect(accounts.map(({ id }) => id)).toEqual([first.get(actor.id)?.id]);
    }
  });

  it('returns a closed wallet without reopening it', async () => {
    const owner = await employee();
    const wallet = await fundedWallet(db, services, owner, 0n);
    await close(wallet.id);
    expect(await fundedWallet(db, services, owner, 0n)).toEqual(wallet);
    expect((await listWallets(db, owner.actor.id)).accounts).toEqual([]);
  });
});

describe('the amount owed to employees', () => {
  it("is the sum of all people's balances, held and available", async () => {
    const before = await totalOwed(db);
    const owner = await employee();
    const salary = await fundedWallet(db, services, owner, 500_000n);
    await fundedWallet(db, services, owner, 20_000n, 'irs');
    await hold(owner, salary.id, 150_050n, 'HOLD-OWED');
    // Money of a person who left is still owed to them.
    await db
      .updateTable('appUser')
      .set({ deactivatedAt: new Date() })
      .where('id', '=', owner.actor.id)
      .execute();

    const owed = await totalOwed(db);
    const grown = (of: 'balance' | 'held' | 'available') =>
      BigInt(owed[of].minor) - BigInt(before[of].minor);
    expect([grown('balance'), grown('held'), grown('available')]).toEqual([
      520_000n,
      150_050n,
      369_950n,
    ]);
    const { rows } = await sql<{ posted: bigint; held: bigint }>`
      SELECT sum(posted)::bigint AS posted, sum(held)::bigint AS held
        FROM ledger_account WHERE owner_id IS NOT NULL`.execute(db);
    expect(rows).toEqual([{ posted: BigInt(owed.balance.minor), held: BigInt(owed.held.minor) }]);
  });
});

describe('listing wallets', () => {
  it('includes held money in the balance but not in the available amount', async () => {
    const owner = await employee();
    const salary = await fundedWallet(db, services, owner, 481_236n);
    await fundedWallet(db, services, owner, 30_000n, 'savings');
    await hold(owner, salary.id, 81_236n, 'HOLD-1');

    const { accounts, totalAssets } = await listWallets(db, owner.actor.id);
    expect(accounts[0]).toMatchObject({
      name: 'Salary Wallet',
      isPrimary: true,
      routingNumber: null,
      balance: { minor: '481236', currency: 'USD' },
      held: { minor: '81236' },
      available: { minor: '400000' },
    });
    expect(accounts[1]).toMatchObject({ name: 'Savings Account (401k)', isPrimary: false });
    expect(totalAssets).toEqual({ minor: '430000', currency: 'USD' });
  });

  it("returns only the person's own", async () => {
    await fundedWallet(db, services, await employee(), 100n);
    const { accounts, totalAssets } = await listWallets(db, (await employee()).actor.id);
    expect(accounts).toEqual([]);
    expect(totalAssets.minor).toBe('0');
  });
});

describe('revealing an account number', () => {
  it('gives the owner twelve digits and records it', async () => {
    const owner = await employee();
    const wallet = await fundedWallet(db, services, owner, 0n);
    const { accountNumber } = await reveal(owner, wallet.id);
    expect(accountNumber).toMatch(/^\d{12}$/);
    const { accounts } = await listWallets(db, owner.actor.id);
    expect(accounts[0]?.accountNumberLast4).toBe(accountNumber.slice(-4));
    const audit = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('subjectId', '=', wallet.id)
      .orderBy('id')
      .execute();
    expect(audit).toMatchObject([
      { action: 'wallet.opened', personId: owner.actor.id },
      { action: 'wallet.revealed', personId: owner.actor.id },
    ]);
    expect(JSON.stringify(audit.map(({ details }) => details))).not.toContain(accountNumber);
  });

  it('is encrypted in the database', async () => {
    const owner = await employee();
    const wallet = await fundedWallet(db, services, owner, 0n);
    const { accountNumber } = await reveal(owner, wallet.id);
    const row = await db
      .selectFrom('wallet')
      .selectAll()
      .where('id', '=', wallet.id)
      .executeTakeFirstOrThrow();
    expect(row.accountNumberEncrypted.toString('latin1')).not.toContain(accountNumber);
  });

  it("does not find another person's, a closed or an unknown wallet", async () => {
    const owner = await employee();
    const wallet = await fundedWallet(db, services, owner, 0n);
    const refusal = { code: 'wallet_not_found' };
    await expect(reveal(await employee(), wallet.id)).rejects.toMatchObject(refusal);
    await expect(reveal(owner, crypto.randomUUID())).rejects.toMatchObject(refusal);
    await close(wallet.id);
    await expect(reveal(owner, wallet.id)).rejects.toMatchObject(refusal);
  });
});

describe('holding funds', () => {
  it('reports the available amount when it is too small', async () => {
    const owner = await employee();
    const wallet = await fundedWallet(db, services, owner, 481_236n);
    await expect(hold(owner, wallet.id, 481_237n, 'HOLD-2')).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $4,812.36',
      details: { available: '$4,812.36' },
    });
    await hold(owner, wallet.id, 481_236n, 'HOLD-2');
    await expect(hold(owner, wallet.id, 1n, 'HOLD-3')).rejects.toMatchObject({
      details: { available: '$0.00' },
    });
  });

  it("does not lock another person's wallet", async () => {
    const { id } = await fundedWallet(db, services, await employee(), 100n);
    await expect(hold(await employee(), id, 1n, 'HOLD-6')).rejects.toMatchObject({
      code: 'wallet_not_found',
    });
  });
});

describe('an additional account of one’s own', () => {
  const openFurther = (by: CommandContext, type: 'savings' | 'retirement' | 'irs' = 'savings') =>
    withTx(db, (tx) => openFurtherWallet(tx, services, by, { type }));

  it('opens once, empty, in the person’s own name', async () => {
    const by = await employee();
    await withTx(db, (tx) => openWallet(tx, services, { userId: by.actor.id, type: 'salary' }));
    const results = await Promise.allSettled([openFurther(by), openFurther(by)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'wallet_exists' }) }),
    );
    const { accounts } = await listWallets(db, by.actor.id);
    expect(accounts.map(({ name }) => name)).toEqual(['Salary Wallet', 'Savings Account (401k)']);
    const opened = await db
      .selectFrom('auditEvent')
      .select('actorId')
      .where('subjectId', '=', accounts[1]?.id ?? '')
      .where('action', '=', 'wallet.opened')
      .execute();
    expect(opened).toEqual([{ actorId: by.actor.id }]);
  });

  it('is refused to a person without an account, and in place of a closed one', async () => {
    const by = await employee();
    await expect(openFurther(by)).rejects.toMatchObject({ code: 'no_accounts' });
    await withTx(db, (tx) => openWallet(tx, services, { userId: by.actor.id, type: 'salary' }));
    const { id } = await openFurther(by, 'irs');
    await close(id);
    await expect(openFurther(by, 'irs')).rejects.toMatchObject({ code: 'wallet_closed' });
  });
});
