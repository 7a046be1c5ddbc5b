import { describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { updateBankAccount } from '#server/modules/bank-accounts/index.ts';
import { moveMoney } from '#server/modules/payments/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import type { TestApp } from '#test/app.ts';
import { ALWAYS, NEEDS_PRIYA, openDuties } from '#test/factories/duties.ts';
import type { Who } from '#test/factories/duties.ts';
import {
  bankDetails,
  fundedWallet,
  withdrawalIn,
  withdrawalOf,
  KNOWN,
} from '#test/factories/money.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
const { ask, separate, payee } = openDuties((desk) => ({ purser, renee, priya } = desk));

describe('a payout of a company that asks for two people', () => {
  const decide = (who: Who, id: string, what: string, body?: object) =>
    ask(who, 'POST', `withdrawals/${id}/${what}`, body);
  const inStatus = async (status: 'pending' | 'processing' | 'completed') =>
    withdrawalIn(purser.db, purser.services, {
      payee: await payee(),
      admin: renee.by,
      status,
      amountMinor: 40_000n,
    });

  test('is not approved by whoever verified the bank account', async () => {
    await separate({ separateBankAccount: ALWAYS });
    const { id } = await inStatus('pending');
    expect(await decide('renee', id, 'approve')).toMatchObject(NEEDS_PRIYA);
    expect(await decide('priya', id, 'approve')).toMatchObject({ status: 'approved' });
  });

  test('is not approved by the admin who set the address of its owner', async () => {
    await separate({ separateBankAccount: ALWAYS });
    const owner = await payee();
    const { id } = await withdrawalIn(purser.db, purser.services, {
      payee: owner,
      admin: priya.by,
      status: 'pending',
      amountMinor: 40_000n,
    });
    await purser.db
      .updateTable('bankAccount')
      .set({ movedBy: priya.id })
      .where('id', '=', owner.bank.id)
      .execute();
    const { email: seen } = await purser.db
      .selectFrom('appUser')
      .select('email')
      .where('id', '=', owner.by.actor.id)
      .executeTakeFirstOrThrow();
    const email = `${owner.by.actor.id}@elsewhere.test`;
    await ask('renee', 'POST', `people/${owner.by.actor.id}/change-email`, {
      email,
      seen,
      reason: 'The mailbox was closed',
    });
    expect(await decide('renee', id, 'approve')).toMatchObject({
      code: 'second_person_needed',
      title: expect.stringContaining('you set the email address of this employee'),
    });
  });

  test('is not completed by whoever approved it', async () => {
    await separate({ separatePayout: ALWAYS });
    const { id } = await inStatus('processing');
    expect(await decide('renee', id, 'complete')).toMatchObject(NEEDS_PRIYA);
    expect(await decide('priya', id, 'complete')).toMatchObject({ status: 'completed' });
  });

  test('is not returned by whoever paid it, nor paid again by whoever returned it', async () => {
    const person = await payee();
    const { id } = await withdrawalIn(purser.db, purser.services, {
      payee: person,
      admin: renee.by,
      status: 'completed',
      amountMinor: 40_000n,
    });
    await separate({ separateReturn: ALWAYS });
    const reason = { reason: 'Came back' };
    expect(await decide('renee', id, 'return', reason)).toMatchObject(NEEDS_PRIYA);
    expect(await decide('priya', id, 'return', reason)).toMatchObject({ status: 'returned' });
    // The bank account that the money came back from is handed in and verified again.
    const { bankName, accountType, routingNumber, accountHolderName } = bankDetails();
    const handedIn = { bankName, accountType, routingNumber, accountHolderName };
    await withTx(purser.db, (tx) =>
      updateBankAccount(tx, purser.services, person.by, { id: person.bank.id, change: handedIn }),
    );
    await ask('renee', 'POST', `bank-accounts/${person.bank.id}/verify`, { reason: KNOWN });
    // Also from another account of the person, who has moved the money there.
    const other = await fundedWallet(purser.db, purser.services, person.by, 0n, 'retirement');
    const again = await withTx(purser.db, async (tx) => {
      const amount = { minor: '40000', currency: 'USD' } as const;
      const move = { fromWalletId: person.wallet.id, toWalletId: other.id, amount };
      await moveMoney(tx, purser.services, person.by, move);
      const request = withdrawalOf(person, 40_000n, { walletId: other.id });
      return requestWithdrawal(tx, purser.services, person.by, request);
    });
    expect(await decide('priya', again.id, 'approve')).toMatchObject({
      code: 'second_person_needed',
      title: expect.stringContaining('Renee Albright'),
    });
    expect(await decide('renee', again.id, 'approve')).toMatchObject({ status: 'approved' });
  });

  test('names nobody whose own request it is', async () => {
    await separate({ separateBankAccount: ALWAYS });
    const { db, services } = purser;
    const owner = await payee();
    const { id } = await withdrawalIn(db, services, {
      payee: owner,
      admin: renee.by,
      status: 'pending',
    });
    const role = (to: 'admin' | 'employee') =>
      db.updateTable('appUser').set({ role: to }).where('id', '=', owner.by.actor.id).execute();
    await role('admin');
    const refusal = await decide('renee', id, 'approve');
    expect(refusal).toMatchObject(NEEDS_PRIYA);
    expect(refusal['title']).not.toContain(owner.by.actor.name);
    await role('employee');
  });

  test('below the amount takes one', async () => {
    await separate({ separatePayout: money(40_001n, 'USD') });
    const { id } = await inStatus('processing');
    expect(await decide('renee', id, 'complete')).toMatchObject({ status: 'completed' });
  });
});
