import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { SettingValues } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { postPayroll, sweepPayroll } from '#server/modules/payroll/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { updateBankAccount } from '#server/modules/bank-accounts/index.ts';
import {
  bankDetails,
  createPayee,
  fundedWallet,
  withdrawalIn,
  withdrawalOf,
  KNOWN,
} from '#test/factories/money.ts';
import { moveMoney } from '#server/modules/payments/index.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';

const OFF = {
  separatePayroll: null,
  separateBankAccount: null,
  separatePayout: null,
  separateReturn: null,
};
const ALWAYS = money(1n, 'USD');

let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
const cookies = { renee: '', priya: '' };
type Who = keyof typeof cookies;
beforeAll(async () => {
  purser = await openTestApp();
  renee = await createAdmin(purser.db, purser.services, {
    firstName: 'Renee',
    lastName: 'Albright',
  });
  priya = await createAdmin(purser.db, purser.services, { firstName: 'Priya', lastName: 'Nair' });
  cookies.renee = await purser.cookieOf(renee);
  cookies.priya = await purser.cookieOf(priya);
});
afterAll(() => purser.close());
beforeEach(async () => {
  await purser.db
    .updateTable('companySettings')
    .set({
      separatePayrollMinor: null,
      separateBankAccountMinor: null,
      separatePayoutMinor: null,
      separateReturnMinor: null,
      payoutCoolingHours: 0,
    })
    .execute();
  await purser.db.deleteFrom('dutyInForce').execute();
});

const ask = async (who: Who, method: string, path: string, body?: object) => {
  const reply = await purser.ask(method, `/api/admin/${path}`, {
    cookie: cookies[who],
    key: crypto.randomUUID(),
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Record<string, unknown> & { id: string };
};
const rules = async () => (await ask('renee', 'GET', 'settings')) as unknown as SettingsReply;
const change = async (who: Who, settings: Partial<SettingValues>) => {
  const { version } = await rules();
  return ask(who, 'PUT', 'settings', { version, settings });
};
const separate = (duties: Partial<typeof OFF | SettingValues>) =>
  change('renee', { ...OFF, ...duties });
const payee = () => createPayee(purser.db, purser.services, { admin: renee.by });
const moneyOf = async (accountId: string) =>
  (await accountBalances(purser.db, [accountId])).get(accountId)?.postedMinor ?? 0n;
const NEEDS_PRIYA = { code: 'second_person_needed', title: expect.stringContaining('Priya Nair') };

describe('a payroll of a company that asks for two people', () => {
  const order = {
    walletType: 'salary',
    department: 'hr',
    amount: money(192_000n, 'USD'),
    description: 'Pay',
  };
  const send = async () => {
    const { hash, alreadyPaid } = await ask('renee', 'POST', 'payroll/preview', order);
    const seen = alreadyPaid as { hash: string } | null;
    const body = { ...order, previewHash: hash, alreadyPaidHash: seen?.hash };
    return ask('renee', 'POST', 'payroll/batches', body);
  };
  const statusOf = async (id: string) =>
    (await ask('priya', 'GET', `payroll/batches/${id}`))['status'];
  beforeAll(async () => {
    await createEmployee(purser.db, purser.services, { department: 'hr' });
  });

  test('pays nobody before a second admin approved it, whatever asks for the job', async () => {
    await separate({ separatePayroll: ALWAYS });
    const batch = await send();
    expect(batch).toMatchObject({
      status: 'pending',
      approval: { mayApprove: false, isMine: true },
      approvedBy: null,
    });
    await sweepPayroll(purser.db, purser.services);
    await postPayroll(purser.db, purser.services, batch.id);
    expect(await statusOf(batch.id)).toBe('pending');

    const path = `payroll/batches/${batch.id}/approve`;
    expect(await ask('renee', 'POST', path)).toMatchObject(NEEDS_PRIYA);
    expect(await ask('priya', 'POST', path)).toMatchObject({
      approval: null,
      approvedBy: 'Priya Nair',
    });
    await postPayroll(purser.db, purser.services, batch.id);
    expect(await statusOf(batch.id)).toBe('completed');
    expect(await ask('priya', 'POST', path)).toMatchObject({ code: 'payroll_wrong_status' });
  });

  test('funds no single employee before, either', async () => {
    await separate({ separatePayroll: ALWAYS });
    const { by, wallet } = await payee();
    const before = await moneyOf(wallet.ledgerAccountId);
    const body = {
      type: 'bonus',
      walletId: wallet.id,
      amount: money(50_000n, 'USD'),
      description: '',
    };
    const { paid, approvalFrom } = await ask('renee', 'GET', `funding/employees/${by.actor.id}`);
    expect(approvalFrom, 'what the dialog says of when it arrives').toEqual(ALWAYS);
    const seen = paid as { hash: string } | null;
    const confirmed = { ...body, alreadyPaidHash: seen?.hash };
    const funding = await ask('renee', 'POST', `funding/employees/${by.actor.id}`, confirmed);
    expect(funding).toMatchObject({ status: 'pending', arrivedAt: null });
    await postPayroll(purser.db, purser.services, funding.id);
    expect(await moneyOf(wallet.ledgerAccountId)).toBe(before);

    const path = `payroll/batches/${funding.id}/approve`;
    expect(await ask('renee', 'POST', path)).toMatchObject(NEEDS_PRIYA);
    expect(await ask('priya', 'POST', path)).toMatchObject({ approvedBy: 'Priya Nair' });
    await postPayroll(purser.db, purser.services, funding.id);
    expect(await statusOf(funding.id)).toBe('completed');
    expect(await moneyOf(wallet.ledgerAccountId)).toBe(before + 50_000n);
  });

  test('shows the other admin that they may approve it, and the sender who may', async () => {
    await separate({ separatePayroll: ALWAYS });
    const { id } = await send();
    const path = `payroll/batches/${id}`;
    expect(await ask('priya', 'GET', path)).toMatchObject({ approval: { mayApprove: true } });
    const people = [{ name: 'Priya Nair', from: null }];
    const mine = {
      mayApprove: false,
      isMine: true,
      people,
      changedAmounts: false,
      differences: 0,
    };
    expect(await ask('renee', 'GET', path)).toMatchObject({ approval: mine });
    expect(await ask('renee', 'GET', 'waiting')).toMatchObject({
      batches: [expect.objectContaining({ id, approval: mine })],
    });
    await ask('priya', 'POST', `${path}/decline`, { reason: 'Not agreed' });
  });

  test('is over once it is declined, with who declined it and why', async () => {
    await separate({ separatePayroll: ALWAYS });
    const { id } = await send();
    const declined = { by: 'Priya Nair', reason: 'The amount is last month’s' };
    expect(
      await ask('priya', 'POST', `payroll/batches/${id}/decline`, { reason: declined.reason }),
    ).toMatchObject({ status: 'draft', approval: null, declined });
    await postPayroll(purser.db, purser.services, id);
    expect(await statusOf(id)).toBe('draft');
    const { upcomingPayroll } = (await ask('renee', 'GET', 'dashboard')) as unknown as {
      upcomingPayroll: { id: string }[];
    };
    expect(upcomingPayroll.map((batch) => batch.id)).not.toContain(id);
    const notified = await purser.db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', renee.id)
      .where('relatedId', '=', id)
      .where('kind', '=', 'payroll-declined')
      .execute();
    expect(notified).toEqual([{ message: expect.stringContaining(declined.reason) }]);
  });

  test('does not stay stuck when the rule is switched off: its sender approves it', async () => {
    await separate({ separatePayroll: ALWAYS });
    const { id } = await send();
    const path = `payroll/batches/${id}`;
    await separate({});
    const { proposal } = await rules();
    expect(await ask('renee', 'POST', `${path}/approve`)).toMatchObject(NEEDS_PRIYA);
    await ask('priya', 'POST', `settings/proposals/${proposal?.id}/accept`);
    expect(await ask('renee', 'GET', path)).toMatchObject({ approval: { mayApprove: true } });
    expect(await ask('renee', 'POST', `${path}/approve`)).toMatchObject({ approval: null });
    await postPayroll(purser.db, purser.services, id);
    expect(await statusOf(id)).toBe('completed');
    const found = await withTx(purser.db, (tx) => runChecks(tx, businessChecks));
    expect(found.filter(({ check }) => check.startsWith('payroll'))).toEqual([]);
  });

  test('below the amount is paid by one', async () => {
    await separate({ separatePayroll: money(192_001n, 'USD') });
    expect(await send()).toMatchObject({ status: 'processing', approval: null });
  });
});

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

describe('the rules themselves', () => {
  test('are loosened by two people alone, while duties are separated', async () => {
    await separate({ separatePayout: ALWAYS });
    expect(await separate({})).toMatchObject({
      values: { separatePayout: ALWAYS },
      proposed: ['separatePayout'],
      proposal: {
        proposedBy: 'Renee Albright',
        isMine: true,
        settings: { separatePayout: null },
        before: { separatePayout: ALWAYS },
      },
    });
    const { id } = (await rules()).proposal ?? { id: '' };
    expect(await ask('renee', 'POST', `settings/proposals/${id}/accept`)).toMatchObject(
      NEEDS_PRIYA,
    );
    expect((await rules()).values.separatePayout).toEqual(ALWAYS);
    expect(await ask('priya', 'POST', `settings/proposals/${id}/accept`)).toMatchObject({
      values: OFF,
      proposal: null,
    });
    expect(await ask('priya', 'POST', `settings/proposals/${id}/accept`)).toMatchObject({
      code: 'proposal_not_found',
    });
  });

  test('are made stricter by one immediately, and are not overwritten unseen', async () => {
    await separate({ separatePayout: money(500n, 'USD') });
    expect(await separate({ separatePayout: ALWAYS, separatePayroll: ALWAYS })).toMatchObject({
      values: { separatePayout: ALWAYS, separatePayroll: ALWAYS },
      proposal: null,
    });
    const settings = { separatePayout: money(7n, 'USD') };
    expect(await ask('renee', 'PUT', 'settings', { version: 0, settings })).toMatchObject({
      code: 'settings_changed',
    });
  });

  test('separate no duties while one admin is alone', async () => {
    const shutOut = (deactivatedAt: Date | null) =>
      purser.db.updateTable('appUser').set({ deactivatedAt }).where('id', '=', priya.id).execute();
    await shutOut(new Date());
    expect(await separate({ separatePayout: ALWAYS })).toMatchObject({ code: 'two_admins_needed' });
    expect(await rules()).toMatchObject({ canSeparateDuties: false, values: OFF });
    await shutOut(null);
  });
});

describe('a single rogue admin of two', () => {
  test('shuts the other one out and still pays nothing alone', async () => {
    await separate({ separatePayout: ALWAYS, separatePayroll: ALWAYS });
    const { id } = await withdrawalIn(purser.db, purser.services, {
      payee: await payee(),
      admin: renee.by,
      status: 'processing',
      amountMinor: 40_000n,
    });
    await ask('renee', 'POST', `people/${priya.id}/deactivate`, { reason: 'Left' });
    expect(await ask('renee', 'POST', `withdrawals/${id}/complete`)).toMatchObject({
      code: 'second_person_needed',
      title: expect.stringContaining('Nobody can do it yet'),
    });
    await separate({});
    expect((await rules()).values.separatePayout).toEqual(ALWAYS);
    const actions = await purser.db
      .selectFrom('auditEvent')
      .select('action')
      .where('actorId', '=', renee.id)
      .where('action', 'in', ['person.deactivated', 'settings.proposed'])
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.deactivated', 'settings.proposed']),
    );
  });
});
