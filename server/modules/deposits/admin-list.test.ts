import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import { firstView } from '#contract/list.ts';
import { depositList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminDeposits } from './admin-list.ts';
import { adminDepositStats } from './admin-stats.ts';
import { depositActs, requestDeposit } from './index.ts';
import { getAdminDepositDetails } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let mayaId: string;
const ids = new Map<bigint, string>();

/** In the order in which they were requested, an hour apart; distinguished by amount in dollars. */
const REQUESTED: {
  dollars: bigint;
  who: 'Maya' | 'Siobhán';
  status: DepositStatus;
  method?: DepositMethodId;
  description?: string;
}[] = [
  { dollars: 11n, who: 'Maya', status: 'approved', description: 'Rent, "May"' },
  { dollars: 16n, who: 'Siobhán', status: 'pending', description: '=1+1' },
  { dollars: 13n, who: 'Maya', status: 'rejected' },
  { dollars: 12n, who: 'Maya', status: 'pending', method: 'card' },
  { dollars: 14n, who: 'Siobhán', status: 'cancelled', description: 'A gift 50%' },
  { dollars: 15n, who: 'Maya', status: 'approved' },
];

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  admin = await createPersonBy(db, {
    role: 'admin',
    firstName: 'Renee',
    lastName: 'Albright',
  });
  const person = async (firstName: string, lastName: string) => {
    const by = await createPersonBy(db, { firstName, lastName });
    return { by, wallet: await fundedWallet(db, services, by, 0n) };
  };
  const people = {
    Maya: await person('Maya', 'Castellanos'),
    Siobhán: await person('Siobhán', 'Doyle'),
  };
  mayaId = people.Maya.by.actor.id;
  // The first was decided in November, by the company's calendar: five hours behind.
  services.clock.set('2026-12-01T02:00:00.000Z');
  for (const [hour, { dollars, who, status, ...input }] of REQUESTED.entries()) {
    if (hour > 0) services.clock.set(`2026-12-08T1${hour}:00:00.000Z`);
    const { by, wallet } = people[who];
    await withTx(db, async (tx) => {
      const { id } = await requestDeposit(tx, services, by, {
        walletId: wallet.id,
        method: 'ach',
        amount: money(dollars * 100n, 'USD'),
        ...input,
      });
      ids.set(dollars, id);
      await end(status, { tx, id, by });
    });
  }
});
afterAll(() => test.close());

interface Ended {
  tx: Parameters<typeof depositActs.approve>[0];
  id: string;
  by: CommandContext;
}

async function end(status: DepositStatus, { tx, id, by }: Ended): Promise<void> {
  if (status === 'approved') await depositActs.approve(tx, services, admin, { id });
  if (status === 'rejected')
    await depositActs.reject(tx, services, admin, { id, reason: 'Not here' });
  if (status === 'cancelled') await depositActs.cancel(tx, services, by, { id });
}

type Filter = Parameters<typeof adminDeposits.page>[1];
/** The page's amounts, and what is counted of the same filter. */
const list = async (changes: Partial<Filter> = {}) => {
  const filter = { ...firstView(depositList), status: 'all', page: 1, pageSize: 15, ...changes };
  const scope = await readThingScope(services)(db, admin);
  const { items } = await adminDeposits.page(db, filter as Filter, scope);
  const { total } = await adminDeposits.count(db, filter as Filter, scope);
  return { dollars: items.map((item) => BigInt(item.amount.minor) / 100n), total };
};

describe('the admins’ list', () => {
  it('is a queue: pending from the oldest on, then the newest', async () => {
    expect(await list()).toEqual({ dollars: [16n, 12n, 15n, 14n, 13n, 11n], total: 6 });
    expect((await list({ pageSize: 2, page: 2 })).dollars).toEqual([15n, 14n]);
  });

  it('begins with what waits, from the oldest on', async () => {
    const { status } = firstView(depositList);
    expect(status).toBe('pending');
    expect(await list({ status: 'pending' })).toEqual({ dollars: [16n, 12n], total: 2 });
  });

  it('sorts by time and amount, both ways', async () => {
    const sorted = async (sort: 'submitted' | 'amount', direction: 'asc' | 'desc') =>
      (await list({ sort, direction })).dollars;
    expect(await sorted('submitted', 'asc')).toEqual([11n, 16n, 13n, 12n, 14n, 15n]);
    expect(await sorted('submitted', 'desc')).toEqual([15n, 14n, 12n, 13n, 16n, 11n]);
    expect(await sorted('amount', 'asc')).toEqual([11n, 12n, 13n, 14n, 15n, 16n]);
    expect(await sorted('amount', 'desc')).toEqual([16n, 15n, 14n, 13n, 12n, 11n]);
  });

  it('filters by person', async () => {
    const { dollars, total } = await list({ person: mayaId });
    expect(total).toBe(4);
    expect(new Set(dollars)).toEqual(new Set([11n, 12n, 13n, 15n]));
  });

  it('filters by status and method', async () => {
    expect((await list({ status: 'rejected' })).dollars).toEqual([13n]);
    expect((await list({ status: 'approved' })).dollars).toEqual([15n, 11n]);
    expect((await list({ method: 'card' })).dollars).toEqual([12n]);
    expect(await list({ method: 'wire' })).toEqual({ dollars: [], total: 0 });
    expect((await list({ method: 'ach', status: 'cancelled' })).dollars).toEqual([14n]);
  });

  it.each([
    ['castellanos', [12n, 15n, 13n, 11n]],
    ['siobhán d', [16n, 14n]],
    ['rent, "', [11n]],
    ['50%', [14n]],
    ['%', [14n]],
    ['+$13.00', [13n]],
    ['12.00', [12n]],
    ["'; drop table deposit; --", []],
  ])('finds %s', async (search, dollars) => {
    expect(await list({ search })).toMatchObject({ dollars, total: dollars.length });
  });

  it('finds a reference', async () => {
    const { reference } = await details(15n);
    expect((await list({ search: reference.toLowerCase() })).dollars).toEqual([15n]);
  });
});

const details = (dollars: bigint) =>
  getAdminDepositDetails(db, services, admin, ids.get(dollars) ?? 'none of them');

it('sums what waits, and what was decided in the company’s month', async () => {
  services.clock.set('2026-12-09T12:00:00.000Z');
  expect(await adminDepositStats(db, services)).toEqual({
    pending: { count: 2, amount: { minor: '2800', currency: 'USD' } },
    waitingSince: '2026-12-08T11:00:00.000Z',
    approvedThisMonth: { count: 1, amount: { minor: '1500', currency: 'USD' } },
    rejectedThisMonth: { count: 1, amount: { minor: '1300', currency: 'USD' } },
  });
});

describe('the person who asks', () => {
  it('is described by what came before it', async () => {
    expect((await details(12n)).context).toEqual({
      isIdentityApproved: false,
      isAccepted: true,
      isDeactivated: false,
      approved: 1,
      since: 2026,
      rejected: 1,
    });
  });

  it('has no past at first', async () => {
    expect((await details(16n)).context).toMatchObject({ approved: 0, since: null, rejected: 0 });
  });
});
