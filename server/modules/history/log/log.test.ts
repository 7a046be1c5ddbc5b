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
import { approveDeposit, rejectDeposit, requestDeposit } from '#server/modules/deposits/index.ts';
import { post } from '#server/modules/ledger/index.ts';
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
  await transfer(maya, savings.ledgerAccountId, 700n);
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
  await withTx(db, (tx) => approveDeposit(tx, services, admin, id));
}
async function rejected(payee: Payee, minor: bigint): Promise<void> {
  const id = await asked(payee, minor);
  await withTx(db, (tx) => rejectDeposit(tx, services, admin, { id, reason: 'Not received' }));
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
  'transfer completed Maya -700',
  'withdrawal cancelled Maya -40000',
  'withdrawal completed Maya -40000',
  'withdrawal completed Maya -40000',
  'withdrawal failed Grace -900',
  'withdrawal pending Grace -40000',
];

describe('the log', () => {
  it('has each posting and each request that is not posted once, newest first', async () => {
    const items = await listed();
    expect((await shown()).toSorted()).toEqual(ALL.toSorted());
    const times = items.map(({ at: time }) => time);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(items.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it('is in pages that hold every row once, forwards and back', async () => {
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

  it('is of one person from their side', async () => {
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
    // What goes from one of their accounts to another is one row.
    expect(await shown({ person: maya.by.actor.id, type: 'transfer' })).toEqual([
      'transfer completed Maya -700',
      'transfer completed Maya -1850',
    ]);
    expect(await listed({ person: newId() })).toEqual([]);
  });

  it('finds people by every part of a name, whatever is in it, and rows of both sides', async () => {
    const ofMaya = ALL.filter((row) => row.includes('Maya')).toSorted();
    expect((await shown({ search: 'castell' })).toSorted()).toEqual(ofMaya);
    for (const search of ["o'né", '100%_😀', '%_', '_😀\\', '😀']) {
      expect((await shown({ search, type: 'payroll' })).toSorted(), search).toEqual([
        'payroll completed Grace 70000',
      ]);
    }
    // The payer's row, though who was searched for received it.
    expect(await shown({ search: 'grace', type: 'transfer' })).toEqual([
      'transfer completed Maya -1850',
    ]);
    for (const search of ['%%', '__', 'nobody', '\\\\', "';--"]) {
      expect(await listed({ search }), search).toEqual([]);
    }
  });

  it('finds a reference as a whole: of a posting, a request, and what posted a request', async () => {
    const items = await listed();
    const payroll = items.find(({ type }) => type === 'payroll');
    const search = payroll?.reference.toLowerCase() ?? '';
    expect(await listed({ search })).toEqual([payroll]);
    expect(await listed({ search: search.slice(0, -1) })).toEqual([]);
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

  it('finds the same rows by every way of reading them', async () => {
    // Many people match, so that rows are compared one after another.
    const filter = { ...NO_FILTER, search: 'e' };
    const scope = await logScope(db, filter);
    const query = { ...filter, cursor: '', pageSize: 100 };
    const few = await transactionLog.page(db, query, scope);
    const many = await transactionLog.page(db, query, { ...scope, people: null, words: 'e' });
    expect(few.items.length).toBeGreaterThan(0);
    expect(many.items).toEqual(few.items);
    // Postings of an amount one by one, and among all.
    const amounts = { ...NO_FILTER, least: '1000', most: '40000' };
    const both = { ...amounts, cursor: '', pageSize: 100 };
    const narrow = await logScope(db, amounts);
    expect(narrow.hasFewOfAmount).toBe(true);
    const byIds = await transactionLog.page(db, both, narrow);
    const amongAll = await transactionLog.page(db, both, { ...narrow, hasFewOfAmount: false });
    expect(amongAll.items).toEqual(byIds.items);
  });

  it('is filtered by the company’s days and by amounts, both ends included', async () => {
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

  it('is exported in its order, each row once', async () => {
    const filter = { ...NO_FILTER, status: 'completed' as const };
    let csv = '';
    const chunks = transactionLog.csv(db, filter, await logScope(db, filter), { chunkRows: 3 });
    for await (const chunk of chunks) csv += chunk;
    const lines = csv.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'Time,Employee,Employee ID,Type,Description,Account,Reference,Status,Amount,Transaction ID',
    );
    const ids = (await listed({ status: 'completed' })).map(({ id }) => id);
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(ids);
  });
});

/** What the figures have to be, by the rows that are listed. */
function figuresOf(items: readonly LoggedTransaction[]): RouteReply<'adminTransactionStats'> {
  const of = (rows: readonly LoggedTransaction[]) => ({
    count: rows.length,
    amount: money(
      rows.reduce((sum, { amount }) => sum + abs(BigInt(amount.minor)), 0n),
      'USD',
    ),
  });
  const completed = items.filter(({ status }) => status === 'completed');
  const pending = items.filter(({ status }) => status === 'pending');
  const pendingOf = (type: string) => pending.filter((item) => item.type === type).length;
  const countOf = (one: string) => items.filter(({ status }) => status === one).length;
  const figures = {
    counts: {
      completed: completed.length,
      pending: pending.length,
      failed: countOf('failed'),
      cancelled: countOf('cancelled'),
    },
    moneyIn: of(completed.filter(({ amount }) => !amount.minor.startsWith('-'))),
    moneyOut: of(completed.filter(({ amount }) => amount.minor.startsWith('-'))),
    pending: {
      amount: of(pending).amount,
      counts: {
        deposit: pendingOf('deposit'),
        withdrawal: pendingOf('withdrawal'),
        bill: pendingOf('bill'),
      },
    },
  };
  return { figures };
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
            figuresOf(await listed(filter)),
          );
        }
      }
    },
  );

  it('are those of the rows of a person, a search, amounts and a reference', async () => {
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
      ).toEqual(figuresOf(await listed(changes)));
    }
  });

  it('are left out where there are too many', async () => {
    const days = { ...NO_FILTER, from: '2025-10-15', to: '2025-10-31' };
    expect((await transactionStats(db, days, 1)).figures).toMatchObject({
      counts: { completed: 1 },
    });
    const many = { ...NO_FILTER, from: '2025-11-02', to: '2025-11-29' };
    expect(await transactionStats(db, many, 1)).toEqual({ figures: null });
    // Whole months are never too many.
    expect(await transactionStats(db, { ...NO_FILTER, type: 'payroll' }, 1)).toMatchObject({
      figures: { counts: { completed: 3 } },
    });
  });
});
