import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '#contract/activity.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
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
            await figuresOf(db, await listed(filter)),
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
      ).toEqual(await figuresOf(db, await listed(changes), changes.person !== undefined));
    }
  });

  it('exclude a payout that came back in a later month, and list it separately in both', async () => {
    const { services, admin, at } = company;
    at('2026-01-20T15:00:00.000Z');
    const { id } = await withdrawalIn(db, services, {
      payee: maya,
      admin,
      status: 'completed',
      amountMinor: 7_700n,
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
        expect(stats, `${from} to ${to}, ${type}`).toEqual(await figuresOf(db, rows));
        expect(figures?.moneyIn.count).toBe(0);
        expect(figures?.moneyOut.count).toBe(0);
        expect(figures?.returned.count).toBe(Math.min(rows.length, 1));
      }
    }
  });

  it('are less what was taken back of a payroll, in whichever days its parts lie', async () => {
    const { services, admin, at } = company;
    const { id, reference } = await db
      .selectFrom('payrollLine as line')
      .innerJoin('ledgerTransaction as one', 'one.id', 'line.ledgerTransactionId')
      .select(['line.id', 'one.reference'])
      .where('line.userId', '=', maya.by.actor.id)
      .where('line.amountMinor', '=', 500_000n)
      .executeTakeFirstOrThrow();
    const takeBack = (minor: bigint, left: bigint, message = 'Hours of September') =>
      withTx(db, (tx) =>
        reverseLine(tx, services, admin, {
          id,
          amount: money(minor, 'USD'),
          left: money(left, 'USD'),
          reason: 'wrong_amount',
          message,
        }),
      );
    const filters: Partial<LogFilter>[] = [
      ...SPANS.map(([from, to]) => ({ from, to })),
      ...(['payroll', 'reversal'] as const).flatMap((type) =>
        SPANS.map(([from, to]) => ({ from, to, type })),
      ),
      { from: '2026-03-01', to: '2026-03-31' },
      { from: '2026-03-10' },
      { least: '10000' },
      { most: '10000' },
      { least: '10000', most: '500000' },
      ...['100', '-100', '$5,000.00', 'payroll, october', 'maya', 'reversal'].map((search) => ({
        search,
      })),
      { search: reference },
      { search: `${reference}-R` },
      { search: 'hours of september' },
      { person: maya.by.actor.id },
      { person: maya.by.actor.id, least: '20000' },
    ];
    const expectAgreement = async () => {
      for (const filter of filters) {
        expect(
          await transactionStats(db, { ...NO_FILTER, ...filter }),
          JSON.stringify(filter),
        ).toEqual(await figuresOf(db, await listed(filter), filter.person !== undefined));
      }
    };
    at('2026-03-02T15:00:00.000Z');
    await takeBack(10_000n, 500_000n);
    at('2026-03-20T15:00:00.000Z');
    await takeBack(20_000n, 490_000n, 'Hours of October');
    await expectAgreement();
    const october = {
      ...NO_FILTER,
      type: 'payroll',
      from: '2025-10-14',
      to: '2025-10-14',
    } as const;
    expect((await transactionStats(db, october)).figures).toMatchObject({
      moneyIn: { count: 1, amount: { minor: '470000' } },
      returned: { count: 1, amount: { minor: '30000' } },
    });
    const march = { ...NO_FILTER, from: '2026-03-01', to: '2026-03-31' };
    expect((await transactionStats(db, march)).figures).toMatchObject({
      moneyIn: { count: 0 },
      returned: { count: 2, amount: { minor: '30000' } },
    });
    // Together the parts are the whole, as if it had been reversed by one.
    at('2026-03-21T15:00:00.000Z');
    await takeBack(470_000n, 470_000n);
    await expectAgreement();
    expect((await transactionStats(db, october)).figures).toMatchObject({
      moneyIn: { count: 0, amount: { minor: '0' } },
      returned: { count: 1, amount: { minor: '500000' } },
    });
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

  it('agree with the rows of a payout that is on its way in a file, is settled, and comes back', async () => {
    const { services, admin, at } = company;
    at('2026-05-12T15:00:00.000Z');
    const steps = payoutSteps(db, services, admin);
    await steps.enterBank();
    const { id } = await steps.approved(grace, 4_400n);
    const file = await steps.make([id]);
    await steps.download(file.id);
    await steps.doAct('send', file.id);
    const views = [
      ...(['all', 'withdrawal', 'reversal'] as const).flatMap((type) =>
        (['all', 'completed', 'pending'] as const).map((status) => ({ type, status })),
      ),
      { search: '$44.00' },
    ];
    const spansOfMay = [
      ['', ''],
      ['2026-04-10', ''],
      ['2026-05-01', '2026-05-31'],
      ['2026-05-05', '2026-05-20'],
    ] as const;
    const expectAgreement = async () => {
      for (const [from, to] of spansOfMay) {
        for (const view of views) {
          const filter = { ...NO_FILTER, ...view, from, to };
          expect(await transactionStats(db, filter), JSON.stringify(filter)).toEqual(
            await figuresOf(db, await listed(filter)),
          );
        }
      }
    };
    const may = { ...NO_FILTER, from: '2026-05-01', to: '2026-05-31' };
    await expectAgreement();
    expect((await transactionStats(db, may)).figures).toMatchObject({
      moneyOut: { count: 0 },
      pending: { amount: { minor: '4400' }, counts: { withdrawal: 1 } },
    });
    await steps.doAct('settle', file.id);
    await expectAgreement();
    expect((await transactionStats(db, may)).figures).toMatchObject({
      moneyIn: { count: 0 },
      moneyOut: { count: 1, amount: { minor: '4400' } },
      pending: { amount: { minor: '0' } },
    });
    at('2026-05-14T15:00:00.000Z');
    await withTx(db, (tx) =>
      withdrawalActs.return(tx, services, admin, { id, reason: 'Account closed' }),
    );
    await expectAgreement();
    expect((await transactionStats(db, may)).figures).toMatchObject({
      counts: { completed: 2 },
      moneyOut: { count: 0 },
      returned: { count: 1, amount: { minor: '4400' } },
    });
  });
});
