import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEPOSIT_SHOWN_AS, WITHDRAWAL_SHOWN_AS } from '#contract/activity.ts';
import { firstView } from '#contract/list.ts';
import { historyList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { post } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { getAccountSpan } from './account-span.ts';
import { ownHistory } from './own-history.ts';
import { historyScope } from './scope.ts';
import { getHistoryTotals } from './totals.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;

// Each test has its own database: an account's time only advances, and tests share the system
// accounts.
beforeEach(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  at('2025-12-01T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  maya = await createPayee(db, services, { admin, fundedMinor: 500_000n });
});
afterEach(() => test.close());

const at = (time: string) => services.clock.set(time);
const scopeOf = async ({ actor }: CommandContext) =>
  historyScope(db, actor.id, await readSettings(db));
type Query = Parameters<typeof ownHistory.page>[1];
const FIRST = { ...firstView(historyList), pageSize: 100 };
const page = async (changes: Partial<Query> = {}, by = maya.by) =>
  (await ownHistory.page(db, { ...FIRST, ...changes }, await scopeOf(by))).items;
const count = async (changes: Partial<Query> = {}) =>
  (await ownHistory.count(db, { ...FIRST, ...changes }, await scopeOf(maya.by))).total;
const shown = async (changes: Partial<Query> = {}) =>
  (await page(changes)).map(({ type, status, amount }) => [type, status, amount.minor]);
const withdrawn = (status: WithdrawalStatus) =>
  withdrawalIn(db, services, { payee: maya, admin, status });
const asked = (minor: bigint) =>
  withTx(db, (tx) =>
    requestDeposit(tx, services, maya.by, {
      walletId: maya.wallet.id,
      method: 'ach',
      amount: money(minor, 'USD'),
    }),
  );
async function rejected(minor: bigint) {
  const { id } = await asked(minor);
  await withTx(db, (tx) => depositActs.reject(tx, services, admin, { id, reason: 'Not received' }));
}
async function approved(minor: bigint) {
  const { id } = await asked(minor);
  await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id }));
  return id;
}
/** Moves money from Maya's salary wallet to another account of hers or another person's. */
async function transfer(toAccountId: string, minor: bigint, kind = 'transfer') {
  const entries = [
    { accountId: maya.wallet.ledgerAccountId, amountMinor: -minor },
    { accountId: toAccountId, amountMinor: minor },
  ];
  const posting = { kind, reference: `TXN-${newId()}`, description: 'A transfer' };
  const whole = { ...posting, actorId: maya.by.actor.id, subjectId: null, entries };
  await withTx(db, (tx) => post(tx, [whole], { effectiveAt: services.clock.now() }));
}

describe('one row for each event', () => {
  const SHOWN: Record<WithdrawalStatus, string[][]> = {
    pending: [['withdrawal', 'pending', '-40000']],
    approved: [['withdrawal', 'pending', '-40000']],
    processing: [['withdrawal', 'pending', '-40000']],
    completed: [['withdrawal', 'completed', '-40000']],
    returned: [
      ['reversal', 'completed', '40000'],
      ['withdrawal', 'completed', '-40000'],
    ],
    rejected: [['withdrawal', 'failed', '-40000']],
    cancelled: [['withdrawal', 'cancelled', '-40000']],
  };

  it.each(Object.entries(SHOWN) as [WithdrawalStatus, string[][]][])(
    'for a withdrawal that is %s',
    async (status, rows) => {
      at('2025-12-02T15:00:00.000Z');
      await withdrawn(status);
      // Here a reversal has the time of the original, so order among equal times is by id.
      const found = await shown({ type: 'withdrawal' });
      expect(new Set(found)).toEqual(new Set(rows));
      expect(await count({ type: 'withdrawal' })).toBe(rows.length);
      expect(
        rows.every(([type, as]) => type === 'reversal' || as === WITHDRAWAL_SHOWN_AS[status]),
      ).toBe(true);
    },
  );

  it('for a deposit in each status', async () => {
    at('2025-12-02T15:00:00.000Z');
    await asked(1_000n);
    at('2025-12-03T15:00:00.000Z');
    await approved(2_000n);
    at('2025-12-04T15:00:00.000Z');
    await rejected(3_000n);
    expect(await shown({ type: 'deposit' })).toEqual([
      ['deposit', DEPOSIT_SHOWN_AS.rejected, '3000'],
      ['deposit', DEPOSIT_SHOWN_AS.approved, '2000'],
      ['deposit', DEPOSIT_SHOWN_AS.pending, '1000'],
    ]);
  });

  it("in both accounts, for a move between a person's own accounts", async () => {
    at('2025-12-02T15:00:00.000Z');
    const savings = await fundedWallet(db, services, maya.by, 0n, 'savings');
    await transfer(savings.ledgerAccountId, 700n, 'move');
    const rows = await page({ type: 'transfer' });
    expect(new Map(rows.map(({ account, amount }) => [account.type, amount.minor]))).toEqual(
      new Map([
        ['salary', '-700'],
        ['savings', '700'],
      ]),
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });

  it('for both people, for a payment from one to the other', async () => {
    at('2025-12-02T15:00:00.000Z');
    const joao = await createPayee(db, services, { admin, fundedMinor: 0n });
    await transfer(joao.wallet.ledgerAccountId, 700n);
    const amounts = async (by: CommandContext) =>
      (await page({ type: 'transfer' }, by)).map(({ amount }) => amount.minor);
    expect(await amounts(maya.by)).toEqual(['-700']);
    expect(await amounts(joao.by)).toEqual(['700']);
  });

  it('and no rows of other people', async () => {
    await withdrawn('pending');
    expect(await page({}, await createPersonBy(db))).toEqual([]);
  });
});

describe('a row', () => {
  it('shows the posting, the person who did it, and the balance after it', async () => {
    at('2025-12-02T15:00:00.000Z');
    const { reference } = await withdrawn('completed');
    const [row] = await page();
    expect(row).toMatchObject({
      type: 'withdrawal',
      description: `Withdrawal to Cascade Federal Credit Union ••${maya.bank.accountNumberLast4}`,
      requestReference: reference,
      processedBy: 'Renee Albright',
      balanceAfter: money(460_000n, 'USD'),
      account: { type: 'salary', name: 'Salary Wallet' },
      at: '2025-12-02T15:00:00.000Z',
    });
    expect(row?.reference).toMatch(/^TXN-/);
    expect(row?.id).toBe(`${row?.transactionId}.salary`);
  });

  it('shows who rejected a request and why, but not that the owner cancelled it', async () => {
    at('2025-12-02T15:00:00.000Z');
    await withdrawn('rejected');
    const rejection = { processedBy: 'Renee Albright', rejectionReason: 'The account is closed' };
    expect((await page())[0]).toMatchObject({ ...rejection, balanceAfter: null });
    at('2025-12-03T15:00:00.000Z');
    await withdrawn('cancelled');
    expect((await page())[0]).toMatchObject({ processedBy: null, rejectionReason: null });
  });

  it('names the original of a return', async () => {
    at('2025-12-02T15:00:00.000Z');
    await withdrawn('returned');
    const rows = await page();
    const [payout, reversal] = ['withdrawal', 'reversal'].map((type) =>
      rows.find((row) => row.type === type),
    );
    expect(reversal?.reversedReference).toBe(payout?.reference);
  });
});

it('is on one page only, also with equal times and with new events between the pages', async () => {
  at('2025-12-02T15:00:00.000Z');
  for (let number = 1n; number <= 5n; number += 1n) await approved(number * 100n);
  for (let number = 1n; number <= 4n; number += 1n) await rejected(number * 100n);
  const all = (await page()).map(({ id }) => id);
  expect(new Set(all).size).toBe(10);
  const paged: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    paged.push(...(await page({ page: number, pageSize: 3 })).map(({ id }) => id));
  }
  expect(paged).toEqual(all);
  let csv = '';
  for await (const chunk of ownHistory.csv(db, FIRST, await scopeOf(maya.by), {
    chunkRows: 3,
  }))
    csv += chunk;
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toBe(
    'Date,Type,Description,Amount,Status,Reference,Account,Pay period,Time,Time (UTC),Balance after',
  );
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toMatch(
    /^2025-12-01,payroll,"?Payroll, December 2026"?,5000\.00,completed,PAY-[\d-]+,Salary Wallet,December 2025,2025-12-01 10:00:00-05:00,2025-12-01 15:00:00Z,5000\.00$/,
  );
});

describe('the totals', () => {
  it('exclude payouts that came back and deposits that were reversed', async () => {
    at('2025-12-02T15:00:00.000Z');
    await withdrawn('completed');
    await withdrawn('returned');
    await withdrawn('pending');
    await rejected(2_000n);
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    expect(await getHistoryTotals(db, await scopeOf(maya.by))).toEqual({
      // Two payrolls, a payout, a payout and its return, and two requests.
      transactions: 7,
      received: money(530_000n, 'USD'),
      withdrawn: money(40_000n, 'USD'),
      // Received less withdrawn; 40,000 of it are held.
      currentBalance: money(490_000n, 'USD'),
      available: money(450_000n, 'USD'),
    });
    expect(await count()).toBe(7);
  });

  it('are zero for a new person', async () => {
    const nothing = money(0n, 'USD');
    const totals = await getHistoryTotals(db, await scopeOf(await createPersonBy(db)));
    expect(totals).toEqual({
      transactions: 0,
      received: nothing,
      withdrawn: nothing,
      currentBalance: nothing,
      available: nothing,
    });
  });
});

describe('the span of an account', () => {
  const span = async (from: string, to: string, account: 'salary' | 'irs' = 'salary') => {
    const found = await getAccountSpan(db, await scopeOf(maya.by), { account, from, to });
    const { opening, moneyIn, moneyOut, returned, moved, closing } = found;
    const sums = [opening, moneyIn, moneyOut, returned, moved];
    const sum = sums.reduce((total, { minor }) => total + BigInt(minor), 0n);
    expect(closing.minor).toBe(sum.toString());
    return [opening, moneyIn, moneyOut, closing].map(({ minor }) => minor);
  };

  it('begins with the balance before, and adds up to the balance after', async () => {
    at('2025-12-03T15:00:00.000Z');
    await approved(1_000n);
    at('2025-12-04T15:00:00.000Z');
    await withdrawn('completed');
    at('2025-12-05T15:00:00.000Z');
    await approved(500n);
    expect(await span('2025-12-03', '2025-12-04')).toEqual(['500000', '1000', '-40000', '461000']);
    expect(await span('2025-12-04', '')).toEqual(['501000', '500', '-40000', '461500']);
    expect(await span('', '2025-12-01')).toEqual(['0', '500000', '0', '500000']);
    expect(await span('', '')).toEqual(['0', '501500', '-40000', '461500']);
    expect(await span('2025-12-02', '2025-12-02')).toEqual(['500000', '0', '0', '500000']);
    expect(await span('2030-01-01', '2031-01-01')).toEqual(['461500', '0', '0', '461500']);
    expect(await span('1950-01-01', '1960-01-01')).toEqual(['0', '0', '0', '0']);
  });

  it('lists a payout that came back separately, in whole months and in days of them', async () => {
    at('2025-12-03T15:00:00.000Z');
    await withdrawn('returned');
    for (const [from, to] of [
      ['2025-12-01', '2025-12-31'],
      ['2025-12-03', '2025-12-10'],
      ['', ''],
    ] as const) {
      const query = { account: 'salary', from, to } as const;
      expect(await getAccountSpan(db, await scopeOf(maya.by), query), from).toMatchObject({
        moneyIn: money(from === '2025-12-03' ? 0n : 500_000n, 'USD'),
        moneyOut: money(-40_000n, 'USD'),
        returned: money(40_000n, 'USD'),
        closing: money(500_000n, 'USD'),
      });
    }
  });

  it('lists moves between own accounts separately', async () => {
    at('2025-12-03T15:00:00.000Z');
    const savings = await fundedWallet(db, services, maya.by, 0n, 'savings');
    await transfer(savings.ledgerAccountId, 700n, 'move');
    for (const [from, to] of [
      ['2025-12-01', '2025-12-31'],
      ['2025-12-03', '2025-12-10'],
    ] as const) {
      const scope = await scopeOf(maya.by);
      const ofSavings = await getAccountSpan(db, scope, { account: 'savings', from, to });
      expect(ofSavings).toMatchObject({
        moneyIn: money(0n, 'USD'),
        moneyOut: money(0n, 'USD'),
        moved: money(700n, 'USD'),
        closing: money(700n, 'USD'),
      });
      const ofSalary = await getAccountSpan(db, scope, { account: 'salary', from, to });
      expect(ofSalary).toMatchObject({
        moneyOut: money(0n, 'USD'),
        moved: money(-700n, 'USD'),
        closing: money(499_300n, 'USD'),
      });
    }
  });

  it('is refused for an account that the person does not have', async () => {
    await expect(span('', '', 'irs')).rejects.toMatchObject({ code: 'wallet_not_found' });
  });
});
