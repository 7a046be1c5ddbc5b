import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  enterBankAccount,
  bankAccountActs,
  updateBankAccount,
} from '#server/modules/bank-accounts/index.ts';
import { deactivatePerson } from '#server/modules/identity/index.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import {
  bankDetails,
  createPayee,
  expectSoundMoney,
  fundedWallet,
  withdrawalIn,
  KNOWN,
} from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { problemsIn } from '#test/sound-books.ts';
import * as withdrawals from './index.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let renee: CommandContext;
let priya: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  renee = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  priya = await createPersonBy(db, { role: 'admin', firstName: 'Priya', lastName: 'Nair' });
});
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

const deactivate = (id: string) =>
  withTx(db, (tx) => deactivatePerson(tx, services, renee, { id, reason: 'Left' }));
const enter = (by: CommandContext, personId: string, account = bankDetails()) =>
  withTx(db, (tx) => enterBankAccount(tx, services, by, { personId, account }));
const verify = (by: CommandContext, id: string) =>
  withTx(db, (tx) => bankAccountActs.verify(tx, services, by, { id, reason: KNOWN }));
const payOut = (
  by: CommandContext,
  { personId, bankAccountId, minor }: { personId: string; bankAccountId: string; minor: bigint },
) =>
  withTx(db, (tx) =>
    withdrawals.payOutLeaver(tx, services, by, {
      personId,
      bankAccountId,
      total: money(minor, 'USD'),
    }),
  );
const approve = (by: CommandContext, id: string) =>
  withTx(db, (tx) => withdrawals.withdrawalActs.approve(tx, services, by, { id }));
const finish = (by: CommandContext, id: string) =>
  withTx(db, async (tx) => {
    await withdrawals.withdrawalActs.startProcessing(tx, services, by, { id });
    return withdrawals.withdrawalActs.complete(tx, services, by, { id });
  });
/** Checks about requests; these people were made without the records of joining. */
const CHECKS = businessChecks.filter(({ name }) => /^(?:bank-account|withdrawal)/.test(name));
const problems = () => withTx(db, (tx) => problemsIn(tx, CHECKS));

/** A person without an approved identity who left with money in two accounts and no bank account. */
async function leaver() {
  const by = await createPersonBy(db, { firstName: 'Grace', lastName: 'Achieng' });
  const salary = await fundedWallet(db, services, by, 279_208n);
  const savings = await fundedWallet(db, services, by, 620_475n, 'savings');
  await deactivate(by.actor.id);
  return { by, id: by.actor.id, accounts: [salary, savings] };
}

describe('the balance of a person who left', () => {
  it('is paid out whole, to an account that one admin entered and another verified', async () => {
    const person = await leaver();
    const account = await enter(renee, person.id);
    expect(account).toMatchObject({
      status: 'pending',
      mayVerify: false,
      history: [{ by: 'Renee Albright' }],
    });
    await expect(verify(renee, account.id)).rejects.toMatchObject({
      code: 'second_person_needed',
      message: expect.stringContaining('you entered this bank account'),
    });
    await verify(priya, account.id);

    const { withdrawals: items } = await payOut(renee, {
      personId: person.id,
      bankAccountId: account.id,
      minor: 899_683n,
    });
    expect(items.map(({ walletName, amount }) => [walletName, amount.minor])).toEqual([
      ['Salary Wallet', '279208'],
      ['Savings Account (401k)', '620475'],
    ]);
    expect(items[0]).toMatchObject({
      status: 'pending',
      employee: { name: 'Grace Achieng' },
      history: [{ status: 'pending', by: 'Renee Albright' }],
    });
    for (const { id } of items) {
      // Nobody has seen the identity of the owner, so one admin alone is not enough.
      await expect(approve(renee, id)).rejects.toMatchObject({ code: 'second_person_needed' });
      await approve(priya, id);
      await finish(priya, id);
    }
    const balances = await accountBalances(
      db,
      person.accounts.map(({ ledgerAccountId }) => ledgerAccountId),
    );
    expect([...balances.values()].map(({ postedMinor }) => postedMinor)).toEqual([0n, 0n]);
    expect(await problems()).toEqual([]);
  });

  it('goes to their last verified account by one admin, where the rules ask for no second one', async () => {
    const payee = await createPayee(db, services, { admin: priya, fundedMinor: 100_000n });
    const personId = payee.by.actor.id;
    await withdrawalIn(db, services, {
      payee,
      admin: renee,
      status: 'pending',
      amountMinor: 40_000n,
    });
    await deactivate(personId);
    const { withdrawals: items } = await payOut(renee, {
      personId,
      bankAccountId: payee.bank.id,
      minor: 60_000n,
    });
    expect(items).toHaveLength(1);
    await approve(renee, items[0]?.id ?? '');
    await finish(renee, items[0]?.id ?? '');
    expect(await problems()).toEqual([]);
  });

  it('is refused of a person who is here, at an unverified account, and when it has changed', async () => {
    const payee = await createPayee(db, services, { admin: renee, fundedMinor: 5_000n });
    const personId = payee.by.actor.id;
    const bankAccountId = payee.bank.id;
    const refusal = async (minor: bigint, bank = bankAccountId) =>
      payOut(renee, { personId, bankAccountId: bank, minor }).then(
        () => 'paid',
        ({ code }: { code: string }) => code,
      );
    expect(await refusal(5_000n)).toBe('person_still_here');
    await expect(enter(renee, personId)).rejects.toMatchObject({ code: 'person_still_here' });
    await deactivate(personId);
    const pending = await enter(renee, personId);
    expect(await refusal(5_000n, pending.id)).toBe('bank_account_not_verified');
    const { bank: another } = await createPayee(db, services, { admin: renee });
    expect(await refusal(5_000n, another.id)).toBe('bank_account_not_verified');
    expect(await refusal(4_999n)).toBe('conflict');
    expect(await refusal(5_000n)).toBe('paid');
    expect(await refusal(5_000n)).toBe('nothing_to_pay_out');
  });

  it('waits for an account that is entered again where it was rejected', async () => {
    const person = await leaver();
    const details = bankDetails();
    const { id } = await enter(renee, person.id, { ...details, accountHolderName: 'Gracie A.' });
    await expect(enter(renee, person.id, details)).rejects.toMatchObject({
      code: 'bank_account_exists',
    });
    await withTx(db, (tx) =>
      bankAccountActs.reject(tx, services, priya, { id, reason: 'The name is misspelled' }),
    );
    const again = await enter(priya, person.id, { ...details, accountHolderName: 'Grace Achieng' });
    expect(again).toMatchObject({ id, status: 'pending', accountHolderName: 'Grace Achieng' });
    await expect(verify(priya, id)).rejects.toMatchObject({ code: 'second_person_needed' });
    await verify(renee, id);

    // Back in the company, its owner enters it, and any admin verifies it.
    await db
      .updateTable('appUser')
      .set({ deactivatedAt: null })
      .where('id', '=', person.id)
      .execute();
    await withTx(db, (tx) =>
      updateBankAccount(tx, services, person.by, { id, change: bankDetails() }),
    );
    await verify(priya, id);
    expect(await problems()).toEqual([]);
  });

  it('goes to an account that takes no micro-deposits, because nobody could enter their amounts', async () => {
    const ask = (bankAccountProof: 'none' | 'micro_deposits') =>
      db.updateTable('companySettings').set({ bankAccountProof }).execute();
    await ask('micro_deposits');
    const { id: personId } = await leaver();
    const account = await enter(renee, personId);
    expect(account.microDeposits).toBeNull();
    await expect(verify(renee, account.id)).rejects.toMatchObject({ code: 'second_person_needed' });
    expect((await verify(priya, account.id)).status).toBe('verified');
    await ask('none');
  });

  it('goes again to the account that the bank sent it back from, once two admins vouch for that', async () => {
    const person = await leaver();
    const details = bankDetails();
    const { id } = await enter(renee, person.id, details);
    await verify(priya, id);
    const order = { personId: person.id, bankAccountId: id, minor: 899_683n };
    const { withdrawals: items } = await payOut(renee, order);
    for (const one of items) {
      await approve(priya, one.id);
      await finish(priya, one.id);
    }
    const [first] = items;
    const reason = 'The bank had no time for it';
    await withTx(db, (tx) =>
      withdrawals.withdrawalActs.return(tx, services, renee, { id: first?.id ?? '', reason }),
    );
    const again = await enter(renee, person.id, details);
    expect(again).toMatchObject({ id, status: 'pending' });
    await expect(verify(renee, id)).rejects.toMatchObject({ code: 'second_person_needed' });
    await verify(priya, id);
    const { withdrawals: paid } = await payOut(renee, { ...order, minor: 279_208n });
    expect(paid).toHaveLength(1);
    expect(await problems()).toEqual([]);
  });
});
