import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillStatus } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { firstView } from '#contract/list.ts';
import { billList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { createPayee } from '#test/factories/money.ts';
import type { Payee as Payer } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminBills } from './bill-list.ts';
import { addPayee } from './outside-payees.ts';
import { billActs } from './bill-acts.ts';
import { scheduleBill } from './schedule-bill.ts';
import { takeBills } from './take-bills.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let payees: { payer: Payer; id: string }[];

interface Made {
  /** In dollars, by which the test names it. */
  dollars: bigint;
  status: Extract<BillStatus, 'scheduled' | 'due' | 'sent' | 'paid' | 'rejected' | 'cancelled'>;
  memo?: string;
  /** The payer: Maya, or Siobhán, whose payee has a name with every trap in it. */
  of?: 0 | 1;
}

/** A minute apart. */
const BILLS: readonly Made[] = [
  { dollars: 11n, status: 'due', memo: 'December, "Room 4"' },
  { dollars: 12n, status: 'scheduled', memo: '=HYPERLINK("http://evil.test")' },
  { dollars: 13n, status: 'paid', of: 1 },
  { dollars: 14n, status: 'cancelled', memo: '50% now', of: 1 },
  { dollars: 15n, status: 'sent' },
  { dollars: 16n, status: 'rejected', memo: '🎁 a_b', of: 1 },
];

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  services.clock.set('2026-12-08T00:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  const people = [
    { person: { firstName: 'Maya', lastName: 'Castellanos' }, name: 'Hárbor Fiber' },
    { person: { firstName: 'Siobhán', lastName: 'Doyle' }, name: '+SUM(A1), Ltd' },
  ];
  payees = [];
  for (const { person, name } of people) {
    const payer = await createPayee(db, services, { admin, ...person });
    payees.push({ payer, id: await enter(payer, name) });
  }
  // Past the days in which a new payee's bills wait.
  services.clock.set('2026-12-14T15:00:00.000Z');
  for (const [minute, made] of BILLS.entries()) await make(made, minute);
});
afterAll(() => test.close());

async function enter({ by }: Payer, name: string): Promise<string> {
  const account = { routingNumber: '021000021', accountType: 'checking' } as const;
  const number = { accountNumber: '40227755502', customerNumber: 'HF-1' };
  const details = { name, kind: 'business', ...account, ...number, isSaved: true } as const;
  return (await withTx(db, (tx) => addPayee(tx, services, by, details))).id;
}

async function make({ dollars, status, memo = '', of = 0 }: Made, minute: number): Promise<void> {
  // The 14th in New York.
  services.clock.set(`2026-12-15T01:0${minute}:00.000Z`);
  const { payer, id: payeeId } = payees[of] ?? { payer: undefined, id: '' };
  if (payer === undefined) throw new Error('nobody');
  const today = '2026-12-14';
  const bill = await withTx(db, (tx) =>
    scheduleBill(tx, services, payer.by, {
      walletId: payer.wallet.id,
      payeeId,
      amount: money(dollars * 100n, 'USD'),
      memo,
      payOn: status === 'scheduled' ? addDays(today, 9) : today,
      dueOn: of === 0 ? addDays(today, 12) : null,
    }),
  );
  if (status === 'scheduled') return;
  if (status === 'cancelled') {
    await withTx(db, (tx) => billActs.cancel(tx, services, payer.by, { id: bill.id }));
    return;
  }
  await takeBills(db, services);
  if (status === 'due') return;
  await withTx(db, async (tx) => {
    if (status === 'rejected') {
      await billActs.stop(tx, services, admin, { id: bill.id, reason: '-1 is no account' });
      return;
    }
    await billActs.send(tx, services, admin, { id: bill.id });
    if (status === 'paid') {
      await billActs.complete(tx, services, admin, { id: bill.id, bankReference: '=ACH 9' });
    }
  });
}

type View = Parameters<typeof adminBills.csv>[1];
const viewOf = (changes: Partial<View>) =>
  ({ ...firstView(billList), status: 'all', ...changes }) as View;
const list = async (changes: Partial<View & { page: number; pageSize: number }> = {}) => {
  const filter = { page: 1, pageSize: 100, ...viewOf(changes), ...changes };
  const scope = await readThingScope(services)(db, admin);
  const { items } = await adminBills.page(db, filter, scope);
  const { total } = await adminBills.count(db, filter, scope);
  return { dollars: items.map(({ amount }) => BigInt(amount.minor) / 100n), total };
};
const exported = async (changes: Partial<View> = {}, chunkRows?: number) => {
  const scope = await readThingScope(services)(db, admin);
  let csv = '';
  for await (const chunk of adminBills.csv(db, viewOf(changes), scope, { chunkRows })) {
    csv += chunk;
  }
  return csv;
};

describe('the admins’ bills', () => {
  it('are a queue: what waits, the longest waiting first; the rest newest first', async () => {
    expect(await list()).toEqual({ dollars: [11n, 15n, 16n, 14n, 13n, 12n], total: 6 });
    expect((await list({ pageSize: 2, page: 2 })).dollars).toEqual([16n, 14n]);
    expect(firstView(billList).status).toBe('waiting');
    expect(await list({ status: 'waiting' })).toEqual({ dollars: [11n, 15n], total: 2 });
  });

  it.each(BILLS)('are filtered by status: $status', async ({ status, dollars }) => {
    expect(await list({ status })).toEqual({ dollars: [dollars], total: 1 });
  });

  it.each([
    ['castellanos', [11n, 15n, 12n]],
    ['siobhán d', [16n, 14n, 13n]],
    ['harbor', [11n, 15n, 12n]],
    ['fiber, HÁRBOR', [11n, 15n, 12n]],
    ['Doyle, Siobhan', [16n, 14n, 13n]],
    ['december, "', [11n]],
    ['50%', [14n]],
    ['%', [14n]],
    ['_', [16n]],
    ['🎁', [16n]],
    ['$13.00', [13n]],
    ['-$16.00', [16n]],
    ["'; drop table bill; --", []],
  ])('are found by %s', async (search, dollars) => {
    expect(await list({ search })).toEqual({ dollars, total: dollars.length });
  });

  it('are found by reference', async () => {
    const { items } = await adminBills.page(
      db,
      { ...viewOf({ status: 'paid' }), page: 1, pageSize: 1 },
      await readThingScope(services)(db, admin),
    );
    const search = items[0]?.reference.toLowerCase() ?? '';
    expect(await list({ search })).toEqual({ dollars: [13n], total: 1 });
  });
});

describe('the export of bills', () => {
  const linesOf = async (changes: Partial<View> = {}) =>
    (await exported(changes)).trimEnd().split('\r\n');

  it('has its columns, plain amounts and the company’s days', async () => {
    const [header, line] = await linesOf({ status: 'paid' });
    expect(header).toBe(
      'Date,Employee,Employee ID,Payee,Payee account,Customer number,Account,Amount,Pay on,Due on,Memo,Status,Sent by,Completed by,Reason,Reference,Transaction,Department,' +
        'Requested,Requested (UTC),Due,Due (UTC),Sent,Sent (UTC),Paid,Paid (UTC),Closed,Closed (UTC),Left the bank on,Bank reference',
    );
    expect(line).toMatch(
      /^2026-12-14,Siobhán Doyle,,"'\+SUM\(A1\), Ltd",••5502,HF-1,Salary Wallet,13\.00,2026-12-14,,,paid,Renee Albright,Renee Albright,,BP-\d{8},TXN-\d{8},General,2026-12-14 .+,,,2026-12-14,'=ACH 9$/,
    );
  });

  it('is the view in its order, the lines that pass its filter and no other', async () => {
    const dollarsIn = (csv: string) =>
      Array.from(csv.matchAll(/,(\d+)\.00,/g), ([, dollars]) => BigInt(dollars ?? 0));
    expect(dollarsIn(await exported())).toEqual((await list()).dollars);
    expect(dollarsIn(await exported({ search: 'doyle' }))).toEqual([16n, 14n, 13n]);
    expect(await linesOf({ status: 'returned' })).toHaveLength(1);
    const whole = await exported();
    for (const rows of [1, 2, 5]) expect(await exported({}, rows)).toBe(whole);
  });

  it('neutralises formulas and quotes what needs quotes', async () => {
    const csv = await exported();
    expect(csv).toContain(`,"'=HYPERLINK(""http://evil.test"")",`);
    expect(csv).toContain(',"December, ""Room 4""",');
    expect(csv).toContain(",'-1 is no account,");
    expect(csv).not.toContain('40227755502');
  });
});
