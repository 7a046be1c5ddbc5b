import { readThingScope } from '#server/modules/acts/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRoutingNumber } from '#contract/account-formats.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { pendingBank, verifiedBank } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { bankAccountActs } from './index.ts';
import { KNOWN_BANKS } from './known-banks.ts';
import { lookUpRoutingNumber } from './look-up-routing-number.ts';
import { adminBankAccounts } from './admin-list.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let mayaId: string;

/** In the order in which they were handed in, an hour apart. */
const HANDED_IN = [
  { bankName: 'Alder Bank', person: 'Maya', end: 'verified' },
  { bankName: 'Birch Bank', person: 'Maya', end: 'pending' },
  { bankName: 'Cedar Bank', person: 'Anil', end: 'rejected' },
  { bankName: 'Dogwood 100% Bank', person: 'Anil', end: 'pending' },
] as const;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  const people: Record<'Maya' | 'Anil', CommandContext> = {
    Maya: await createPersonBy(db, { firstName: 'Maya', lastName: 'Castellanos' }),
    Anil: await createPersonBy(db, { firstName: 'Anil', lastName: 'Deshpande' }),
  };
  mayaId = people.Maya.actor.id;
  for (const [hour, { bankName, person, end }] of HANDED_IN.entries()) {
    services.clock.set(`2026-12-08T1${hour}:00:00.000Z`);
    const owner = people[person];
    const details = { bankName, routingNumber: '084207311' };
    if (end === 'verified') {
      await verifiedBank(db, services, { owner, admin, ...details });
      continue;
    }
    const { id } = await pendingBank(db, services, owner, details);
    if (end === 'rejected') {
      const rejection = { id, reason: 'Names differ' };
      await withTx(db, (tx) => bankAccountActs.reject(tx, services, admin, rejection));
    }
  }
});
afterAll(() => test.close());

const contextOf = () => readThingScope(services)(db, admin);
type Filter = Parameters<typeof adminBankAccounts.page>[1];
const list = async (changes: Partial<Filter> = {}) => {
  const filter: Filter = {
    page: 1,
    pageSize: 10,
    search: '',
    person: '',
    status: 'all',
    ...changes,
  };
  const { items, hasMore } = await adminBankAccounts.page(db, filter, await contextOf());
  const { total } = await adminBankAccounts.count(db, filter, await contextOf());
  return { names: items.map((item) => item.bankName), hasMore, total };
};

describe('the admins’ list', () => {
  it('has those that wait first, oldest first, then the newest', async () => {
    expect(await list()).toEqual({
      names: ['Birch Bank', 'Dogwood 100% Bank', 'Cedar Bank', 'Alder Bank'],
      hasMore: false,
      total: 4,
    });
  });

  it('pages across both parts', async () => {
    expect((await list({ pageSize: 3 })).names).toEqual([
      'Birch Bank',
      'Dogwood 100% Bank',
      'Cedar Bank',
    ]);
    const last = { names: ['Alder Bank'], hasMore: false, total: 4 };
    expect(await list({ pageSize: 3, page: 2 })).toEqual(last);
    const third = { names: ['Cedar Bank'], hasMore: true, total: 4 };
    expect(await list({ pageSize: 1, page: 3 })).toEqual(third);
    expect(await list({ page: 9 })).toEqual({ names: [], hasMore: false, total: 4 });
  });

  it('filters by person', async () => {
    expect((await list({ person: mayaId })).names).toEqual(['Birch Bank', 'Alder Bank']);
  });

  it('filters by status', async () => {
    expect((await list({ status: 'pending' })).names).toEqual(['Birch Bank', 'Dogwood 100% Bank']);
    expect((await list({ status: 'verified' })).names).toEqual(['Alder Bank']);
    expect((await list({ status: 'rejected' })).names).toEqual(['Cedar Bank']);
  });

  it.each([
    ['maya cast', ['Birch Bank', 'Alder Bank']],
    ['DESHPANDE', ['Dogwood 100% Bank', 'Cedar Bank']],
    ['@purser.test', ['Birch Bank', 'Dogwood 100% Bank', 'Cedar Bank', 'Alder Bank']],
    ['cedar', ['Cedar Bank']],
    ['100%', ['Dogwood 100% Bank']],
    ['%', ['Dogwood 100% Bank']],
    ['_edar', []],
    ['nobody', []],
  ])('finds %s', async (search, names) => {
    expect(await list({ search })).toMatchObject({ names, total: names.length });
  });
});

describe('looking up a routing number', () => {
  it('knows large banks', async () => {
    expect(await lookUpRoutingNumber(db, '021000021')).toEqual({
      isValid: true,
      bankName: 'JPMorgan Chase Bank',
    });
    for (const number of KNOWN_BANKS.keys()) expect(isRoutingNumber(number)).toBe(true);
  });

  it('learns from verified accounts alone', async () => {
    expect(await lookUpRoutingNumber(db, '084207311')).toEqual({
      isValid: true,
      bankName: 'Alder Bank',
    });
  });

  it('suggests nothing it does not know', async () => {
    expect(await lookUpRoutingNumber(db, '322271779')).toEqual({ isValid: true, bankName: null });
  });

  it('takes spaces and dashes as typed', async () => {
    expect((await lookUpRoutingNumber(db, '021-000 021')).isValid).toBe(true);
  });

  it.each(['', '02100002', '0210000211', '021000022', '000000000', 'abcdefghi'])(
    'refuses %j',
    async (typed) => {
      expect(await lookUpRoutingNumber(db, typed)).toEqual({ isValid: false, bankName: null });
    },
  );
});
