import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FundingType } from '#contract/funding.ts';
import { firstView } from '#contract/list.ts';
import { paidList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { reverseAll } from '#server/modules/ledger/index.ts';
import { createPayee } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { paidPeople } from './paid-list.ts';
import { paidScope } from './paid-scope.ts';
import type { PaidFilter } from './paid-scope.ts';
import { paidTotals } from './paid-totals.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;
let grace: Payee;

const at = (time: string) => services.clock.set(time);
const fund = (payee: Payee, type: FundingType, minor: bigint) =>
  fundAsSeen(db, services, admin, {
    id: payee.by.actor.id,
    type,
    walletId: payee.wallet.id,
    amount: money(minor, 'USD'),
    description: '',
  });

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  at('2025-10-15T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin' });
  const person = { admin, fundedMinor: 500_000n } as const;
  maya = await createPayee(db, services, { ...person, firstName: 'Maya', lastName: 'Castellanos' });
  at('2025-12-01T02:15:00.000Z'); // 21:15 of November 30 in New York
  grace = await createPayee(db, services, {
    admin,
    fundedMinor: 70_000n,
    firstName: '=Grace',
    lastName: 'Achieng',
  });
  await fund(maya, 'bonus', 20_001n);
  await fund(maya, 'reimbursement', 3_050n);
  at('2025-12-01T05:00:00.000Z'); // midnight of December 1 there
  await fund(grace, 'salary_advance', 100_000n);
  // Paid by nobody.
  await createPersonBy(db, { firstName: 'Nora' });
});
afterAll(() => test.close());

const VIEW: PaidFilter = firstView(paidList);
const NOVEMBER = { from: '2025-11-01', to: '2025-11-30' };
const DECEMBER = { from: '2025-12-01', to: '2025-12-31' };

async function listed(changes: Partial<PaidFilter> = {}) {
  const view = { ...VIEW, ...changes };
  const scope = await paidScope(db, view);
  const { items } = await paidPeople.page(db, { ...view, page: 1, pageSize: 100 }, scope);
  const { total } = await paidPeople.count(db, view, scope);
  expect(total).toBe(items.length);
  return items.map(({ employee, payroll, funding, reimbursement, total: sum }) => [
    employee.name,
    ...[payroll, funding, reimbursement, sum].map(({ minor }) => BigInt(minor)),
  ]);
}

async function totals(changes: Partial<PaidFilter> = {}) {
  const { amounts } = await paidTotals(db, { ...VIEW, ...changes });
  return amounts === null
    ? null
    : [amounts.payroll, amounts.funding, amounts.reimbursement, amounts.total].map(({ minor }) =>
        BigInt(minor),
      );
}

/** Total that payroll funding has paid out within some days, by the entries of its own account. */
async function ledgerMinor({ from, to }: typeof NOVEMBER): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    SELECT coalesce(-sum(entry.amount), 0)::bigint AS minor
      FROM ledger_entry AS entry JOIN ledger_account AS account ON account.id = entry.account_id
     WHERE account.code = 'payroll_funding'
       AND (entry.effective_at AT TIME ZONE 'America/New_York')::date BETWEEN ${from}::date
           AND ${to}::date`.execute(db);
  return rows[0]?.minor ?? -1n;
}

async function exported(changes: Partial<PaidFilter> = {}): Promise<string[][]> {
  const view = { ...VIEW, ...changes };
  let csv = '';
  for await (const chunk of paidPeople.csv(db, view, await paidScope(db, view))) csv += chunk;
  return csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

describe('payments by person', () => {
  it('has each person once, with every kind apart, in the days of the company', async () => {
    expect(await listed(NOVEMBER)).toEqual([
      ['=Grace Achieng', 70_000n, 0n, 0n, 70_000n],
      ['Maya Castellanos', 0n, 20_001n, 3_050n, 23_051n],
    ]);
    expect(await listed(DECEMBER)).toEqual([['=Grace Achieng', 0n, 100_000n, 0n, 100_000n]]);
    expect(await listed({ from: '2025-12-02' })).toEqual([]);
    expect((await listed()).map(([name]) => name)).toEqual(['=Grace Achieng', 'Maya Castellanos']);
  });

  it('is searched, and filtered by department', async () => {
    expect(await listed({ search: 'maya' })).toHaveLength(1);
    expect(await listed({ department: 'engineering' })).toEqual([]);
    expect(await totals({ search: 'maya' })).toEqual([500_000n, 20_001n, 3_050n, 523_051n]);
    expect(await totals({ department: 'engineering' })).toEqual([0n, 0n, 0n, 0n]);
  });

  it.each([NOVEMBER, DECEMBER, { from: '2025-01-01', to: '2025-12-31' }])(
    'sums to the ledger on the screen, in the total and in the export: %j',
    async (days) => {
      const ledger = await ledgerMinor(days);
      const sum = (await listed(days)).reduce((minor, row) => minor + BigInt(row.at(-1) ?? ''), 0n);
      const [, ...lines] = await exported(days);
      const inFile = lines.reduce(
        (minor, cells) => minor + BigInt(cells.at(-1)?.replace('.', '') ?? ''),
        0n,
      );
      expect([sum, inFile, (await totals(days))?.at(-1)]).toEqual([ledger, ledger, ledger]);
      expect(ledger).toBeGreaterThan(0);
    },
  );

  it('is exported with every type of funding in a column of its own', async () => {
    expect(await exported(NOVEMBER)).toEqual([
      [
        'Employee',
        'Employee ID',
        'Department',
        'Payroll',
        'Salary advance',
        'Bonus',
        'Reimbursement',
        'Emergency',
        'Custom',
        'Total',
      ],
      [
        "'=Grace Achieng",
        '',
        'General',
        '700.00',
        '0.00',
        '0.00',
        '0.00',
        '0.00',
        '0.00',
        '700.00',
      ],
      [
        'Maya Castellanos',
        '',
        'General',
        '0.00',
        '0.00',
        '200.01',
        '30.50',
        '0.00',
        '0.00',
        '230.51',
      ],
    ]);
  });

  it('has what was taken back on the day of its reversal', async () => {
    at('2026-01-05T15:00:00.000Z');
    const { id } = await db
      .selectFrom('ledgerTransaction')
      .select('id')
      .where('reference', 'like', 'IF-%')
      .orderBy('effectiveAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const reversal = {
      transactionId: id,
      reference: 'TXN-REVERSAL',
      description: 'Paid by mistake',
      actorId: admin.actor.id,
    };
    await withTx(db, (tx) => reverseAll(tx, [reversal], { effectiveAt: services.clock.now() }));
    const january = { from: '2026-01-01', to: '2026-01-31' };
    expect(await listed(january)).toEqual([['=Grace Achieng', 0n, -100_000n, 0n, -100_000n]]);
    expect((await totals(january))?.at(-1)).toBe(await ledgerMinor(january));
    const both = { from: '2025-12-01', to: '2026-01-31' };
    expect(await totals(both)).toEqual([0n, 0n, 0n, 0n]);
    expect(await ledgerMinor(both)).toBe(0n);
  });
});
