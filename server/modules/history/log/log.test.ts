import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { LoggedTransaction, RouteReply } from '#contract/api.ts';
import { firstView } from '#contract/list.ts';
import { transactionList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { post } from '#server/modules/ledger/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { moveMoney } from '#server/modules/payments/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { transactionLog } from './list.ts';
import { logScope } from './scope.ts';
import type { LogFilter } from './scope.ts';
import { transactionStats } from './stats.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;
let grace: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  at('2025-10-14T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin' });
  maya = await createPayee(db, services, {
    admin,
    fundedMinor: 500_000n,
    firstName: 'Maya',
    lastName: 'Castellanos',
  });
  at('2025-11-01T03:59:59.000Z'); // 23:59:59 of October 31 in New York
  grace = await createPayee(db, services, {
    admin,
    fundedMinor: 70_000n,
    firstName: 'Grace',
    lastName: "O'Néill 100%_😀\\",
  });
  at('2025-11-01T04:00:00.000Z');
  await approved(maya, 123_456n);
  at('2025-11-10T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
  await withdrawalIn(db, services, { payee: grace, admin, status: 'rejected', amountMinor: 900n });
  await rejected(grace, 2_000n);
  at('2025-12-02T15:00:00.000Z');
  await transfer(maya, grace.wallet.ledgerAccountId, 1_850n);
  const savings = await fundedWallet(db, services, maya.by, 30_000n, 'savings');
  await move(maya, savings.id, 700n);
  at('2025-12-09T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: grace, admin, status: 'pending' });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'cancelled' });
  await asked(maya, 1_000n);
});
afterAll(() => test.close());

const at = (time: string) => services.clock.set(time);
async function asked({ by, wallet }: Payee, minor: bigint): Promise<string> {
  const request = { walletId: wallet.id, method: 'ach', amount: money(minor, 'USD') } as const;
  return (await withTx(db, (tx) => requestDeposit(tx, services, by, request))).id;
}
async function approved(payee: Payee, minor: bigint): Promise<void> {
  const id = await asked(payee, minor);
  await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id }));
}
async function rejected(payee: Payee, minor: bigint): Promise<void> {
  const id = await asked(payee, minor);
  await withTx(db, (tx) => depositActs.reject(tx, services, admin, { id, reason: 'Not received' }));
}
async function move({ by, wallet }: Payee, toWalletId: string, minor: bigint): Promise<void> {
  const wallets = { fromWalletId: wallet.id, toWalletId };
  await withTx(db, (tx) =>
    moveMoney(tx, services, by, { ...wallets, amount: money(minor, 'USD') }),
  );
}
async function transfer(from: Payee, toAccountId: string, minor: bigint): Promise<void> {
  const posting = {
    kind: 'transfer',
    reference: `TXN-${newId()}`,
    description: 'Paid',
    actorId: from.by.actor.id,
    subjectId: null,
    metadata: { received: 'Received' },
    entries: [
      { accountId: from.wallet.ledgerAccountId, amountMinor: -minor },
      { accountId: toAccountId, amountMinor: minor },
    ],
  };
  await withTx(db, (tx) => post(tx, [posting], { effectiveAt: services.clock.now() }));
}

const NO_FILTER: LogFilter = firstView(transactionList);

async function read(
  changes: Partial<LogFilter>,
  { cursor = '', pageSize = 100 } = {},
): ReturnType<typeof transactionLog.page> {
  const filter = { ...NO_FILTER, ...changes };
  return transactionLog.page(db, { ...filter, cursor, pageSize }, await logScope(db, filter));
}
const listed = async (changes: Partial<LogFilter> = {}) => (await read(changes)).items;
const shown = async (changes: Partial<LogFilter> = {}) =>
  (await listed(changes)).map(
    ({ type, status, employee, amount }) =>
      `${type} ${status} ${employee.name.split(' ')[0] ?? ''} ${amount.minor}`,
  );

const ALL = [
  'deposit pending Maya 1000',
  'payroll completed Grace 70000',
  'payroll completed Maya 30000',
  'payroll completed Maya 500000',
  'deposit completed Maya 123456',
  'deposit failed Grace 2000',
  'reversal completed Maya 40000',
  'transfer completed Maya -1850',
  'move completed Maya -700',
  'withdrawal cancelled Maya -40000',
  'withdrawal completed Maya -40000',
  'withdrawal completed Maya -40000',
  'withdrawal failed Grace -900',
  'withdrawal pending Grace -40000',
];

describe('the log', () => {
  it('lists each posting once and each request that is not posted once, newest first', async () => {
    const items = await listed();
    expect((await shown()).toSorted()).toEqual(ALL.toSorted());
    const times = items.map(({ at: time }) => time);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(items.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it('lists every row once over its pages, forwards and back', async () => {
    const all = (await listed()).map(({ id }) => id);
    const forwards: string[] = [];
    let page = await read({}, { pageSize: 4 });
    for (;;) {
      forwards.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
      page = await read({}, { cursor: page.next, pageSize: 4 });
    }
    expect(forwards).toEqual(all);
    const before = await read({}, { cursor: page.previous ?? '', pageSize: 4 });
    expect(before.items.map(({ id }) => id)).toEqual(all.slice(8, 12));
  });

  it('of one person is from their side', async () => {
    const person = grace.by.actor.id;
    expect((await shown({ person })).toSorted()).toEqual(
      [
        'payroll completed Grace 70000',
        'deposit failed Grace 2000',
        'transfer completed Grace 1850',
        'withdrawal failed Grace -900',
        'withdrawal pending Grace -40000',
      ].toSorted(),
    );
    const [received] = await listed({ person, type: 'transfer' });
    expect(received?.description).toBe('Received');
    // A move from one of their accounts to another is one row.
    expect(await shown({ person: maya.by.actor.id, type: 'move' })).toEqual([
      'move completed Maya -700',
    ]);
    expect(await listed({ person: newId() })).toEqual([]);
  });

  it('finds people by every part of a name, with any characters in it, and rows of both sides', async () => {
    const ofMaya = ALL.filter((row) => row.includes('Maya')).toSorted();
    expect((await shown({ search: 'castell' })).toSorted()).toEqual(ofMaya);
    for (const search of ["o'né", '100%_😀', '%_', '_😀\\', '😀']) {
      expect((await shown({ search, type: 'payroll' })).toSorted(), search).toEqual([
        'payroll completed Grace 70000',
      ]);
    }
    // The row is the payer's, although the recipient was searched for.
    expect(await shown({ search: 'grace', type: 'transfer' })).toEqual([
      'transfer completed Maya -1850',
    ]);
    for (const search of ['%%', '__', 'nobody', '\\\\', "';--"]) {
      expect(await listed({ search }), search).toEqual([]);
    }
  });

  it('finds all of a type by its name, each once, and other rows with that word', async () => {
    const named = (type: string) => ALL.filter((row) => row.startsWith(type)).toSorted();
    expect((await shown({ search: 'withdrawals' })).toSorted()).toEqual(named('withdrawal'));
    // The reason of the returned payout is "Withdrawal request".
    expect((await shown({ search: 'Withdrawal' })).toSorted()).toEqual(
      [...named('withdrawal'), 'reversal completed Maya 40000'].toSorted(),
    );
    expect((await shown({ search: 'deposits' })).toSorted()).toEqual(named('deposit'));
    expect((await shown({ search: 'transfers' })).toSorted()).toEqual(named('transfer'));
    expect(await shown({ search: 'deposits', status: 'failed' })).toEqual([
      'deposit failed Grace 2000',
    ]);
    expect(await shown({ search: 'deposits', type: 'payroll' })).toEqual([]);
    const person = grace.by.actor.id;
    expect(await shown({ search: 'transfer', person })).toEqual(['transfer completed Grace 1850']);
  });

  it('finds a whole reference: of a posting, a request, and the posting of a request', async () => {
    const items = await listed();
    const payroll = items.find(({ type }) => type === 'payroll');
    const search = payroll?.reference.toLowerCase() ?? '';
    expect(await listed({ search })).toEqual([payroll]);
    const { reference } = await db
      .selectFrom('withdrawal')
      .select('reference')
      .where('status', '=', 'completed')
      .executeTakeFirstOrThrow();
    expect(await shown({ search: reference })).toEqual(['withdrawal completed Maya -40000']);
    const pending = items.find(({ type, status }) => type === 'deposit' && status === 'pending');
    expect(await listed({ search: pending?.reference ?? '' })).toEqual([pending]);
    expect(await listed({ search: reference, person: grace.by.actor.id })).toEqual([]);
  });

  it('finds a part of a reference: its beginning, its end, its number alone', async () => {
    const items = await listed();
    const paid = items.find(({ type, status }) => type === 'withdrawal' && status === 'completed');
    const digits = paid?.reference.replace('TXN-', '') ?? '';
    for (const search of [digits, digits.slice(2), `TXN-${digits.slice(0, 5)}`, `wd-${digits}`]) {
      expect(
        (await listed({ search })).map(({ reference }) => reference),
        search,
      ).toContain(paid?.reference);
    }
    const moved = items.find(({ type }) => type === 'move');
    const movedDigits = moved?.reference.replace('TXN-', '') ?? '';
    expect(await listed({ search: movedDigits })).toEqual([moved]);
    const payroll = items.find(({ type }) => type === 'payroll');
    const line = payroll?.reference ?? '';
    expect(await listed({ search: line.slice(0, -1) })).toEqual([payroll]);
    expect(await listed({ search: line.replace(/-\d+$/, '') })).toEqual([payroll]);
    expect(await listed({ search: line.replace(/-\d+$/, '-9') })).toEqual([]);
    expect(await listed({ search: line, type: 'deposit' })).toEqual([]);
  });

  it('finds words of a description, and the returns with them', async () => {
    expect((await shown({ search: 'cascade federal' })).toSorted()).toEqual(
      [
        'withdrawal completed Maya -40000',
        'withdrawal completed Maya -40000',
        'reversal completed Maya 40000',
        'withdrawal cancelled Maya -40000',
        'withdrawal failed Grace -900',
        'withdrawal pending Grace -40000',
      ].toSorted(),
    );
    expect((await shown({ search: 'payroll, december' })).toSorted()).toEqual(
      [
        'payroll completed Maya 500000',
        'payroll completed Grace 70000',
        'payroll completed Maya 30000',
      ].toSorted(),
    );
    expect(await shown({ search: 'cascade', person: grace.by.actor.id })).toHaveLength(2);
    expect(await shown({ search: 'cascade', status: 'failed' })).toHaveLength(1);
  });

  it('finds an amount as a row shows it, with its sign', async () => {
    expect(await shown({ search: '1,234.56' })).toEqual(['deposit completed Maya 123456']);
    expect(await shown({ search: '+$1,234.56' })).toEqual(['deposit completed Maya 123456']);
    expect(await shown({ search: '\u2212$1,234.56' })).toEqual([]);
    expect(await shown({ search: '\u2212$18.50' })).toEqual(['transfer completed Maya -1850']);
    expect(await shown({ search: '18.50', person: grace.by.actor.id })).toEqual([
      'transfer completed Grace 1850',
    ]);
  });

  it.each(['cascade', '1,234.56', 'payroll', 'TXN-1', 'maya'])(
    'pages through the matches of %j without losing or repeating a row, and adds them up',
    async (search) => {
      const all = (await listed({ search })).map(({ id }) => id);
      expect(new Set(all).size).toBe(all.length);
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof read>> = await read(
          { search },
          { cursor, pageSize: 2 },
        );
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      }
      expect(paged).toEqual(all);
      const filter = { ...NO_FILTER, search };
      expect(await transactionStats(db, filter)).toEqual(await figuresOf(await listed({ search })));
    },
  );

  it('finds the same rows by every way of reading them', async () => {
    // Many people match, so that rows are compared one after another.
    const filter = { ...NO_FILTER, search: 'e' };
    const scope = await logScope(db, filter);
    const query = { ...filter, cursor: '', pageSize: 100 };
    const few = await transactionLog.page(db, query, scope);
    const many = await transactionLog.page(db, query, { ...scope, people: null, words: 'e' });
    expect(few.items.length).toBeGreaterThan(0);
    expect(many.items).toEqual(few.items);
    // Reads an amount's postings by their index, and among all postings.
    const amounts = { ...NO_FILTER, least: '1000', most: '40000' };
    const both = { ...amounts, cursor: '', pageSize: 100 };
    const narrow = await logScope(db, amounts);
    expect(narrow.hasFewOfAmount).toBe(true);
    const byIds = await transactionLog.page(db, both, narrow);
    const amongAll = await transactionLog.page(db, both, { ...narrow, hasFewOfAmount: false });
    expect(amongAll.items).toEqual(byIds.items);
  });

  it('filters by the company’s days and by amounts, both ends included', async () => {
    expect(await shown({ to: '2025-10-31', from: '2025-10-31' })).toEqual([
      'payroll completed Grace 70000',
    ]);
    expect(await shown({ from: '2025-11-01', to: '2025-11-01' })).toEqual([
      'deposit completed Maya 123456',
    ]);
    expect((await shown({ least: '900', most: '1850' })).toSorted()).toEqual(
      [
        'deposit pending Maya 1000',
        'transfer completed Maya -1850',
        'withdrawal failed Grace -900',
      ].toSorted(),
    );
    expect(await shown({ least: '123456', most: '123456' })).toHaveLength(1);
    expect(await shown({ least: '5', most: '4' })).toEqual([]);
    expect(await shown({ from: '2025-12-01', to: '2025-11-01' })).toEqual([]);
    expect(await shown({ least: '999999999999999' })).toEqual([]);
  });

  it('can begin a page at any day, with older and newer pages around it', async () => {
    const all = (await listed()).map(({ id }) => id);
    const onDay = async (day: string) => {
      const { items, previous, next } = await read({}, { cursor: `day:${day}`, pageSize: 2 });
      return { ids: items.map(({ id }) => id), previous, next };
    };
    const november = await onDay('2025-11-09');
    // The deposit of November 1 at midnight in New York, and the payroll of the evening before.
    expect(november.ids).toEqual(all.slice(-3, -1));
    const { items: newer } = await read({}, { cursor: november.previous ?? '', pageSize: 2 });
    expect(newer.map(({ id }) => id)).toEqual(all.slice(-5, -3));
    const { items: older } = await read({}, { cursor: november.next ?? '', pageSize: 2 });
    expect(older.map(({ id }) => id)).toEqual(all.slice(-1));
    expect(await onDay('2026-01-01')).toMatchObject({ ids: all.slice(0, 2), previous: null });
    expect(await onDay('2025-01-01')).toMatchObject({ ids: [], next: null });
    await expect(onDay('2025-13-01')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('exports each row once, in its order', async () => {
    const filter = { ...NO_FILTER, status: 'completed' as const };
    let csv = '';
    const chunks = transactionLog.csv(db, filter, await logScope(db, filter), { chunkRows: 3 });
    for await (const chunk of chunks) csv += chunk;
    const lines = csv.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'Date,Employee,Employee ID,Type,Description,Account,Reference,Status,Amount,Transaction ID,' +
        'Department,Batch,Pay period,Request,Time,Time (UTC),Requested,Requested (UTC),' +
        'Approved,Approved (UTC),Paid,Paid (UTC),Closed,Closed (UTC)',
    );
    const ids = (await listed({ status: 'completed' })).map(({ id }) => id);
    const ID = /,([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}),/;
    expect(lines.slice(1).map((line) => ID.exec(line)?.[1])).toEqual(ids);
  });

  it('exports the payroll or request of each row, in the company’s days', async () => {
    const lineOf = async (changes: Partial<LogFilter>) => {
      const filter = { ...NO_FILTER, ...changes };
      let csv = '';
      for await (const chunk of transactionLog.csv(db, filter, await logScope(db, filter)))
        csv += chunk;
      return csv.trimEnd().split('\r\n').at(-1);
    };
    // In UTC it was November already.
    expect(await lineOf({ type: 'payroll', person: grace.by.actor.id })).toMatch(
      /^2025-10-31,.*,General,"\d{4}, [^"]+",October 2025,,2025-10-31 23:59:59-04:00,2025-11-01 03:59:59Z,/,
    );
    expect(await lineOf({ type: 'deposit', least: '123456', most: '123456' })).toMatch(
      /,General,,,DEP-\d{8},2025-11-01 00:00:00-04:00,2025-11-01 04:00:00Z,2025-11-01 00:00:00-04:00,[^,]+,2025-11-01 00:00:00-04:00,[^,]+,2025-11-01 00:00:00-04:00,[^,]+,,$/,
    );
    expect(await lineOf({ status: 'failed', type: 'withdrawal' })).toMatch(
      /,General,,,WD-\d{8},2025-11-10 10:00:00-05:00,[^,]+,2025-11-10 10:00:00-05:00,[^,]+,,,,,2025-11-10 10:00:00-05:00,2025-11-10 15:00:00Z$/,
    );
  });
});

/** Expected figures for the listed rows. `isOwn` is for the log of one person. */
async function figuresOf(
  items: readonly LoggedTransaction[],
  isOwn = false,
): Promise<RouteReply<'adminTransactionStats'>> {
  const reversals = await db
    .selectFrom('ledgerTransaction')
    .select(['id', 'reversesId'])
    .where('reversesId', 'is not', null)
    .execute();
  const ids = new Set(items.map(({ id }) => id));
  const originals = new Set(reversals.map(({ reversesId }) => reversesId));
  const isRepeated = ({ id }: LoggedTransaction) =>
    reversals.some((one) => one.id === id && ids.has(one.reversesId ?? ''));
  const sum = (rows: readonly LoggedTransaction[]) =>
    rows.reduce((total, { amount }) => total + abs(BigInt(amount.minor)), 0n);
  const of = (rows: readonly LoggedTransaction[]) => ({
    count: rows.length,
    amount: money(sum(rows), 'USD'),
  });
  const completed = items.filter(({ status }) => status === 'completed');
  const pending = items.filter(({ status }) => status === 'pending');
  const pendingOf = (type: string) => pending.filter((item) => item.type === type).length;
  const countOf = (one: string) => items.filter(({ status }) => status === one).length;
  const between = completed.filter(({ type }) => type === 'transfer');
  const moved = completed.filter(
    ({ id, type }) => !['transfer', 'move', 'reversal'].includes(type) && !originals.has(id),
  );
  const isOut = ({ amount }: LoggedTransaction) => amount.minor.startsWith('-');
  const netMinor = between.reduce((total, { amount }) => total + BigInt(amount.minor), 0n);
  const figures = {
    counts: {
      completed: completed.length,
      pending: pending.length,
      failed: countOf('failed'),
      cancelled: countOf('cancelled'),
    },
    moneyIn: of(moved.filter((item) => !isOut(item))),
    moneyOut: of(moved.filter(isOut)),
    returned: of([
      ...completed.filter(({ id }) => originals.has(id)),
      ...completed.filter((item) => item.type === 'reversal' && !isRepeated(item)),
    ]),
    betweenEmployees: {
      count: between.length,
      amount: money(isOwn ? netMinor : sum(between), 'USD'),
    },
    betweenOwnAccounts: of(completed.filter(({ type }) => type === 'move')),
    pending: {
      amount: of(pending).amount,
      counts: {
        deposit: pendingOf('deposit'),
        withdrawal: pendingOf('withdrawal'),
        bill: pendingOf('bill'),
      },
    },
  };
  return { figures, newestBatches: null };
}

function abs(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

describe('the statistics', () => {
  const SPANS: [from: string, to: string][] = [
    ['', ''],
    ['2025-10-01', '2025-11-30'],
    ['2025-10-31', '2025-12-01'],
    ['2025-10-15', '2025-12-09'],
    ['2025-11-01', ''],
    ['', '2025-10-31'],
    ['2025-11-05', '2025-11-20'],
    ['2025-12-05', '2025-11-20'],
    ['2026-01-01', '2025-11-30'],
    ['2025-11-02', ''],
  ];

  it.each(SPANS)(
    'are those of the rows from “%s” to “%s”, by every type and status',
    async (from, to) => {
      for (const type of ['all', ...TRANSACTION_TYPES] as const) {
        for (const status of ['all', ...TRANSACTION_STATUSES] as const) {
          const filter = { ...NO_FILTER, from, to, type, status };
          expect(await transactionStats(db, filter), `${type} ${status}`).toEqual(
            await figuresOf(await listed(filter)),
          );
        }
      }
    },
  );

  it('count money in and money that left for good once, and list the rest separately', async () => {
    const { figures } = await transactionStats(db, NO_FILTER);
    expect(figures).toMatchObject({
      // 5,000.00, 700.00 and 300.00 of payroll, and a deposit of 1,234.56.
      moneyIn: { count: 4, amount: { minor: '723456' } },
      // Two payouts of 400.00, one of which came back.
      moneyOut: { count: 1, amount: { minor: '40000' } },
      returned: { count: 1, amount: { minor: '40000' } },
      betweenEmployees: { count: 1, amount: { minor: '1850' } },
      betweenOwnAccounts: { count: 1, amount: { minor: '700' } },
    });
    const { rows } = await sql<{ posted: bigint }>`
      SELECT sum(posted)::bigint AS posted FROM ledger_account
       WHERE owner_id IS NOT NULL`.execute(db);
    expect(rows).toEqual([{ posted: 723_456n - 40_000n }]);
  });

  it('match the rows of a person, a search, amounts and a reference', async () => {
    const { reference } = (await listed({ type: 'payroll' }))[0] ?? { reference: '' };
    const filters: Partial<LogFilter>[] = [
      { person: maya.by.actor.id },
      { person: grace.by.actor.id, from: '2025-11-01' },
      { search: 'grace' },
      { search: 'nobody' },
      { search: reference },
      { least: '1000', most: '40000' },
      { person: grace.by.actor.id, most: '2000' },
      { search: 'maya', least: '1000', status: 'completed' },
    ];
    for (const changes of filters) {
      expect(
        await transactionStats(db, { ...NO_FILTER, ...changes }),
        JSON.stringify(changes),
      ).toEqual(await figuresOf(await listed(changes), changes.person !== undefined));
    }
  });

  it('exclude a payout that came back in a later month, and list it separately in both', async () => {
    at('2026-01-20T15:00:00.000Z');
    const { id } = await withdrawalIn(db, services, {
      ...{ payee: maya, admin, status: 'completed', amountMinor: 7_700n },
    });
    at('2026-02-03T15:00:00.000Z');
    await withTx(db, (tx) =>
      withdrawalActs.return(tx, services, admin, { id, reason: 'Account closed' }),
    );
    const spans: [from: string, to: string][] = [
      ['2026-01-01', '2026-01-31'],
      ['2026-01-15', '2026-02-02'],
      ['2026-02-01', '2026-02-28'],
      ['2026-02-02', '2026-02-10'],
      ['2026-01-01', ''],
    ];
    for (const [from, to] of spans) {
      for (const type of ['all', 'withdrawal', 'reversal'] as const) {
        const filter = { ...NO_FILTER, from, to, type };
        const stats = await transactionStats(db, filter);
        const { figures } = stats;
        const rows = await listed(filter);
        expect(stats, `${from} to ${to}, ${type}`).toEqual(await figuresOf(rows));
        expect(figures?.moneyIn.count).toBe(0);
        expect(figures?.moneyOut.count).toBe(0);
        expect(figures?.returned.count).toBe(Math.min(rows.length, 1));
      }
    }
  });

  it('are omitted when there are too many rows', async () => {
    const days = { ...NO_FILTER, from: '2025-10-15', to: '2025-10-31' };
    expect((await transactionStats(db, days, 1)).figures).toMatchObject({
      counts: { completed: 1 },
    });
    const many = { ...NO_FILTER, from: '2025-11-02', to: '2025-11-29' };
    expect(await transactionStats(db, many, 1)).toEqual({ figures: null, newestBatches: null });
    // Whole months never have too many rows.
    expect(await transactionStats(db, { ...NO_FILTER, type: 'payroll' }, 1)).toMatchObject({
      figures: { counts: { completed: 3 } },
    });
  });
});
