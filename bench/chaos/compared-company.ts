import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { sql } from 'kysely';
import { money } from '#contract/money.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { addCompanyAccount } from '#server/modules/company-bank/accounts.ts';
import { checkStatement, importStatement } from '#server/modules/company-bank/import-statement.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { moveMoney, payPerson } from '#server/modules/payments/index.ts';
import { getPayoutFile } from '#server/modules/payouts/file-queries.ts';
import { reversePayout } from '#server/modules/payouts/reversals/reverse-payout.ts';
import { postPayroll, reverseLine } from '#server/modules/payroll/index.ts';
import { changeTransfers, runTransfers } from '#server/modules/transfers/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { csvStatement } from '#test/bank-desk.ts';
import { makeBills, makeStandingBill } from '#test/factories/bills.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { returnOf, returnSteps, uploadOf } from '#test/factories/returned-payouts.ts';
import type { TestServices } from '#test/factories/services.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { readAuditCounts, readBalances } from './accounts.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';

const USD = (minor: bigint) => money(minor, 'USD');
const REASON = 'A reason that is long enough';

/** Ids of one thing of each kind of movement of money that chaos makes. */
export interface ComparedCompany {
  owners: readonly string[];
  withdrawals: Record<'pending' | 'completed' | 'returned', string>;
  /** Payouts by a file: settled, sent back after that, and sent back before. */
  sent: Record<'settled' | 'settledAndReturned' | 'returned', string>;
  fileId: string;
  reversalId: string;
  deposits: Record<'approved' | 'pending', string>;
  bills: Record<'paid' | 'returned', string>;
  standingBill: string;
  payment: string;
  move: string;
  /** A payroll and one of its lines, after which money is moved automatically. */
  payroll: { id: string; lineId: string; moveId: string };
  /** A funding of which a part was taken back. */
  reduced: { id: string; lineId: string };
  statementLine: string;
  importedPerson: string;
}

/** Makes the company by the commands of the server. */
export async function makeComparedCompany(
  db: Db,
  services: TestServices,
): Promise<ComparedCompany> {
  const { by: admin } = await createAdmin(db, services);
  const { by: other } = await createAdmin(db, services);
  const [maya, ben] = [
    await createPayee(db, services, { admin }),
    await createPayee(db, services, { admin }),
  ];
  const withdrawal = async (status: 'pending' | 'completed' | 'returned') =>
    (await withdrawalIn(db, services, { payee: maya, admin, status })).id;
  // The bank account of the returned one is entered again.
  const returned = await withdrawal('returned');
  const payouts = await payByFiles(db, services, { admin, other });
  await offerDeposits(db, services);
  const bills = await makeBills(db, services, { payee: maya, admin });
  const recipientId = ben.by.actor.id;
  const input = { walletId: maya.wallet.id, recipientId, amount: USD(6_000n), note: 'Tea' };
  const payment = await withTx(db, (tx) =>
    payPerson(tx, services, maya.by, { ...input, savePayee: false }),
  );
  const savings = await withTx(db, (tx) =>
    openWallet(tx, services, { userId: maya.by.actor.id, type: 'savings' }),
  );
  const wallets = { fromWalletId: maya.wallet.id, toWalletId: savings.id };
  const moved = await withTx(db, (tx) =>
    moveMoney(tx, services, maya.by, { ...wallets, amount: USD(3_000n) }),
  );
  const person = { firstName: 'Imported', lastName: 'Person' };
  return {
    owners: [maya.by.actor.id, recipientId],
    withdrawals: {
      returned,
      pending: await withdrawal('pending'),
      completed: await withdrawal('completed'),
    },
    ...payouts,
    deposits: {
      approved: await deposit(db, services, maya, admin),
      pending: await deposit(db, services, maya),
    },
    bills,
    standingBill: await makeStandingBill(db, services, maya),
    payment: payment.id,
    move: moved.id,
    payroll: await payAndTransfer(db, services, { admin, who: maya, savingsId: savings.id }),
    reduced: await fundAndReduce(db, services, admin, ben),
    statementLine: await importLine(db, services, admin),
    importedPerson: (await createEmployee(db, services, person)).email,
  };
}

async function payByFiles(
  db: Db,
  services: TestServices,
  { admin, other }: { admin: CommandContext; other: CommandContext },
): Promise<Pick<ComparedCompany, 'sent' | 'fileId' | 'reversalId'>> {
  const steps = returnSteps(db, services, { admin, other });
  await steps.enterBank();
  const [settled, later] = await steps.sent(2);
  const before = await steps.sentOne();
  if (settled === undefined || later === undefined) throw new Error('nothing was sent');
  await steps.doAct('settle', settled.fileId);
  await steps.book([returnOf(later), returnOf(before)]);
  const { entries } = await getPayoutFile(db, services, admin, { number: settled.number });
  const itemId = entries.find(({ id }) => id === settled.id)?.itemId ?? '';
  const { id: reversalId } = await withTx(db, (tx) =>
    reversePayout(tx, services, admin, { itemId, reason: 'duplicate' }),
  );
  const sent = { settled: settled.id, settledAndReturned: later.id, returned: before.id };
  return { sent, fileId: settled.fileId, reversalId };
}

/** @param admin approves it, if given */
async function deposit(
  db: Db,
  services: TestServices,
  { by, wallet }: Payee,
  admin?: CommandContext,
): Promise<string> {
  return withTx(db, async (tx) => {
    const input = { walletId: wallet.id, method: 'ach' as const, amount: USD(5_000n) };
    const { id } = await requestDeposit(tx, services, by, input);
    if (admin !== undefined) await depositActs.approve(tx, services, admin, { id });
    return id;
  });
}

async function payAndTransfer(
  db: Db,
  services: TestServices,
  { admin, who, savingsId }: { admin: CommandContext; who: Payee; savingsId: string },
): Promise<ComparedCompany['payroll']> {
  const to = { kind: 'wallet', id: savingsId } as const;
  const rules = [{ kind: 'fixed', amount: USD(1_000n), to } as const];
  await withTx(db, (tx) =>
    changeTransfers(tx, services, who.by, { walletId: who.wallet.id, version: 0, rules }),
  );
  // Only payrolls that were sent after the rules were made are followed by transfers.
  services.clock.set(new Date(services.clock.now().getTime() + 60_000).toISOString());
  const amounts = new Map([[who.by.actor.id, 50_000n]]);
  const draft = await draftOwnAmounts(db, admin.actor, amounts, services);
  const { id } = await sendDraftAsSeen(db, admin.actor, draft.id, services);
  await postPayroll(db, services, id);
  await runTransfers(db, services);
  const { lineId, moveId } = await db
    .selectFrom('payrollLine as line')
    .innerJoin('walletMove as move', 'move.payrollLineId', 'line.id')
    .select(['line.id as lineId', 'move.id as moveId'])
    .where('batchId', '=', id)
    .executeTakeFirstOrThrow();
  return { id, lineId, moveId };
}

async function fundAndReduce(
  db: Db,
  services: TestServices,
  admin: CommandContext,
  { by, wallet }: Payee,
): Promise<ComparedCompany['reduced']> {
  const amount = USD(2_000n);
  const { id } = await fundAsSeen(db, services, admin, {
    id: by.actor.id,
    type: 'custom',
    walletId: wallet.id,
    amount,
    description: 'Paid twice',
  });
  const { id: lineId } = await db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', id)
    .executeTakeFirstOrThrow();
  const part = { amount: USD(500n), left: amount, reason: 'paid_twice' as const, message: REASON };
  await withTx(db, (tx) => reverseLine(tx, services, admin, { id: lineId, ...part }));
  return { id, lineId };
}

/** Imports a statement with one line, whose text it returns. */
async function importLine(db: Db, services: TestServices, admin: CommandContext): Promise<string> {
  const account = { bankName: 'Northgate', label: 'Employee funds', number: '00964410' };
  const { id } = await withTx(db, (tx) =>
    addCompanyAccount(tx, services, admin, { ...account, routingNumber: '084207311' }),
  );
  const text = `Monthly fee ${randomUUID()}`;
  const file = csvStatement(0n, [[text, -150n]]);
  const { hash } = await checkStatement(db, services, { id, query: {}, body: uploadOf(file) });
  const query = { fileName: 'northgate.csv', hash };
  await importStatement(db, services, admin, { id, query, body: uploadOf(file) });
  return text;
}

/** The journal of clients to whom everything in the database was acknowledged. */
export async function journalOf(
  db: Reader,
  { owners, reduced, sent, importedPerson }: ComparedCompany,
): Promise<Journal & Disposable> {
  const journal = createJournal(devNull);
  const { rows } = await sql<{ kind: keyof Journal; id: string; known: never }>`
    SELECT 'withdrawals' AS kind, id::text, to_json(json_build_object('status', status, 'marker', reason)) AS known
      FROM withdrawal
    UNION ALL SELECT 'deposits', id::text, to_json(status) FROM deposit
    UNION ALL SELECT 'bills', id::text, to_json(status) FROM bill
    UNION ALL SELECT 'files', id::text, to_json(status) FROM payout_file
    UNION ALL SELECT 'reversals', id::text, to_json(status) FROM payout_reversal
    UNION ALL SELECT 'batches', id::text, json_build_object('employees', payable_count) FROM payroll_batch`.execute(
    db,
  );
  for (const { kind, id, known } of rows) (journal[kind] as Map<string, unknown>).set(id, known);
  const idsOf = async (table: 'personPayment' | 'standingBill') =>
    (await db.selectFrom(table).select('id').execute()).map(({ id }) => id);
  const moves = db.selectFrom('walletMove').select('id').where('payrollLineId', 'is', null);
  const lines = await db
    .selectFrom('bankLine')
    .select(['text', 'amountMinor'])
    .where('position', '>', 0)
    .execute();
  return Object.assign(journal, {
    ...(await readBalances(db, owners)),
    acknowledged: await readAuditCounts(db),
    payments: new Set(await idsOf('personPayment')),
    standing: new Set(await idsOf('standingBill')),
    moves: new Set((await moves.execute()).map(({ id }) => id)),
    lines: new Map(lines.map(({ text, amountMinor }) => [text, amountMinor])),
    imported: new Set([importedPerson]),
    reduced: new Set([reduced.id]),
    sent: new Set(Object.values(sent)),
  });
}
