import { beforeAll, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { postPayroll, sweepPayroll } from '#server/modules/payroll/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { withTx } from '#server/db/tx.ts';
import type { TestApp } from '#test/app.ts';
import { ALWAYS, NEEDS_PRIYA, OFF, openDuties } from '#test/factories/duties.ts';
import { withdrawalIn } from '#test/factories/money.ts';
import { createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
const { ask, rules, separate, payee } = openDuties((desk) => ({ purser, renee, priya } = desk));
const moneyOf = async (accountId: string) =>
  (await accountBalances(purser.db, [accountId])).get(accountId)?.postedMinor ?? 0n;

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
