import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { addBankAccount, bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import {
  billActs,
  createStandingBill,
  moveMoney,
  payPerson,
  scheduleBill,
  scheduleStandingBills,
  takeBills,
} from '#server/modules/payments/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { withdrawalActs, requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import {
  bankDetails,
  fundedWallet,
  verifiedBank,
  withdrawalOf,
  KNOWN,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { createAdmin, createEmployeeAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';

const services = createTestServices();
const TODAY = '2026-12-08';
const reason = 'The account is closed';
let own: TestDb;
let db: Db;
let admin: TestPerson;
/** An employee who is an admin as well: notified as the person concerned, or like every admin. */
let maya: Payee;
let sam: Payee;

beforeAll(async () => {
  own = await openTestDb();
  db = own.db;
  services.clock.set(`${TODAY}T15:00:00.000Z`);
  await offerDeposits(db, services);
  await db
    .updateTable('companySettings')
    .set({ payoutCoolingHours: 0, payrollCancelSeconds: 0 })
    .execute();
  admin = await createAdmin(db, services, { firstName: 'Renee' });
  maya = await payee('Maya');
  sam = await payee('Sam');
});
afterAll(() => own.close());

async function payee(firstName: string): Promise<Payee> {
  const { by } = await createEmployeeAdmin(db, services, { firstName });
  await approveIdentity(db, services, by, admin.by);
  const wallet = await fundedWallet(db, services, by, 900_000n);
  return { by, wallet, bank: await verifiedBank(db, services, { owner: by, admin: admin.by }) };
}

const notices = () =>
  db.selectFrom('notification').select(['id', 'userId', 'kind']).orderBy('createdAt').execute();

/** Does one act, and expects that nobody is notified twice of it. Answers Maya's notification. */
async function expectOneNotice<Result>(act: string, run: () => Promise<Result>): Promise<Result> {
  const before = new Set((await notices()).map(({ id }) => id));
  const result = await run();
  const made = (await notices()).filter(({ id }) => !before.has(id));
  const counts = Map.groupBy(made, ({ userId }) => userId);
  const twice = [...counts.values()].filter((all) => all.length > 1);
  expect(
    twice.map((all) => all.map(({ kind }) => kind)),
    act,
  ).toEqual([]);
  expect(counts.get(maya.by.actor.id)?.length, `${act} notifies the person concerned`).toBe(1);
  return result;
}
const expectOneNoticeOf = <Result>(act: string, run: (tx: Tx) => Promise<Result>) =>
  expectOneNotice(act, () => withTx(db, run));

test('a withdrawal is one notification at each of its steps', async () => {
  const request = () =>
    expectOneNoticeOf('request', (tx) =>
      requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 1_000n)),
    );
  const { id } = await request();
  await expectOneNoticeOf('approve', (tx) =>
    withdrawalActs.approve(tx, services, admin.by, { id }),
  );
  await expectOneNoticeOf('start', (tx) =>
    withdrawalActs.startProcessing(tx, services, admin.by, { id }),
  );
  await expectOneNoticeOf('complete', (tx) =>
    withdrawalActs.complete(tx, services, admin.by, { id }),
  );
  const { id: other } = await request();
  await expectOneNoticeOf('reject', (tx) =>
    withdrawalActs.reject(tx, services, admin.by, { id: other, reason }),
  );
  await expectOneNoticeOf('return', (tx) =>
    withdrawalActs.return(tx, services, admin.by, { id, reason }),
  );
});

test('so are a bank account and a deposit', async () => {
  const add = () =>
    expectOneNoticeOf('add', (tx) => addBankAccount(tx, services, maya.by, bankDetails()));
  const { id } = await add();
  await expectOneNoticeOf('verify', (tx) =>
    bankAccountActs.verify(tx, services, admin.by, { id, reason: KNOWN }),
  );
  const { id: other } = await add();
  await expectOneNoticeOf('reject', (tx) =>
    bankAccountActs.reject(tx, services, admin.by, { id: other, reason }),
  );
  const request = () =>
    expectOneNoticeOf('request', (tx) =>
      requestDeposit(tx, services, maya.by, {
        walletId: maya.wallet.id,
        method: 'ach',
        amount: money(5_000n, 'USD'),
      }),
    );
  const deposit = await request();
  await expectOneNoticeOf('approve', (tx) =>
    depositActs.approve(tx, services, admin.by, { id: deposit.id }),
  );
  const refused = await request();
  await expectOneNoticeOf('reject', (tx) =>
    depositActs.reject(tx, services, admin.by, { id: refused.id, reason }),
  );
});

test('so are payroll and funding, for the people who are paid and the admin who pays', async () => {
  await expectOneNotice('payroll', async () => {
    await postPayroll(db, services, await confirmPayroll(db, admin.by.actor));
  });
  await expectOneNotice('funding', async () => {
    const { id } = await fundAsSeen(db, services, admin.by, {
      id: maya.by.actor.id,
      type: 'bonus',
      walletId: maya.wallet.id,
      amount: money(50_000n, 'USD'),
      description: 'Fourth quarter',
    });
    await postPayroll(db, services, id);
  });
});

test('so are payments to people, bills and standing bills', async () => {
  await expectOneNoticeOf('pay a person', (tx) =>
    payPerson(tx, services, maya.by, {
      walletId: maya.wallet.id,
      recipientId: sam.by.actor.id,
      amount: money(700n, 'USD'),
      note: '',
      savePayee: true,
    }),
  );
  const savings = await fundedWallet(db, services, maya.by, 0n, 'savings');
  await expectOneNoticeOf('move money', (tx) =>
    moveMoney(tx, services, maya.by, {
      fromWalletId: maya.wallet.id,
      toWalletId: savings.id,
      amount: money(300n, 'USD'),
    }),
  );
  const payeeId = await outsidePayee(db, services, maya.by);
  const bill = { walletId: maya.wallet.id, payeeId, amount: money(1_500n, 'USD'), memo: '' };
  const schedule = () =>
    expectOneNoticeOf('schedule', (tx) =>
      scheduleBill(tx, services, maya.by, { ...bill, payOn: TODAY, dueOn: null }),
    );
  const taken = async () => {
    const { id } = await schedule();
    await expectOneNotice('take', () => takeBills(db, services));
    return id;
  };
  const paid = await taken();
  await expectOneNoticeOf('send', (tx) => billActs.send(tx, services, admin.by, { id: paid }));
  await expectOneNoticeOf('complete', (tx) =>
    billActs.complete(tx, services, admin.by, { id: paid }),
  );
  const stopped = await taken();
  await expectOneNoticeOf('stop', (tx) =>
    billActs.stop(tx, services, admin.by, { id: stopped, reason }),
  );
  await expectOneNoticeOf('return', (tx) =>
    billActs.return(tx, services, admin.by, { id: paid, reason }),
  );

  const standing = {
    ...bill,
    payeeId: await outsidePayee(db, services, maya.by, { name: 'Rent' }),
  };
  await expectOneNoticeOf('set up a standing bill', (tx) =>
    createStandingBill(tx, services, maya.by, {
      ...standing,
      startsOn: TODAY,
      endsOn: null,
      frequency: 'weekly',
    }),
  );
  services.clock.set('2026-12-14T15:00:00.000Z');
  await expectOneNotice('schedule the next one', () => scheduleStandingBills(db, services));
});
