import { afterEach, beforeEach, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { billActs } from '#server/modules/payments/index.ts';
import { askQuestion } from '#server/modules/questions/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { makeBills } from '#test/factories/bills.ts';
import { submittedApplication } from '#test/factories/kyc.ts';
import { createPayee, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { createEmployeeAdmin, createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { checkedPayFile, confirmPayFile, readPayFile } from '#test/factories/usual-pay.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listWaiting } from './waiting.ts';

const services = createTestServices();
const NOW = '2026-12-08T15:00:00.000Z';
let test: TestDb;
let db: Db;
let renee: CommandContext;
let priya: CommandContext;
let payee: Payee;

// A database each: what waits is the whole company's.
beforeEach(async () => {
  services.clock.set(NOW);
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  renee = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  priya = await createPersonBy(db, { role: 'admin', firstName: 'Priya', lastName: 'Nair' });
  // All duties together take three.
  await createPersonBy(db, { role: 'admin', firstName: 'Theo', lastName: 'Marchetti' });
  payee = await createPayee(db, services, { admin: renee });
});
afterEach(() => test.close());

const waitingFor = async ({ actor }: CommandContext) =>
  Object.fromEntries(
    (await listWaiting(db, actor.id)).items.map(({ kind, ...item }) => [kind, item]),
  );
const withdrawal = (status: 'pending' | 'approved' | 'processing' | 'returned', minor = 40_000n) =>
  withdrawalIn(db, services, { payee, admin: renee, status, amountMinor: minor });
const separate = (
  duty: 'separateBankAccountMinor' | 'separatePayoutMinor' | 'separateReturnMinor',
  fromMinor = 40_000n,
) =>
  db
    .updateTable('companySettings')
    .set({ [duty]: fromMinor })
    .execute();

it('is empty while nothing waits', async () => {
  expect(await listWaiting(db, renee.actor.id)).toEqual({ items: [], batches: [] });
});

it('counts each kind, and says since when the oldest waits', async () => {
  await withdrawal('pending');
  services.clock.set('2026-12-08T16:00:00.000Z');
  const { id } = await withdrawal('pending');
  await withdrawal('approved');
  await withdrawal('processing');
  await pendingBank(db, services, payee.by);
  const deposit = { walletId: payee.wallet.id, method: 'ach', amount: money(500n, 'USD') } as const;
  await withTx(db, (tx) => requestDeposit(tx, services, payee.by, deposit));
  await submittedApplication(db, services, await createPersonBy(db));
  const question = { eventId: `${id}.salary`, question: 'When will it arrive?' };
  await withTx(db, (tx) => askQuestion(tx, services, payee.by, question));
  const one = { mine: 1, others: 0, oldestAt: '2026-12-08T16:00:00.000Z' };
  expect(await waitingFor(renee)).toEqual({
    payoutsToApprove: { mine: 2, others: 0, oldestAt: NOW },
    payoutsToSend: one,
    payoutsToComplete: one,
    bankAccounts: one,
    deposits: one,
    identities: one,
    questions: one,
  });
});

it('leaves what is one’s own to others', async () => {
  await withdrawal('pending');
  await pendingBank(db, services, payee.by);
  const own = { mine: 0, others: 1, oldestAt: null };
  expect(await waitingFor(payee.by)).toEqual({ payoutsToApprove: own, bankAccounts: own });
});

it('leaves a payout to who did not verify its bank account, where two people are asked for', async () => {
  await separate('separateBankAccountMinor');
  const { id } = await withdrawal('pending');
  await withdrawal('pending', 39_999n);
  const held = { mine: 1, others: 1, oldestAt: NOW };
  expect((await waitingFor(renee))['payoutsToApprove']).toEqual(held);
  expect((await waitingFor(priya))['payoutsToApprove']).toEqual({ ...held, mine: 2, others: 0 });
  const approve = (by: CommandContext) =>
    withTx(db, (tx) => withdrawalActs.approve(tx, services, by, { id }));
  await expect(approve(renee)).rejects.toMatchObject({ code: 'second_person_needed' });
  expect(await approve(priya)).toMatchObject({ status: 'approved' });
});

it('leaves a payout to who did not book the return of the last one', async () => {
  await withdrawal('returned');
  await separate('separateReturnMinor');
  const { id } = await withdrawal('pending');
  expect((await waitingFor(renee))['payoutsToApprove']).toMatchObject({ mine: 0, others: 1 });
  expect((await waitingFor(priya))['payoutsToApprove']).toMatchObject({ mine: 1, others: 0 });
  await expect(
    withTx(db, (tx) => withdrawalActs.approve(tx, services, renee, { id })),
  ).rejects.toMatchObject({ code: 'second_person_needed' });
});

it('counts bills, and leaves them to who did not send them, nor book the return of the last one', async () => {
  const { due, sent } = await makeBills(db, services, { payee, admin: renee });
  expect(await waitingFor(renee)).toMatchObject({
    billsToSend: { mine: 1, others: 0 },
    billsToComplete: { mine: 1, others: 0, oldestAt: NOW },
  });
  await separate('separatePayoutMinor', 1_500n);
  await separate('separateReturnMinor', 1_500n);
  const others = { mine: 0, others: 1, oldestAt: null };
  expect(await waitingFor(renee)).toMatchObject({ billsToComplete: others });
  expect(await waitingFor(priya)).toMatchObject({ billsToComplete: { mine: 1, others: 0 } });
  const complete = (tx: Tx) => billActs.complete(tx, services, renee, { id: sent });
  await expect(withTx(db, complete)).rejects.toMatchObject({ code: 'second_person_needed' });
  expect(await waitingFor(renee)).toMatchObject({ billsToSend: others });
  expect(await waitingFor(priya)).toMatchObject({ billsToSend: { mine: 1, others: 0 } });
  const send = (tx: Tx) => billActs.send(tx, services, renee, { id: due });
  await expect(withTx(db, send)).rejects.toMatchObject({ code: 'second_person_needed' });
});

it('leaves the completion to who did not approve', async () => {
  await separate('separatePayoutMinor');
  await withdrawal('processing');
  await withdrawal('approved');
  expect(await waitingFor(renee)).toMatchObject({
    payoutsToSend: { mine: 1, others: 0 },
    payoutsToComplete: { mine: 0, others: 1 },
  });
  expect(await waitingFor(priya)).toMatchObject({ payoutsToComplete: { mine: 1, others: 0 } });
});

it('asks nobody to complete what a payout file pays', async () => {
  const steps = payoutSteps(db, services, renee);
  await steps.enterBank();
  const { id } = await withdrawal('approved');
  const { due } = await makeBills(db, services, { payee, admin: renee });
  const file = await steps.make([id], [due]);
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  expect(await waitingFor(priya)).toEqual({
    // The bill that `makeBills` sent by hand.
    billsToComplete: { mine: 1, others: 0, oldestAt: NOW },
  });
  const inFile = { code: 'payout_sent_in_file' };
  const ofBill = (tx: Tx) => billActs.complete(tx, services, priya, { id: due });
  await expect(withTx(db, ofBill)).rejects.toMatchObject(inFile);
  const ofWithdrawal = (tx: Tx) => withdrawalActs.complete(tx, services, priya, { id });
  await expect(withTx(db, ofWithdrawal)).rejects.toMatchObject(inFile);
});

it('leaves a payroll to who did not send it, and a change of the rules to who did not propose it', async () => {
  const at = new Date(NOW);
  const send = (number: string, fundingType: 'bonus' | null) =>
    db
      .insertInto('payrollBatch')
      .values({
        id: newId(),
        number,
        name: 'Salary',
        payPeriod: 'December 2026',
        description: '',
        walletType: 'salary',
        department: 'all',
        amountMinor: 100n,
        currency: 'USD',
        status: 'pending',
        previewHash: Buffer.alloc(32),
        payableCount: 1,
        skippedCount: 0,
        totalMinor: 100n,
        createdBy: renee.actor.id,
        createdAt: at,
        postAfter: at,
        updatedAt: at,
        needsApproval: true,
        fundingType,
      })
      .execute();
  await db.updateTable('companySettings').set({ separatePayrollMinor: 100n }).execute();
  await send('9001', null);
  await send('9002', 'bonus');
  await db
    .insertInto('securityProposal')
    .values({
      id: newId(),
      act: 'changeSettings',
      rules: '{}',
      seen: '{}',
      proposedBy: renee.actor.id,
      proposedAt: at,
    })
    .execute();
  const others = { mine: 0, others: 1, oldestAt: null };
  const kinds = (each: object) => ({ securityRules: each, payrolls: each, fundings: each });
  expect(await waitingFor(renee)).toEqual(kinds(others));
  const mine = { mine: 1, others: 0, oldestAt: NOW };
  expect(await waitingFor(priya)).toEqual(kinds(mine));
});

it('counts people who wait to be accepted', async () => {
  const { actor } = await createPersonBy(db, { createdAt: new Date(NOW) });
  await db.updateTable('appUser').set({ acceptedAt: null }).where('id', '=', actor.id).execute();
  expect(await waitingFor(renee)).toEqual({ applicants: { mine: 1, others: 0, oldestAt: NOW } });
});

it('counts people whose payouts are frozen, until somebody else has looked', async () => {
  await db
    .updateTable('appUser')
    .set({ payoutsFrozenAt: new Date(NOW) })
    .where('id', '=', payee.by.actor.id)
    .execute();
  const one = { mine: 1, others: 0, oldestAt: NOW };
  expect(await waitingFor(renee)).toEqual({ payoutsFrozen: one });
  const own = { mine: 0, others: 1, oldestAt: null };
  expect(await waitingFor(payee.by)).toEqual({ payoutsFrozen: own });
});

it('leaves a file of usual pay to whoever neither uploaded nor confirmed it, nor is changed by it', async () => {
  await db.updateTable('companySettings').set({ separateUsualPayMinor: 100n }).execute();
  const theo = await createPersonBy(db, { role: 'admin', firstName: 'Theo' });
  const own = await createEmployeeAdmin(db, services, { firstName: 'Ira' });
  const recent = await createPersonBy(db, { role: 'admin', firstName: 'Nell' });
  const since = new Date();
  await db.insertInto('secondPersonWait').values({ userId: recent.actor.id, since }).execute();
  const uploaded = await checkedPayFile(db, services, priya, [
    'Email,Valid from,Salary',
    `${own.email},2026-12-11,5.00`,
  ]);
  const one = await confirmPayFile(db, services, renee, uploaded);
  const seen = [];
  for (const by of [renee, priya, theo, own.by, recent]) {
    const { mine } = (await waitingFor(by))['usualPayFiles'] ?? {};
    const { refusal } = await readPayFile(db, services, by, one.id);
    seen.push({ mine, isRefused: refusal !== null });
    if (by === theo) continue;
    await expect(confirmPayFile(db, services, by, one)).rejects.toMatchObject({ message: refusal });
  }
  const refused = { mine: 0, isRefused: true };
  expect(seen).toEqual([refused, refused, { mine: 1, isRefused: false }, refused, refused]);
  expect(await confirmPayFile(db, services, theo, one)).toMatchObject({ status: 'taken' });
});
