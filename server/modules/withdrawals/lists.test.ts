import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { withdrawalList } from '#contract/lists.ts';
import type { Urgency, WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminWithdrawals } from './admin-list.ts';
import { listOpenWithdrawals } from './index.ts';
import { adminWithdrawalStats } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let mayaId: string;

/** In the order in which they were requested, an hour apart; distinguished by amount in dollars. */
const REQUESTED: {
  dollars: bigint;
  who: 'Maya' | 'Siobhán';
  status: WithdrawalStatus;
  urgency: Urgency;
  reason: string;
}[] = [
  { dollars: 11n, who: 'Maya', status: 'completed', urgency: 'low', reason: 'Rent' },
  { dollars: 12n, who: 'Siobhán', status: 'pending', urgency: 'low', reason: 'Holiday, "long"' },
  { dollars: 17n, who: 'Maya', status: 'pending', urgency: 'high', reason: '=1+1' },
  { dollars: 13n, who: 'Siobhán', status: 'rejected', urgency: 'high', reason: 'Car repair' },
  { dollars: 16n, who: 'Maya', status: 'approved', urgency: 'medium', reason: 'Rent' },
  { dollars: 14n, who: 'Siobhán', status: 'pending', urgency: 'high', reason: 'Medical 50%' },
  { dollars: 15n, who: 'Maya', status: 'processing', urgency: 'medium', reason: 'Rent' },
];

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  const people = {
    Maya: await createPayee(db, services, { admin, firstName: 'Maya', lastName: 'Castellanos' }),
    Siobhán: await createPayee(db, services, { admin, firstName: 'Siobhán', lastName: 'Doyle' }),
  };
  mayaId = people.Maya.by.actor.id;
  for (const [hour, { dollars, who, status, ...input }] of REQUESTED.entries()) {
    services.clock.set(`2026-12-08T1${hour}:00:00.000Z`);
    const amountMinor = dollars * 100n;
    await withdrawalIn(db, services, { payee: people[who], admin, status, amountMinor, input });
  }
});
afterAll(() => test.close());

type Filter = Parameters<typeof adminWithdrawals.page>[1];
/** The page's amounts; what is counted of the same filter; and whether the page says more follows. */
const list = async (changes: Partial<Filter> = {}) => {
  const filter: Filter = {
    page: 1,
    pageSize: 15,
    search: '',
    person: '',
    status: 'all',
    urgency: 'all',
    sort: 'queue',
    direction: 'desc',
    ...changes,
  };
  const scope = await readThingScope(services)(db, admin);
  const { items, hasMore } = await adminWithdrawals.page(db, filter, scope);
  const { total } = await adminWithdrawals.count(db, filter, scope);
  return { dollars: items.map((item) => BigInt(item.amount.minor) / 100n), hasMore, total };
};

describe('the admins’ list', () => {
  it('is a queue: what is not paid yet by urgency and age, then the newest', async () => {
    expect(await list()).toEqual({
      dollars: [17n, 14n, 16n, 15n, 12n, 13n, 11n],
      hasMore: false,
      total: 7,
    });
  });

  it('pages across the queue and the rest', async () => {
    const page = (number: number) => list({ pageSize: 2, page: number });
    expect(await page(2)).toEqual({ dollars: [16n, 15n], hasMore: true, total: 7 });
    expect(await page(4)).toEqual({ dollars: [11n], hasMore: false, total: 7 });
    expect(await page(5)).toEqual({ dollars: [], hasMore: false, total: 7 });
  });

  it('sorts by time and amount, both ways', async () => {
    const sorted = async (sort: 'submitted' | 'amount', direction: 'asc' | 'desc') =>
      (await list({ sort, direction })).dollars;
    expect(await sorted('submitted', 'asc')).toEqual([11n, 12n, 17n, 13n, 16n, 14n, 15n]);
    expect(await sorted('submitted', 'desc')).toEqual([15n, 14n, 16n, 13n, 17n, 12n, 11n]);
    expect(await sorted('amount', 'asc')).toEqual([11n, 12n, 13n, 14n, 15n, 16n, 17n]);
    expect(await sorted('amount', 'desc')).toEqual([17n, 16n, 15n, 14n, 13n, 12n, 11n]);
  });

  it('filters by person', async () => {
    expect((await list({ person: mayaId })).dollars).toEqual([17n, 16n, 15n, 11n]);
    expect((await list({ person: mayaId, status: 'pending' })).dollars).toEqual([17n]);
  });

  it('filters by status and urgency', async () => {
    expect((await list({ status: 'pending' })).dollars).toEqual([17n, 14n, 12n]);
    expect((await list({ status: 'rejected' })).dollars).toEqual([13n]);
    expect((await list({ urgency: 'medium' })).dollars).toEqual([16n, 15n]);
    expect((await list({ status: 'pending', urgency: 'high' })).dollars).toEqual([17n, 14n]);
    expect(await list({ status: 'returned' })).toMatchObject({ dollars: [], total: 0 });
  });

  it.each([
    ['castellanos', [17n, 16n, 15n, 11n]],
    ['siobhán d', [14n, 12n, 13n]],
    ['car rep', [13n]],
    ['cascade', [17n, 14n, 16n, 15n, 12n, 13n, 11n]],
    ['50%', [14n]],
    ['%', [14n]],
    ['$13.00', [13n]],
    ['\u221212.00', [12n]],
    ['$13.01', []],
    ["'; drop table withdrawal; --", []],
  ])('finds %s', async (search, dollars) => {
    expect(await list({ search })).toMatchObject({ dollars, total: dollars.length });
  });
});

it('counts and sums where they stand', async () => {
  expect(await adminWithdrawalStats(db)).toEqual({
    pendingRequests: 3,
    pendingAmount: { minor: '4300', currency: 'USD' },
    approvedRequests: 1,
    approvedAmount: { minor: '1600', currency: 'USD' },
    processingRequests: 1,
    processingAmount: { minor: '1500', currency: 'USD' },
    processed: 1,
    totalWithdrawalAmount: { minor: '1100', currency: 'USD' },
    rejected: 1,
    total: 7,
  });
});

it('lists a person’s open ones, newest first', async () => {
  const open = await listOpenWithdrawals(db, services, mayaId);
  expect(open.map((one) => one.status)).toEqual(['processing', 'approved', 'pending']);
});

describe('the export', () => {
  type View = Parameters<typeof adminWithdrawals.csv>[1];
  const exported = async (changes: Partial<View> = {}, chunkRows?: number) => {
    const view: View = { ...firstView(withdrawalList), ...changes };
    const scope = await readThingScope(services)(db, admin);
    let csv = '';
    for await (const chunk of adminWithdrawals.csv(db, view, scope, { chunkRows })) csv += chunk;
    return csv;
  };
  const dollarsIn = (csv: string) =>
    Array.from(csv.matchAll(/,(\d+)\.00,/g), ([, dollars]) => BigInt(dollars ?? 0));

  it('has the specified columns, plain amounts and the company’s days', async () => {
    const [header, line] = (await exported({ search: 'car repair' })).split('\r\n');
    expect(header).toBe(
      'Date,Employee,Employee ID,Amount,Urgency,Bank,Reason,Status,Reference,Transaction,Department,' +
        'Requested,Requested (UTC),Approved,Approved (UTC),Approved by,Sent,Sent (UTC),' +
        'Paid,Paid (UTC),Paid by,Closed,Closed (UTC),Rejection reason,' +
        'Left the bank on,Bank reference',
    );
    expect(line).toMatch(
      /^2026-12-08,Siobhán Doyle,,13\.00,high,Cascade Federal Credit Union ••\d{4},Car repair,rejected,WD-\d{8},,General,2026-12-08 \d\d:\d\d:\d\d-05:00,2026-12-0[89] \d\d:\d\d:\d\dZ,,,,,,,,,2026-12-08 \d\d:\d\d:\d\d-05:00,2026-12-0[89] \d\d:\d\d:\d\dZ,.+,,$/,
    );
  });

  it('is the view in its order, across its segments', async () => {
    expect(dollarsIn(await exported())).toEqual((await list()).dollars);
    const sort = { sort: 'amount', direction: 'asc' } as const;
    expect(dollarsIn(await exported(sort))).toEqual((await list(sort)).dollars);
    const search = { search: 'castellanos', urgency: 'medium' } as const;
    expect(dollarsIn(await exported(search))).toEqual((await list(search)).dollars);
  });

  it('has the lines that pass a filter and no other', async () => {
    expect((await exported({ status: 'pending' })).trimEnd().split('\r\n')).toHaveLength(4);
    expect((await exported({ status: 'returned' })).trimEnd().split('\r\n')).toHaveLength(1);
  });

  it('neutralises formulas and quotes what needs quotes', async () => {
    const csv = await exported();
    expect(csv).toContain(",'=1+1,");
    expect(csv).toContain(',"Holiday, ""long""",');
  });

  it('is the same however small its chunks are', async () => {
    const whole = await exported();
    expect(whole.trimEnd().split('\r\n')).toHaveLength(8);
    for (const rows of [1, 2, 7]) expect(await exported({}, rows)).toBe(whole);
    const byAmount = await exported({ sort: 'amount' });
    for (const rows of [1, 3]) expect(await exported({ sort: 'amount' }, rows)).toBe(byAmount);
  });
});

describe('withdrawals to send', () => {
  it('has the most urgent first in what is to be sent, too', async () => {
    const payee = await createPayee(db, services, { admin });
    for (const [dollars, urgency, hour] of [
      [21n, 'low', 17],
      [22n, 'high', 18],
      [23n, 'high', 19],
    ] as const) {
      services.clock.set(`2026-12-08T${hour}:00:00.000Z`);
      const amountMinor = dollars * 100n;
      services.clock.set(new Date(services.clock.now().getTime() + 60_000).toISOString());
      await withdrawalIn(db, services, {
        payee,
        admin,
        status: 'approved',
        amountMinor,
        input: { urgency },
      });
    }
    const own = { status: 'approved', person: payee.by.actor.id } as const;
    expect((await list(own)).dollars).toEqual([22n, 23n, 21n]);
    await db
      .updateTable('withdrawal')
      .set({ status: 'processing', movedAt: new Date(), movedBy: admin.actor.id })
      .where('userId', '=', payee.by.actor.id)
      .execute();
    expect((await list({ ...own, status: 'processing' })).dollars).toEqual([22n, 23n, 21n]);
  });
});
