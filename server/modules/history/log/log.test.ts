import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import type { Payee } from '#test/factories/money.ts';
import { transactionLog } from './list.ts';
import { findOtherPeople } from '#server/db/search.ts';
import { logScope } from './scope.ts';
import type { LogFilter } from './scope.ts';
import { transactionStats } from './stats.ts';
import { figuresOf, NO_FILTER, openLoggedCompany, readLog } from '#test/logged-company.ts';
import type { LoggedCompany } from '#test/logged-company.ts';

let company: LoggedCompany;
let db: Db;
let maya: Payee;
let grace: Payee;

beforeAll(async () => {
  company = await openLoggedCompany();
  ({ db, maya, grace } = company);
});
afterAll(() => company.close());

const read = (changes: Partial<LogFilter>, page?: { cursor?: string; pageSize?: number }) =>
  readLog(db, changes, page);
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

  it('is from the side of the one person it is about', async () => {
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
      expect(await transactionStats(db, filter)).toEqual(
        await figuresOf(db, await listed({ search })),
      );
    },
  );

  it('finds the same rows by every way of reading them', async () => {
    // Many people match, so that rows are compared one after another.
    const filter = { ...NO_FILTER, search: 'e' };
    const scope = await logScope(db, filter);
    const query = { ...filter, cursor: '', pageSize: 100 };
    const few = await transactionLog.page(db, query, scope);
    const ofMany = { ...scope, people: null, words: 'e' };
    const many = await transactionLog.page(db, query, ofMany);
    expect(few.items.length).toBeGreaterThan(0);
    expect(many.items).toEqual(few.items);
    // Nearly everybody matches, so that the rows of the others are read by person.
    const others = await findOtherPeople(db, { text: 'e', most: 100 });
    const nearlyAll = await transactionLog.page(db, query, { ...ofMany, others });
    expect(nearlyAll.items).toEqual(few.items);
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

  it('finds what was taken back of a payroll by its batch, its reference, its reason and its words', async () => {
    const { services, admin, at } = company;
    at('2026-01-05T15:00:00.000Z');
    const line = await db
      .selectFrom('payrollLine as line')
      .innerJoin('payrollBatch as batch', 'batch.id', 'line.batchId')
      .select(['line.id', 'batch.number'])
      .where('line.userId', '=', grace.by.actor.id)
      .executeTakeFirstOrThrow();
    const [amount, left] = [money(12_300n, 'USD'), money(70_000n, 'USD')];
    const why = { reason: 'wrong_amount', message: 'Hours of September, twice' } as const;
    await withTx(db, (tx) =>
      reverseLine(tx, services, admin, { id: line.id, amount, left, ...why }),
    );
    const taken = 'reversal completed Grace -12300';
    const reference = `PAY-${line.number}-0001-R1`;
    for (const search of [reference, reference.slice(0, -1), reference.slice(0, -2), '123.00']) {
      expect(await shown({ search }), search).toContain(taken);
    }
    for (const search of [`PAY-${line.number}`, `pay-${line.number}-0001-`, line.number]) {
      expect((await shown({ search, type: 'reversal' })).toSorted(), search).toEqual([taken]);
    }
    for (const search of ['september, twice', 'wrong amount']) {
      expect(await shown({ search }), search).toEqual([taken]);
    }
    expect(await shown({ search: 'payroll, december', type: 'reversal' })).toEqual([taken]);
    expect(await shown({ search: 'september', person: maya.by.actor.id })).toEqual([]);
    expect(await shown({ search: 'wrong amount', type: 'payroll' })).toEqual([]);
    const { items } = await read({ search: 'payroll, december' });
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });
});
