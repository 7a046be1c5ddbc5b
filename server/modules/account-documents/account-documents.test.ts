import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  payslipId,
  receiptId,
  STATEMENT_MAX_ENTRIES,
  statementId,
} from '#contract/account-documents.ts';
import type { AccountDocument } from '#contract/api.ts';
import type { TimeZoneId } from '#contract/company.ts';
import { firstView } from '#contract/list.ts';
import { receiptList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { approveDeposit, requestDeposit } from '#server/modules/deposits/index.ts';
import { historyScope } from '#server/modules/history/index.ts';
import { balanceAt, post, reverse, setTimeZone } from '#server/modules/ledger/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listAccountDocuments } from './list.ts';
import { makeDocument } from './make-document.ts';
import { ownReceipts } from './receipt-list.ts';
import { documentScope } from './scope.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;

// A database each: an account's time only advances.
beforeEach(async () => {
  test = await openTestDb();
  db = test.db;
  at('2025-10-20T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  maya = await createPayee(db, services, { admin, fundedMinor: 500_000n });
});
afterEach(() => test.close());

const at = (time: string) => services.clock.set(time);
const scopeOf = ({ actor }: CommandContext) => documentScope(db, actor.id, services.clock.now());
const make = async (id: string, { by } = { by: maya.by }, isWhole = true) =>
  makeDocument(db, await scopeOf(by), { id, isWhole });
const NOT_FOUND = { code: 'account_document_not_found' };

/** A deposit of that much, approved at this moment. */
async function deposit(minor: bigint): Promise<string> {
  const request = {
    walletId: maya.wallet.id,
    method: 'ach',
    amount: money(minor, 'USD'),
  } as const;
  const { id } = await withTx(db, (tx) => requestDeposit(tx, services, maya.by, request));
  await withTx(db, (tx) => approveDeposit(tx, services, admin, id));
  return newestTransaction();
}

async function newestTransaction(): Promise<string> {
  const { transactionId } = await db
    .selectFrom('ledgerEntry')
    .select('transactionId')
    .where('accountId', '=', maya.wallet.ledgerAccountId)
    .orderBy('accountVersion', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return transactionId;
}

function minorOf(cell: AccountDocument['tables'][number]['rows'][number][number] | undefined) {
  if (cell === undefined || typeof cell === 'string' || 'reference' in cell)
    throw new Error('not an amount');
  return BigInt(cell.amount.minor);
}

/** The amounts of a statement's entries, without the opening and the closing line. */
const amountsOf = ({ tables: [table] }: AccountDocument) =>
  table?.rows.slice(1).map((row) => minorOf(row[3])) ?? [];

const factOf = ({ facts }: AccountDocument, label: string) =>
  facts.flat().find((fact) => fact.label === label)?.value;

describe('a monthly statement', () => {
  it('opens with the balance, has every entry and closes with the balance of the ledger', async () => {
    at('2025-11-05T15:00:00.000Z');
    await deposit(30_000n);
    await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
    at('2025-12-02T15:00:00.000Z');
    await deposit(1_000n);

    const statement = await make('statement.salary.2025-11');
    const end = new Date('2025-12-01T04:59:59.999Z');
    const closing = await balanceAt(db, maya.wallet.ledgerAccountId, end);
    expect(closing).toBe(490_000n);
    expect(statement.lead.amount).toEqual(money(closing, 'USD'));
    expect(factOf(statement, 'Opening balance')).toMatchObject({ amount: money(500_000n, 'USD') });
    expect(factOf(statement, 'Money in')).toMatchObject({ amount: money(30_000n, 'USD') });
    expect(factOf(statement, 'Money out')).toMatchObject({ amount: money(-40_000n, 'USD') });
    expect(amountsOf(statement)).toEqual([30_000n, -40_000n]);
    expect(amountsOf(statement).reduce((sum, one) => sum + one, 500_000n)).toBe(closing);
    expect(statement.tables[0]?.total?.map((cell) => cell)).toMatchObject([
      'Nov 30',
      'Closing balance',
      '',
      { amount: money(-10_000n, 'USD') },
      { amount: money(closing, 'USD') },
    ]);
    expect(statement.proof).toEqual([
      'Not sealed yet: 2 of the entries. This is done within a minute.',
    ]);
  });

  it('begins and ends at midnight of the company, on either side of the change of clocks', async () => {
    at('2025-11-01T03:59:59.000Z'); // the 31st, 23:59:59 in summer time
    await deposit(101n);
    at('2025-11-01T04:00:00.000Z');
    await deposit(202n);
    at('2025-12-01T04:59:59.000Z'); // the 30th, 23:59:59 in winter time
    await deposit(303n);
    at('2025-12-01T05:00:00.000Z');
    await deposit(404n);
    at('2026-01-05T15:00:00.000Z');
    expect(amountsOf(await make('statement.salary.2025-10'))).toEqual([500_000n, 101n]);
    const november = await make('statement.salary.2025-11');
    expect(amountsOf(november)).toEqual([202n, 303n]);
    expect(november.tables[0]?.rows.map(([date]) => date)).toEqual(['Nov 1', 'Nov 1', 'Nov 30']);
    expect(amountsOf(await make('statement.salary.2025-12'))).toEqual([404n]);
  });

  it('has each entry in one month alone, and no gap between two, after the company moved its time zone', async () => {
    at('2025-12-01T04:59:59.000Z'); // the 30th, 23:59:59 in New York
    await deposit(101n);
    at('2025-12-01T05:00:00.000Z'); // the 1st in New York, still the 30th in Los Angeles
    await deposit(202n);
    at('2025-12-01T08:00:00.000Z'); // the 1st in both
    await deposit(303n);
    at('2026-01-02T15:00:00.000Z');
    const months = ['2025-10', '2025-11', '2025-12'];
    const makeAll = () => Promise.all(months.map((month) => make(`statement.salary.${month}`)));
    expect((await makeAll()).map(amountsOf)).toEqual([[500_000n], [101n], [202n, 303n]]);
    await moveTo('pst');
    const statements = await makeAll();
    expect(statements.map(amountsOf)).toEqual([[500_000n], [101n, 202n], [303n]]);
    const [october, november, december] = statements;
    for (const [before, after] of [
      [october, november],
      [november, december],
    ]) {
      const opening = after === undefined ? undefined : factOf(after, 'Opening balance');
      expect(opening).toMatchObject({ amount: before?.lead.amount });
    }
    expect(december?.lead.amount).toEqual(money(500_606n, 'USD'));
    // What is listed counts by the same days.
    const { statements: listed } = await listAccountDocuments(db, await scopeOf(maya.by), 2025);
    expect(listed.map(({ month, entries }) => [month, entries])).toEqual([
      ['2025-12', 1],
      ['2025-11', 2],
      ['2025-10', 1],
    ]);
  });

  /** As a change of the company's settings does. */
  const moveTo = (timeZoneId: TimeZoneId) =>
    withTx(db, async (tx) => {
      const { timeZone } = await updateSettings(tx, services, admin, { timeZoneId });
      await setTimeZone(tx, timeZone);
    });

  it('of a month without entries has the same balance twice', async () => {
    at('2025-12-01T05:00:00.000Z');
    const statement = await make('statement.salary.2025-11');
    expect(amountsOf(statement)).toEqual([]);
    expect(factOf(statement, 'Opening balance')).toEqual(factOf(statement, 'Closing balance'));
    expect(statement.proof).toEqual(['No entries in this month.']);
  });

  it.each([
    ['before the account was opened', 'statement.salary.2025-09'],
    ['that is not over', 'statement.salary.2025-11'],
    ['in the future', 'statement.salary.9999-12'],
    ['of an account that the person has not', 'statement.irs.2025-10'],
  ])('of a month %s is not found', async (_what, id) => {
    at('2025-12-01T04:59:59.999Z');
    await expect(make(id)).rejects.toMatchObject(NOT_FOUND);
  });

  it('after the account was closed is not found', async () => {
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date('2025-10-31T12:00:00Z') })
      .where('id', '=', maya.wallet.id)
      .execute();
    at('2026-01-05T15:00:00.000Z');
    await expect(make('statement.salary.2025-11')).rejects.toMatchObject(NOT_FOUND);
    expect((await make('statement.salary.2025-10')).lead.amount.minor).toBe('500000');
  });

  it('shows the first of very many entries, says how many are left out, and sums all', async () => {
    at('2025-11-05T15:00:00.000Z');
    await postMany(1_203);
    at('2025-12-05T15:00:00.000Z');
    const shown = await make('statement.salary.2025-11', { by: maya.by }, false);
    expect(amountsOf(shown)).toHaveLength(1_000);
    expect(shown.tables[0]?.omitted).toBe(203);
    expect(shown.lead.amount.minor).toBe('501203');
    const whole = await make('statement.salary.2025-11');
    expect(amountsOf(whole)).toHaveLength(1_203);
  });

  it('that has more entries than a document holds is shown, and refused as a whole', async () => {
    at('2025-11-05T15:00:00.000Z');
    await postMany(STATEMENT_MAX_ENTRIES + 1);
    at('2025-12-05T15:00:00.000Z');
    await expect(make('statement.salary.2025-11')).rejects.toMatchObject({
      code: 'statement_too_long',
      details: { entries: STATEMENT_MAX_ENTRIES + 1, most: STATEMENT_MAX_ENTRIES },
    });
    const shown = await make('statement.salary.2025-11', { by: maya.by }, false);
    expect(shown.lead.amount.minor).toBe('510001');
  });

  async function postMany(count: number): Promise<void> {
    const { accountId } = await db
      .selectFrom('ledgerEntry')
      .select('accountId')
      .where('amount', '<', 0n)
      .limit(1)
      .executeTakeFirstOrThrow();
    const postings = Array.from({ length: count }, (_, index) => ({
      kind: 'funding',
      reference: `MANY-${index}`,
      description: 'Bonus',
      actorId: admin.actor.id,
      subjectId: null,
      entries: [
        { accountId, amountMinor: -1n },
        { accountId: maya.wallet.ledgerAccountId, amountMinor: 1n },
      ],
    }));
    await withTx(db, (tx) => post(tx, postings, { effectiveAt: services.clock.now() }));
  }
});

describe('a payslip', () => {
  const paid = async (by = maya.by) =>
    (await listAccountDocuments(db, await scopeOf(by), null)).payslips;

  it('has what the line paid, and what payroll paid into each account in the year until it', async () => {
    at('2025-11-07T15:00:00.000Z');
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    const { items, total, totalPaid } = await paid();
    expect({ total, totalPaid }).toEqual({ total: 2, totalPaid: money(530_000n, 'USD') });
    const [savings, salary] = items;

    const payslip = await make(savings?.id ?? '');
    expect(payslip).toMatchObject({ title: 'Payslip', subtitle: 'Pay date November 7, 2025' });
    expect(payslip.lead).toMatchObject({ amount: money(30_000n, 'USD') });
    expect(payslip.tables[0]?.rows.map((row) => [row[2], minorOf(row[3])])).toEqual([
      ['', 500_000n],
      [{ amount: money(30_000n, 'USD'), isSigned: false }, 30_000n],
    ]);
    expect(payslip.tables[0]?.total?.slice(2).map(minorOf)).toEqual([30_000n, 530_000n]);
    // The earlier one stays as it was.
    const earlier = await make(salary?.id ?? '');
    expect(earlier.tables[0]?.total?.slice(2).map(minorOf)).toEqual([500_000n, 500_000n]);
  });

  it('counts a year by the calendar of the company', async () => {
    at('2026-01-01T04:59:59.000Z'); // the 31st in New York
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    at('2026-01-01T05:00:00.000Z');
    await fundedWallet(db, services, maya.by, 7_000n, 'irs');
    const { items } = await paid();
    expect(items.map(({ amount }) => amount.minor)).toEqual(['7000']);
    const payslip = await make(items[0]?.id ?? '');
    expect(payslip.tables[0]?.total?.slice(2).map(minorOf)).toEqual([7_000n, 7_000n]);
  });

  it('says that it was taken back, and does not count then', async () => {
    const id = (await paid()).items[0]?.id ?? '';
    at('2025-11-03T15:00:00.000Z');
    const transactionId = await newestTransaction();
    const reversal = {
      transactionId,
      reference: 'TXN-REVERSAL',
      description: 'Paid by mistake',
      actorId: admin.actor.id,
    };
    await withTx(db, (tx) => reverse(tx, reversal, { effectiveAt: services.clock.now() }));
    expect(await paid()).toMatchObject({
      items: [{ isReversed: true }],
      totalPaid: money(0n, 'USD'),
    });
    expect(factOf(await make(id), 'Taken back on')).toBe('Nov 3, 2025');
  });

  it('of another person, or of nobody, is not found', async () => {
    const id = (await paid()).items[0]?.id ?? '';
    const other = await createPayee(db, services, { admin, fundedMinor: 100n });
    await expect(make(id, other)).rejects.toMatchObject(NOT_FOUND);
    await expect(make(payslipId(newId()))).rejects.toMatchObject(NOT_FOUND);
    expect((await make(id)).lead.amount.minor).toBe('500000');
  });
});

describe('a receipt', () => {
  it('has the amount, the balance after it, and what a deposit cost', async () => {
    at('2025-11-05T15:00:00.000Z');
    const receipt = await make(receiptId(`${await deposit(30_000n)}.salary`));
    expect(receipt).toMatchObject({
      title: 'Receipt',
      lead: { label: 'Money in', amount: money(30_000n, 'USD'), isSigned: true },
    });
    expect(factOf(receipt, 'Processed by')).toBe('Renee Albright');
    expect(factOf(receipt, 'Balance after')).toMatchObject({ amount: money(530_000n, 'USD') });
    expect(minorOf(receipt.tables[0]?.total?.[2])).toBe(30_000n);
  });

  it('names the company as it is registered, at its address', async () => {
    await withTx(db, (tx) =>
      updateSettings(
        tx,
        services,
        { actor: 'system' },
        { legalName: 'Tallis & Reed, Inc.', mailingAddress: '418 Mercer Street\nSeattle' },
      ),
    );
    expect((await make(receiptId(`${await deposit(100n)}.salary`))).company).toEqual({
      name: 'Tallis & Reed, Inc.',
      address: ['418 Mercer Street', 'Seattle'],
    });
  });

  it('of a withdrawal that came back names what reversed it', async () => {
    at('2025-11-05T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
    const { items } = await receipts({});
    expect(items.map(({ amount }) => amount.minor)).toEqual(['40000', '-40000']);
    const receipt = await make(items[1]?.documentId ?? '');
    expect(factOf(receipt, 'Reversed by')).toBe(items[0]?.reference);
  });

  it('is there for nothing that is not posted, nor for payroll, nor for another person', async () => {
    const payroll = await newestTransaction();
    await expect(make(receiptId(`${payroll}.salary`))).rejects.toMatchObject(NOT_FOUND);
    const { id } = await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
    await expect(make(receiptId(`${id}.salary`))).rejects.toMatchObject(NOT_FOUND);
    const own = receiptId(`${await deposit(30_000n)}.salary`);
    const other = await createPayee(db, services, { admin, fundedMinor: 100n });
    await expect(make(own, other)).rejects.toMatchObject(NOT_FOUND);
    await expect(make(own.replace('.salary', '.irs'))).rejects.toMatchObject(NOT_FOUND);
  });

  it('is listed by days of the company', async () => {
    at('2025-11-01T03:59:59.000Z');
    await deposit(101n);
    at('2025-11-01T04:00:00.000Z');
    await deposit(202n);
    const amounts = async (span: { from?: string; to?: string }) =>
      (await receipts(span)).items.map(({ amount }) => amount.minor);
    expect(await amounts({})).toEqual(['202', '101']);
    expect(await amounts({ from: '2025-11-01' })).toEqual(['202']);
    expect(await amounts({ to: '2025-10-31' })).toEqual(['101']);
  });

  it('is counted as it is listed, of whole months and of others', async () => {
    await withTx(db, (tx) => setTimeZone(tx, 'America/New_York'));
    const times = ['2025-11-01T03:59', '2025-11-01T04:00', '2025-12-01T04:59', '2025-12-01T05:00'];
    for (const time of times) {
      at(`${time}:00.000Z`);
      await deposit(101n);
    }
    const scope = await historyScope(db, maya.by.actor.id, await readSettings(db));
    for (const [span, expected] of [
      [{}, 4],
      [{ from: '2025-10-01', to: '2025-10-31' }, 1],
      [{ from: '2025-11-01', to: '2025-12-31' }, 3],
      [{ from: '2025-11-01', to: '2025-11-29' }, 1],
      [{ from: '2025-11-02', to: '2025-11-30' }, 1],
      [{ from: '2025-12-01' }, 1],
      [{ to: '9999-12-31' }, 4],
      [{ from: '2026-02-01', to: '2026-02-28' }, 0],
    ] as const) {
      const { items } = await receipts(span);
      const { total } = await ownReceipts.count(db, { ...firstView(receiptList), ...span }, scope);
      expect([items.length, total], JSON.stringify(span)).toEqual([expected, expected]);
    }
  });

  async function receipts(span: { from?: string; to?: string }) {
    const scope = await historyScope(db, maya.by.actor.id, await readSettings(db));
    return ownReceipts.page(db, { ...firstView(receiptList), pageSize: 100, ...span }, scope);
  }
});

describe('the documents of a year', () => {
  it('are those of each account, and the month that is not over says when it can be had', async () => {
    at('2025-12-02T15:00:00.000Z');
    const { year, years, statements } = await listAccountDocuments(
      db,
      await scopeOf(maya.by),
      null,
    );
    expect({ year, years }).toEqual({ year: 2025, years: [2025] });
    expect(
      statements.map(({ id, entries, closing, readyOn }) => [id, entries, closing.minor, readyOn]),
    ).toEqual([
      [statementId('salary', '2025-12'), 0, '500000', '2026-01-01'],
      [statementId('salary', '2025-11'), 0, '500000', null],
      [statementId('salary', '2025-10'), 1, '500000', null],
    ]);
  });

  it('are none in a year before the person joined, and in one to come', async () => {
    for (const year of [1970, 2024, 2026, 9999]) {
      const found = await listAccountDocuments(db, await scopeOf(maya.by), year);
      expect(found).toMatchObject({ statements: [], payslips: { items: [], total: 0 } });
    }
  });
});
