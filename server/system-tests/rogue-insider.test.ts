import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { createInvite, grantAdmin } from '#server/modules/identity/index.ts';
import { approveApplication } from '#server/modules/kyc/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { submittedApplication } from '#test/factories/kyc.ts';
import {
  bankDetails,
  createPayee,
  pendingBank,
  withdrawalIn,
  withdrawalOf,
  KNOWN,
} from '#test/factories/money.ts';
import {
  cookieHeader,
  createAdmin,
  createEmployee,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/** Stories of an admin who wants the company's money, told from the first act to where it ends. */
let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
let reneeCookie: string;
let priyaCookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await offerDeposits(db, services);
  renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  priya = await createAdmin(db, services, { firstName: 'Priya', lastName: 'Nair' });
  reneeCookie = await purser.cookieOf(renee);
  priyaCookie = await purser.cookieOf(priya);
});
afterAll(() => purser.close());

const setDuties = (from: bigint | null) =>
  purser.db
    .updateTable('companySettings')
    .set({
      ...{ separatePayrollMinor: from, separateBankAccountMinor: from },
      ...{ separatePayoutMinor: from, separateReturnMinor: from, payoutCoolingHours: 0 },
    })
    .execute();

type Reply = Record<string, unknown> & { id: string };

async function ask(cookie: string, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie,
    key: randomUUID(),
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Reply;
}
const asRenee = (method: string, path: string, body?: object) =>
  ask(reneeCookie, method, `admin/${path}`, body);
const asPriya = (method: string, path: string, body?: object) =>
  ask(priyaCookie, method, `admin/${path}`, body);
const waitingFor = async (cookie: string) => {
  const { items } = await ask(cookie, 'GET', 'admin/waiting');
  return items as { kind: string; mine: number; others: number }[];
};
const trailOf = async ({ id }: TestPerson, personId?: string) => {
  const trail = purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', id)
    .orderBy('id');
  return (personId === undefined ? trail : trail.where('personId', '=', personId)).execute();
};
const actionsOf = async (person: TestPerson, personId?: string) =>
  (await trailOf(person, personId)).map(({ action }) => action);
const inboxOf = async ({ id }: TestPerson) => {
  const rows = await purser.db
    .selectFrom('notification')
    .select(['title', 'message'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ title, message }) => `${title}: ${message}`);
};

const NEEDS_PRIYA = { code: 'second_person_needed', title: expect.stringContaining('Priya Nair') };

describe('a ghost employee', () => {
  const ORDER = {
    ...{ walletType: 'salary', department: 'hr', description: 'Pay' },
    amount: money(192_000n, 'USD'),
  };

  test('is added, verified and paid by one admin no further than a second one lets it', async () => {
    await setDuties(1n);
    const { db, services } = purser;
    const real = await createPayee(db, services, { admin: priya.by, lastName: 'Deshpande' });
    const shared = bankDetails({ accountHolderName: 'R. Albright' });
    await pendingBank(db, services, real.by, shared);

    // Somebody who does not exist, whose password the admin chooses.
    const ghost = await asRenee('POST', 'employees', {
      ...{ fullName: 'Gus Host', email: 'gus@purser.test', department: 'hr' },
    });
    const { link } = await asRenee('POST', `people/${ghost.id}/password-link`);
    const token = new URL((link as { url: string }).url).searchParams.get('reset');
    await ask('theme=dark', 'POST', 'auth/reset-password', { token, password: TEST_PASSWORD });
    const signIn = await purser.ask('POST', '/api/auth/sign-in', {
      body: { email: 'gus@purser.test', password: TEST_PASSWORD },
    });
    const ghostCookie = cookieHeader(signIn.headers.getSetCookie());
    const by: CommandContext = { actor: { id: ghost.id, role: 'employee', name: 'Gus Host' } };

    // An account of the admin's own choice, which another person has, and made-up papers.
    const bank = await ask(ghostCookie, 'POST', 'bank-accounts', shared);
    expect(await asRenee('GET', 'bank-accounts?search=Host')).toMatchObject({
      items: [
        {
          check: {
            ...{ nameMatch: 'different', ownerName: 'Gus Host', isNameVerified: false },
            alsoOf: [{ id: real.by.actor.id }],
          },
        },
      ],
    });
    expect(
      await asRenee('POST', `bank-accounts/${bank.id}/verify`, { reason: KNOWN }),
    ).toMatchObject({
      status: 'verified',
    });
    const { id: applicationId, version } = await submittedApplication(db, services, by);
    await withTx(db, (tx) =>
      approveApplication(tx, services, renee.by, { applicationId, version }),
    );

    // The payroll waits for the other admin, who is deceived.
    const { hash } = await asRenee('POST', 'payroll/preview', ORDER);
    const batch = await asRenee('POST', 'payroll/batches', { ...ORDER, previewHash: hash });
    const approvePayroll = `payroll/batches/${batch.id}/approve`;
    expect(await asRenee('POST', approvePayroll)).toMatchObject(NEEDS_PRIYA);
    expect(await waitingFor(reneeCookie)).toContainEqual(
      expect.objectContaining({ kind: 'payrolls', mine: 0, others: 1 }),
    );
    expect(await waitingFor(priyaCookie)).toContainEqual(
      expect.objectContaining({ kind: 'payrolls', mine: 1, others: 0 }),
    );
    expect(await asPriya('POST', approvePayroll)).toMatchObject({ approvedBy: 'Priya Nair' });
    await postPayroll(db, services, batch.id);

    // The money is in the wallet and gets no further.
    const { accounts } = await ask(ghostCookie, 'GET', 'wallets');
    const [wallet] = accounts as [{ id: string; available: { minor: string } }];
    expect(wallet.available.minor).toBe('192000');
    const payout = await ask(ghostCookie, 'POST', 'withdrawals', {
      ...{ walletId: wallet.id, bankAccountId: bank.id, amount: money(192_000n, 'USD') },
    });
    expect(await asRenee('POST', `withdrawals/${payout.id}/approve`)).toMatchObject(NEEDS_PRIYA);
    expect(await waitingFor(priyaCookie)).toContainEqual(
      expect.objectContaining({ kind: 'payoutsToApprove', mine: 1 }),
    );
    expect(
      await asPriya('POST', `withdrawals/${payout.id}/reject`, { reason: 'Nobody knows Gus Host' }),
    ).toMatchObject({ status: 'rejected' });

    // The traces that it leaves.
    expect(await actionsOf(renee, ghost.id)).toEqual([
      'user.created',
      'password.link_created',
      'bank_account.verified',
      ...['kyc.document_approved', 'kyc.document_approved', 'kyc.approved'],
    ]);
    expect(await trailOf(renee, ghost.id)).toContainEqual({
      action: 'bank_account.verified',
      details: expect.objectContaining({
        ...{ nameMatch: 'different', isNameVerified: false, alsoOf: [real.by.actor.id] },
      }),
    });
    expect(await inboxOf(priya)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Bank account to verify: Gus Host added/),
        expect.stringMatching(/^KYC application to review: .*Gus Host/),
        expect.stringMatching(/^Payroll to approve: Renee Albright sent/),
        expect.stringMatching(/^Withdrawal to approve: .*Gus Host/),
      ]),
    );
  });
});

describe('a single rogue admin', () => {
  const accomplice = () =>
    createPayee(purser.db, purser.services, { admin: priya.by, lastName: 'Vance' });

  test('decides nothing that is their own', async () => {
    const { db, services } = purser;
    const self = await accomplice();
    const bank = await pendingBank(db, services, self.by);
    const payout = await withdrawalIn(db, services, {
      ...{ payee: self, admin: priya.by, status: 'pending' },
    });
    const deposit = await withTx(db, (tx) =>
      requestDeposit(tx, services, self.by, {
        ...{ walletId: self.wallet.id, method: 'ach', amount: money(90_000n, 'USD') },
      }),
    );
    await withTx(db, async (tx) => {
      const { token } = await createInvite(tx, services, { actor: 'system' });
      await grantAdmin(tx, services, self.by, token);
    });
    const cookie = await purser.cookieOf(self.by.actor);
    for (const path of [
      `bank-accounts/${bank.id}/verify`,
      `withdrawals/${payout.id}/approve`,
      `deposits/${deposit.id}/approve`,
    ]) {
      expect(await ask(cookie, 'POST', `admin/${path}`), path).toMatchObject({
        code: 'own_request',
      });
    }
    expect(await waitingFor(cookie)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'payoutsToApprove', others: 1 }),
        expect.objectContaining({ kind: 'bankAccounts', others: 1 }),
        expect.objectContaining({ kind: 'deposits', mine: 0, others: 1 }),
      ]),
    );
  });

  test('is stopped at every step that pays an accomplice, and cannot switch that off', async () => {
    await setDuties(1n);
    const { db, services } = purser;
    const payee = await accomplice();
    const step = (status: 'pending' | 'processing' | 'completed', admin = renee.by) =>
      withdrawalIn(db, services, { payee, admin, status, amountMinor: 40_000n });

    const mine = await pendingBank(db, services, payee.by);
    await asRenee('POST', `bank-accounts/${mine.id}/verify`, { reason: KNOWN });
    const cookie = await purser.cookieOf(payee.by.actor);
    const toMine = withdrawalOf(payee, 40_000n, { bankAccountId: mine.id });
    const asked = await ask(cookie, 'POST', 'withdrawals', toMine);
    await setDuties(null);
    const [processing, completed] = [await step('processing'), await step('completed')];
    await setDuties(1n);
    for (const path of [
      `withdrawals/${asked.id}/approve`,
      `withdrawals/${processing.id}/complete`,
    ]) {
      expect(await asRenee('POST', path), path).toMatchObject(NEEDS_PRIYA);
    }
    // A return that never happened would pay the same money twice.
    const reason = { reason: 'The bank sent it back' };
    expect(await asRenee('POST', `withdrawals/${completed.id}/return`, reason)).toMatchObject(
      NEEDS_PRIYA,
    );

    const { version } = await asRenee('GET', 'settings');
    const settings = { separatePayroll: null, separatePayout: null, separateReturn: null };
    await asRenee('PUT', 'settings', { version, settings });
    const { proposal, values } = await asRenee('GET', 'settings');
    const always = money(1n, 'USD');
    expect(values).toMatchObject({ separatePayroll: always, separatePayout: always });
    const { id } = proposal as { id: string };
    expect(await asRenee('POST', `settings/proposals/${id}/accept`)).toMatchObject(NEEDS_PRIYA);
    expect(await waitingFor(priyaCookie)).toContainEqual(
      expect.objectContaining({ kind: 'securityRules', mine: 1 }),
    );
    expect(await inboxOf(priya)).toContainEqual(
      expect.stringMatching(/^Security rules: a change waits: Renee Albright proposes/),
    );
    await asPriya('POST', `settings/proposals/${id}/discard`);
  });

  test('is no two people by inviting the second one', async () => {
    await setDuties(1n);
    const { db, services } = purser;
    const payee = await accomplice();
    const { id } = await withdrawalIn(db, services, {
      ...{ payee, admin: renee.by, status: 'processing', amountMinor: 40_000n },
    });
    const puppet = await createEmployee(db, services, { firstName: 'Sock', lastName: 'Puppet' });
    const { link } = await asRenee('POST', 'invites', { email: puppet.email });
    const token = new URL(String(link)).searchParams.get('invite');
    const redeemed = await purser.ask('POST', '/api/auth/redeem-invite', {
      cookie: await purser.cookieOf(puppet),
      body: { token },
    });
    expect(redeemed.status).toBe(200);
    const cookie = await purser.cookieOf(puppet);
    expect(await waitingFor(cookie)).toContainEqual(
      expect.objectContaining({ kind: 'payoutsToComplete', mine: 0 }),
    );
    const complete = () => ask(cookie, 'POST', `admin/withdrawals/${id}/complete`);
    expect(await complete()).toMatchObject(NEEDS_PRIYA);
    expect((await complete())['title']).not.toContain('Sock Puppet');
    expect((await asRenee('POST', `withdrawals/${id}/complete`))['title']).toContain(
      'Sock Puppet can do it from ',
    );

    const { version } = await asRenee('GET', 'settings');
    await asRenee('PUT', 'settings', { version, settings: { separatePayout: null } });
    const { proposal } = await asRenee('GET', 'settings');
    const { id: proposalId } = proposal as { id: string };
    const accept = `admin/settings/proposals/${proposalId}/accept`;
    expect(await ask(cookie, 'POST', accept)).toMatchObject(NEEDS_PRIYA);
    await asPriya('POST', `settings/proposals/${proposalId}/discard`);
    expect(await inboxOf(priya)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Administrator invited: Renee Albright/),
        expect.stringMatching(/^New administrator: Sock Puppet/),
      ]),
    );

    // The others have looked by then at the person they were notified of.
    await db.deleteFrom('secondPersonWait').where('userId', '=', puppet.id).execute();
    expect(await complete()).toMatchObject({ status: 'completed' });
    await asPriya('POST', `people/${puppet.id}/revoke-admin`, { reason: 'Unknown' });
  });

  test('of a company that separates nothing pays alone, in front of everybody', async () => {
    await setDuties(null);
    const payee = await accomplice();
    const cookie = await purser.cookieOf(payee.by.actor);
    const bank = await ask(cookie, 'POST', 'bank-accounts', bankDetails());
    await asRenee('POST', `bank-accounts/${bank.id}/verify`, { reason: KNOWN });
    const request = withdrawalOf(payee, 40_000n, { bankAccountId: bank.id });
    const { id } = await ask(cookie, 'POST', 'withdrawals', request);
    for (const act of ['approve', 'start-processing', 'complete']) {
      await asRenee('POST', `withdrawals/${id}/${act}`);
    }
    expect(await asPriya('GET', `withdrawals/${id}`)).toMatchObject({
      status: 'completed',
      history: [
        { status: 'pending' },
        { status: 'approved', by: 'Renee Albright' },
        { status: 'processing', by: 'Renee Albright' },
        { status: 'completed', by: 'Renee Albright' },
      ],
    });
    expect(await actionsOf(renee, payee.by.actor.id)).toEqual([
      'bank_account.verified',
      'withdrawal.approved',
      'withdrawal.processing',
      'withdrawal.completed',
    ]);
    expect(await inboxOf(priya)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Bank account to verify: Test Vance added/),
        expect.stringMatching(/^Withdrawal to approve: .*Test Vance/),
      ]),
    );

    // Changes that make the next one easier are notified, too.
    const { version } = await asRenee('GET', 'settings');
    const settings = { payrollLineLimit: money(900_000_000n, 'USD') };
    await asRenee('PUT', 'settings', { version, settings });
    expect(await inboxOf(priya)).toContainEqual(
      expect.stringMatching(/^Security rules changed: Renee Albright/),
    );
  });
});
