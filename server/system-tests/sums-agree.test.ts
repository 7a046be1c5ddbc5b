import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountDocument } from '#contract/api.ts';
import { FUNDING_TYPE_IDS } from '#contract/funding.ts';
import { firstView } from '#contract/list.ts';
import { employeeList, historyList, paidList, transactionList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { historyScope } from '#server/modules/history/index.ts';
import {
  addPayee,
  billActs,
  moveMoney,
  payPerson,
  scheduleBill,
  takeBills,
} from '#server/modules/payments/index.ts';
import { postPayroll, previewPayroll, sendPayroll } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { CHANGE } from '#test/bills-fixture.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  withdrawalIn,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import {
  documentScope,
  employees,
  getAdminDashboard,
  getEmployeeDashboard,
  getHistoryTotals,
  getPayrollStats,
  listAccountDocuments,
  logScope,
  makeDocument,
  ownHistory,
  paidPeople,
  paidScope,
  paidTotals,
  totalOwed,
  transactionLog,
  transactionStats,
} from '#test/money-readers.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { acknowledgeAll } from '#test/payroll-fixture.ts';

/**
 * A small company with a payroll, a funding of each kind, a deposit, payouts that were paid, came back and
 * wait, a payment between employees, a move between accounts of one, and bills that were paid and wait. Every
 * screen and export that names a sum of its money says the same, to the cent.
 */

const services = createTestServices();
const USD = (minor: bigint) => money(minor, 'USD');
let test: TestDb;
let db: Db;
let admin: CommandContext;
let people: Payee[];

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  at('2026-11-02T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin' });
  const [maya, grace] = [await payee('Maya'), await payee('Grace')];
  await payEveryone(100_037n);
  // She joins after the payroll, and is paid by funding alone.
  const petra = await payee('Petra');
  people = [maya, grace, petra];
  at('2026-11-09T15:00:00.000Z');
  for (const [index, type] of FUNDING_TYPE_IDS.entries()) {
    for (const [{ by, wallet }, minor] of [
      [maya, 12_345n],
      [petra, 7_001n],
    ] as const) {
      await fundAsSeen(db, services, admin, {
        id: by.actor.id,
        type,
        walletId: wallet.id,
        description: '',
        amount: USD(minor + BigInt(index)),
      });
    }
  }
  await deposit(grace, 25_025n);
  at('2026-11-12T15:00:00.000Z');
  await withdrawalIn(db, services, {
    payee: maya,
    admin,
    status: 'completed',
    amountMinor: 12_011n,
  });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'returned', amountMinor: 4_040n });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'pending', amountMinor: 7_575n });
  await run((tx) =>
    payPerson(tx, services, maya.by, {
      walletId: maya.wallet.id,
      recipientId: grace.by.actor.id,
      note: '',
      savePayee: false,
      amount: USD(1_850n),
    }),
  );
  const savings = await fundedWallet(db, services, maya.by, 0n, 'savings');
  await run((tx) =>
    moveMoney(tx, services, maya.by, {
      fromWalletId: maya.wallet.id,
      toWalletId: savings.id,
      amount: USD(2_222n),
    }),
  );
  const paid = await bill(grace, 3_333n, '2026-11-12');
  await takeBills(db, services);
  await run((tx) => billActs.send(tx, services, admin, { id: paid }));
  await run((tx) => billActs.complete(tx, services, admin, { id: paid }));
  await bill(grace, 2_002n, '2026-11-20');
});
afterAll(() => test.close());

const at = (time: string) => services.clock.set(time);
const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(db, work);
const payee = (firstName: string) =>
  createPayee(db, services, { admin, firstName, fundedMinor: 0n });

async function payEveryone(minor: bigint): Promise<void> {
  const order = {
    walletType: 'salary' as const,
    department: 'all' as const,
    amount: USD(minor),
    description: 'Biweekly pay',
  };
  const preview = await previewPayroll(db, services, admin, order);
  const { id } = await run(async (tx) => {
    await acknowledgeAll(tx, services, admin, preview);
    return sendPayroll(tx, services, admin, { ...order, previewHash: preview.hash });
  });
  await postPayroll(db, services, id);
}

async function deposit({ by, wallet }: Payee, minor: bigint): Promise<void> {
  const request = { walletId: wallet.id, method: 'ach', amount: USD(minor) } as const;
  const { id } = await run((tx) => requestDeposit(tx, services, by, request));
  await run((tx) => depositActs.approve(tx, services, admin, { id }));
}

async function bill({ by, wallet }: Payee, minor: bigint, payOn: string): Promise<string> {
  const details = { ...CHANGE, accountNumber: '40227755502', isSaved: true };
  const { id: payeeId } = await run((tx) => addPayee(tx, services, by, details));
  const { id } = await run((tx) =>
    scheduleBill(tx, services, by, {
      walletId: wallet.id,
      payeeId,
      amount: USD(minor),
      payOn,
      dueOn: null,
      memo: '',
    }),
  );
  return id;
}

/** The sums of the ledger itself, from its entries and holds. */
async function ledgerSums() {
  const { rows } = await sql<{ owedMinor: bigint; heldMinor: bigint; payrollMinor: bigint }>`
    SELECT (SELECT sum(entry.amount) FROM ledger_entry AS entry
              JOIN ledger_account AS account ON account.id = entry.account_id
             WHERE account.owner_id IS NOT NULL)::bigint AS owed_minor,
           (SELECT sum(amount) FROM ledger_hold WHERE state = 'held')::bigint AS held_minor,
           (SELECT -sum(entry.amount) FROM ledger_entry AS entry
              JOIN ledger_account AS account ON account.id = entry.account_id
             WHERE account.code = 'payroll_funding')::bigint AS payroll_minor`.execute(db);
  const [sums] = rows;
  if (sums === undefined) throw new Error('a query without FROM gave no row');
  return sums;
}

const sum = (amounts: readonly Money[]) =>
  USD(amounts.reduce((total, { minor }) => total + BigInt(minor), 0n));

/** Those between cells: an even number of quotes follows. */
const COMMAS = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** The rows of an export, each by the names in its head. */
async function exported(chunks: AsyncGenerator<string>): Promise<Record<string, string>[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  const [head = [], ...rows] = text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(COMMAS));
  return rows.map((cells) =>
    Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])),
  );
}

/** Sum of decimal cells: `-12.30`. */
const sumOf = (rows: readonly Record<string, string>[], column: string) =>
  USD(rows.reduce((total, row) => total + BigInt((row[column] ?? '').replace('.', '')), 0n));

function yearTotal({ tables }: AccountDocument, title: string): Money {
  const cell = tables.find((table) => table.title === title)?.total?.at(-1);
  return typeof cell === 'object' && 'amount' in cell ? cell.amount : USD(0n);
}

it('the company owes what the ledger holds for employees, on every screen and in every export', async () => {
  const { owedMinor, heldMinor } = await ledgerSums();
  const [owed, held, available] = [owedMinor, heldMinor, owedMinor - heldMinor].map(USD);
  expect(await totalOwed(db)).toEqual({ balance: owed, held, available });

  const settings = await readSettings(db);
  const view = { ...firstView(employeeList), pageSize: 100 };
  const { items } = await employees.page(db, view, settings);
  expect(sum(items.map(({ balance }) => balance))).toEqual(owed);
  expect(sum(items.map((item) => item.available))).toEqual(available);
  const directory = await exported(employees.csv(db, view, settings));
  expect([sumOf(directory, 'Balance'), sumOf(directory, 'Available')]).toEqual([owed, available]);

  const filter = firstView(transactionList);
  const { figures } = await transactionStats(db, filter);
  const [moneyIn, moneyOut] = [figures?.moneyIn.amount.minor, figures?.moneyOut.amount.minor];
  expect(USD(BigInt(moneyIn ?? 0) - BigInt(moneyOut ?? 0))).toEqual(owed);
  expect(figures).toMatchObject({
    returned: { count: 1, amount: USD(4_040n) },
    betweenEmployees: { count: 1, amount: USD(1_850n) },
    betweenOwnAccounts: { count: 1, amount: USD(2_222n) },
  });
  const log = await exported(transactionLog.csv(db, filter, await logScope(db, filter)));
  const posted = log.filter(({ Status }) => Status === 'completed');
  expect(
    sumOf(
      posted.filter(({ Type }) => Type !== 'Transfer' && Type !== 'Move'),
      'Amount',
    ),
  ).toEqual(owed);

  const totals = [];
  const own = [];
  for (const { by } of people) {
    const scope = await historyScope(db, by.actor.id, settings);
    totals.push(await getHistoryTotals(db, scope));
    own.push(...(await exported(ownHistory.csv(db, firstView(historyList), scope))));
  }
  for (const { received, withdrawn, currentBalance } of totals) {
    expect(USD(BigInt(received.minor) - BigInt(withdrawn.minor))).toEqual(currentBalance);
  }
  expect(sum(totals.map(({ currentBalance }) => currentBalance))).toEqual(owed);
  expect(sum(totals.map((total) => total.available))).toEqual(available);
  expect(
    sumOf(
      own.filter(({ Status }) => Status === 'completed'),
      'Amount',
    ),
  ).toEqual(owed);

  // The statements of the month, which is over by then.
  at('2026-12-01T15:00:00.000Z');
  const closing = [];
  for (const { by } of people) {
    const scope = await documentScope(db, by.actor.id, services.clock.now());
    const { statements } = await listAccountDocuments(db, scope, 2026);
    closing.push(...statements.filter(({ month }) => month === '2026-11'));
  }
  expect(sum(closing.map((statement) => statement.closing))).toEqual(owed);
  at('2026-11-12T15:00:00.000Z');
});

it('payroll is one sum, on dashboards, payslips and in the ledger, with individual funding in it', async () => {
  at('2026-11-25T15:00:00.000Z');
  const payroll = USD((await ledgerSums()).payrollMinor);
  // Two people by payroll, two by a funding of each kind.
  expect(payroll).toEqual(USD(2n * 100_037n + 5n * 12_345n + 10n + 5n * 7_001n + 10n));
  const company = await getAdminDashboard(db, services, admin.actor.id);
  expect(company.monthlyPayroll).toEqual(payroll);
  expect((await getPayrollStats(db, services)).totalPayroll).toEqual(payroll);

  const whole = firstView(paidList);
  const { amounts } = await paidTotals(db, whole);
  expect(amounts?.total).toEqual(payroll);
  const paidTo = await exported(paidPeople.csv(db, whole, await paidScope(db, whole)));
  expect(sumOf(paidTo, 'Total')).toEqual(payroll);

  const own = [];
  for (const { by } of people) {
    const scope = await documentScope(db, by.actor.id, services.clock.now());
    const { payslips } = await listAccountDocuments(db, scope, 2026);
    const id = payslips.items[0]?.id ?? '';
    const newest = await makeDocument(db, scope, { id, isWhole: true });
    const dashboard = await getEmployeeDashboard(db, services, { userId: by.actor.id });
    const { ytdEarnings, ytdPayroll, ytdDeposits, yearSoFar } = dashboard;
    expect(ytdPayroll).toEqual(payslips.totalPaid);
    expect(yearSoFar.payroll).toEqual(payslips.totalPaid);
    expect(sum([ytdPayroll, ytdDeposits])).toEqual(ytdEarnings);
    expect(sum([yearSoFar.payroll, yearSoFar.deposits, yearSoFar.payments])).toEqual(
      yearSoFar.received,
    );
    expect(sum(payslips.items.map(({ amount }) => amount))).toEqual(payslips.totalPaid);
    expect(yearTotal(newest, 'Paid into your accounts')).toEqual(payslips.totalPaid);
    expect(yearTotal(newest, 'Reimbursements, not earnings')).toEqual(payslips.reimbursed);
    expect(sum([yearTotal(newest, 'Earnings'), payslips.reimbursed])).toEqual(payslips.totalPaid);
    own.push(payslips);
  }
  expect(own.map(({ total }) => total)).toEqual([6, 1, 5]);
  expect(sum(own.map(({ totalPaid }) => totalPaid))).toEqual(payroll);
  expect(sum(own.map(({ reimbursed }) => reimbursed))).toEqual(amounts?.reimbursement);

  const filter = firstView(transactionList);
  const log = await exported(transactionLog.csv(db, filter, await logScope(db, filter)));
  const paid = log.filter(({ Type }) => Type === 'Payroll' || Type === 'Funding');
  expect(sumOf(paid, 'Amount')).toEqual(payroll);
  await expectSoundMoney(db);
});
