import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { addDays, addMonths, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs } from '#server/modules/deposits/index.ts';
import { billActs, moveMoney, payPerson } from '#server/modules/payments/index.ts';
import { postPayroll, reverseLine } from '#server/modules/payroll/index.ts';
import { runTransfers, takeBackTransfer } from '#server/modules/transfers/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { makeBusyCompany } from '#test/busy-company.ts';
import type { BusyCompany } from '#test/busy-ids.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { returnOf, returnSteps } from '#test/factories/returned-payouts.ts';
import type { Sent } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { recoverySteps } from '#test/recovery-fixture.ts';
import { tableSums } from '#test/table-sums.ts';

const LAST = addMonths(`${dayIn('America/New_York', new Date()).slice(0, 7)}-01`, -1);
const USD = (minor: bigint) => money(minor, 'USD');
const WORDS = { reason: 'paid_twice', message: 'This was paid twice.' } as const;

// The clock stays in the month that is closed, as that of a server whose clock jumped back does. Bills are taken on a
// banking day.
const services = createTestServices(
  `${bankingDayOnOrAfter(addDays(LAST, 13), 'USD')}T15:00:00.000Z`,
);
let test: TestDb;
let company: BusyCompany;
let steps: ReturnType<typeof returnSteps>;
/** A line of Ben that nothing was taken back of. */
let funded: string;
/** A payout file that was downloaded, and payments of two that were sent. */
let made: string;
let sent: Sent;
let returned: Sent;

const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);

beforeAll(async () => {
  test = await openTestDb();
  company = await makeBusyCompany(test.db, services);
  const { admin, otherAdmin, ben, automatic } = company;
  steps = returnSteps(test.db, services, { admin, other: otherAdmin });
  await steps.enterBank();
  made = (await steps.make([(await steps.approved()).id])).id;
  await steps.download(made);
  sent = await steps.sentOne();
  returned = await steps.sentOne();
  const lineOf = async () => {
    const { id } = await fundAsSeen(test.db, services, admin, {
      id: ben.by.actor.id,
      type: 'custom',
      walletId: ben.wallet.id,
      amount: USD(3_000n),
      description: 'Paid by mistake',
    });
    const line = test.db.selectFrom('payrollLine').select('id').where('batchId', '=', id);
    return (await line.executeTakeFirstOrThrow()).id;
  };
  funded = await lineOf();
  // Cleo's rules follow this line, and have not run yet.
  const pay = new Map([[automatic.who.by.actor.id, 50_000n]]);
  const draft = await draftOwnAmounts(test.db, admin.actor, pay, services);
  const batch = await sendDraftAsSeen(test.db, admin.actor, draft.id, services);
  await postPayroll(test.db, services, batch.id);
  await run((tx) =>
    sql`INSERT INTO month_closing (id, month, closed_by, closed_at, owed_minor)
        VALUES (${newId()}, ${LAST}, ${admin.actor.id}, now(), 0)`.execute(tx),
  );
});
afterAll(() => test.close());

const amount = USD(1_000n);

it.each<[what: string, act: () => Promise<unknown>]>([
  [
    'the approval of a deposit',
    () =>
      run((tx) =>
        depositActs.approve(tx, services, company.admin, { id: company.deposits.pending }),
      ),
  ],
  [
    'the completion of a withdrawal',
    () =>
      run((tx) =>
        withdrawalActs.complete(tx, services, company.admin, {
          id: company.withdrawals.processing,
        }),
      ),
  ],
  [
    'the return of a withdrawal',
    () =>
      run((tx) =>
        withdrawalActs.return(tx, services, company.admin, {
          id: company.withdrawals.completed,
          reason: 'The account is closed',
        }),
      ),
  ],
  [
    'the completion of a bill',
    () => run((tx) => billActs.complete(tx, services, company.admin, { id: company.bills.sent })),
  ],
  [
    'the return of a bill',
    () =>
      run((tx) =>
        billActs.return(tx, services, company.admin, {
          id: company.bills.paid,
          reason: 'The account is closed',
        }),
      ),
  ],
  [
    'a payment to a person',
    () =>
      run((tx) =>
        payPerson(tx, services, company.maya.by, {
          walletId: company.maya.wallet.id,
          recipientId: company.ben.by.actor.id,
          amount,
          note: '',
          savePayee: false,
        }),
      ),
  ],
  [
    'a move between two wallets of one person',
    async () => {
      const { toWalletId } = await test.db
        .selectFrom('walletMove')
        .select('toWalletId')
        .where('id', '=', company.move)
        .executeTakeFirstOrThrow();
      const wallets = { fromWalletId: company.maya.wallet.id, toWalletId };
      await run((tx) => moveMoney(tx, services, company.maya.by, { ...wallets, amount }));
    },
  ],
  [
    'an individual funding',
    () =>
      fundAsSeen(test.db, services, company.admin, {
        id: company.ben.by.actor.id,
        type: 'bonus',
        walletId: company.ben.wallet.id,
        amount,
        description: '',
      }),
  ],
  ['the job of a payroll', () => postPayroll(test.db, services, company.batches.waiting)],
  [
    'the reversal of a line',
    () =>
      run((tx) =>
        reverseLine(tx, services, company.admin, {
          id: funded,
          amount: USD(3_000n),
          left: USD(3_000n),
          ...WORDS,
        }),
      ),
  ],
  [
    'the reversal of a part of a line',
    () =>
      run((tx) =>
        reverseLine(tx, services, company.admin, {
          id: funded,
          amount,
          left: USD(3_000n),
          ...WORDS,
        }),
      ),
  ],
  [
    'a recovery with a part that is taken immediately',
    () => {
      const by = () => company.admin.actor;
      const recoveries = recoverySteps(() => test.db, { sender: by, admin: by });
      recoveries.at(services.clock.now().toISOString());
      return recoveries.propose(funded, { now: 1_000n });
    },
  ],
  ['the sending of a payout file', () => steps.doAct('send', made)],
  ['the settling of a payout file', () => steps.doAct('settle', sent.fileId)],
  ['a return from the file of the bank', () => steps.book([returnOf(returned)])],
  [
    'an automatic transfer that is taken back',
    () => run((tx) => takeBackTransfer(tx, services, company.otherAdmin, company.automatic.move)),
  ],
])('%s is refused in a closed month and changes nothing', async (_, act) => {
  const before = await tableSums(test.db);
  await expect(act()).rejects.toMatchObject({ code: 'month_closed' });
  expect(await tableSums(test.db)).toEqual(before);
});

it('automatic transfers and a payroll wait, and are made once the clock is right', async () => {
  const before = await tableSums(test.db);
  await expect(runTransfers(test.db, services)).rejects.toThrow('automatic transfers failed');
  // The line that waits counts its failures, and nothing else changes.
  const counted = { payroll_due_transfer: expect.any(String) as string };
  expect(await tableSums(test.db)).toEqual({ ...before, ...counted });

  services.clock.set(new Date().toISOString());
  expect(await runTransfers(test.db, services)).toBe(1);
  const { waiting } = company.batches;
  await postPayroll(test.db, services, waiting);
  const { rows } = await sql`
    SELECT count(*) FILTER (WHERE status = 'processed') > 0 AS is_paid,
           bool_and(status IN ('processed', 'skipped')) AS is_whole
      FROM payroll_line WHERE batch_id = ${waiting}`.execute(test.db);
  expect(rows).toEqual([{ isPaid: true, isWhole: true }]);
});
