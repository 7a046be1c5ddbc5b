import { describe, expect, it } from 'vitest';
import { STATEMENT_MAX_ENTRIES } from '#contract/account-documents.ts';
import type { AccountDocument } from '#contract/api.ts';
import type { TimeZoneId } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { balanceAt, post, setTimeZone } from '#server/modules/ledger/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import {
  accountDocumentsFixture,
  factOf,
  minorOf,
  NOT_FOUND,
} from '#test/account-documents-fixture.ts';
import { withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { listAccountDocuments } from './list.ts';

let db: Db;
let admin: CommandContext;
let maya: Payee;
const { services, at, make, scopeOf, deposit } = accountDocumentsFixture((company) => {
  ({ db, admin, maya } = company);
});

/** The amounts of a statement's entries, without the opening and the closing line. */
const amountsOf = ({ tables: [table] }: AccountDocument) =>
  table?.rows.slice(1).map((row) => minorOf(row[3])) ?? [];

describe('a monthly statement', () => {
  it('opens with the balance, has every entry and closes with the balance of the ledger', async () => {
    at('2025-11-05T15:00:00.000Z');
    await deposit(30_000n);
    await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
    at('2025-12-02T15:00:00.000Z');
    await deposit(1_000n);

    const statement = await make('statement.salary.2025-11');
    const end = new Date('2025-12-01T04:59:59.999Z');
    const closing = await balanceAt(db, maya.wallet.ledgerAccountId, end);
    expect(closing).toBe(490_000n);
    expect(statement.lead.amount).toEqual(money(closing, 'USD'));
    expect(factOf(statement, 'Opening balance')).toMatchObject({ amount: money(500_000n, 'USD') });
    expect(factOf(statement, 'Money in')).toMatchObject({ amount: money(30_000n, 'USD') });
    expect(factOf(statement, 'Money out')).toMatchObject({ amount: money(-40_000n, 'USD') });
    expect(amountsOf(statement)).toEqual([30_000n, -40_000n]);
    expect(amountsOf(statement).reduce((sum, one) => sum + one, 500_000n)).toBe(closing);
    expect(statement.tables[0]?.total?.map((cell) => cell)).toMatchObject([
      'Nov 30',
      'Closing balance',
      '',
      { amount: money(-10_000n, 'USD') },
      { amount: money(closing, 'USD') },
    ]);
    expect(statement.proof).toEqual([
      'Not sealed yet: 2 of the entries. This is done within a minute.',
    ]);
  });

  it('begins and ends at midnight of the company, on either side of the change of clocks', async () => {
    at('2025-11-01T03:59:59.000Z'); // the 31st, 23:59:59 in summer time
    await deposit(101n);
    at('2025-11-01T04:00:00.000Z');
    await deposit(202n);
    at('2025-12-01T04:59:59.000Z'); // the 30th, 23:59:59 in winter time
    await deposit(303n);
    at('2025-12-01T05:00:00.000Z');
    await deposit(404n);
    at('2026-01-05T15:00:00.000Z');
    expect(amountsOf(await make('statement.salary.2025-10'))).toEqual([500_000n, 101n]);
    const november = await make('statement.salary.2025-11');
    expect(amountsOf(november)).toEqual([202n, 303n]);
    expect(november.tables[0]?.rows.map(([date]) => date)).toEqual(['Nov 1', 'Nov 1', 'Nov 30']);
    expect(amountsOf(await make('statement.salary.2025-12'))).toEqual([404n]);
  });

  it('has each entry in one month alone, and no gap between two, after the company moved its time zone', async () => {
    at('2025-12-01T04:59:59.000Z'); // the 30th, 23:59:59 in New York
    await deposit(101n);
    at('2025-12-01T05:00:00.000Z'); // the 1st in New York, still the 30th in Los Angeles
    await deposit(202n);
    at('2025-12-01T08:00:00.000Z'); // the 1st in both
    await deposit(303n);
    at('2026-01-02T15:00:00.000Z');
    const months = ['2025-10', '2025-11', '2025-12'];
    const makeAll = () => Promise.all(months.map((month) => make(`statement.salary.${month}`)));
    expect((await makeAll()).map(amountsOf)).toEqual([[500_000n], [101n], [202n, 303n]]);
    await moveTo('pst');
    const statements = await makeAll();
    expect(statements.map(amountsOf)).toEqual([[500_000n], [101n, 202n], [303n]]);
    const [october, november, december] = statements;
    for (const [before, after] of [
      [october, november],
      [november, december],
    ]) {
      const opening = after === undefined ? undefined : factOf(after, 'Opening balance');
      expect(opening).toMatchObject({ amount: before?.lead.amount });
    }
    expect(december?.lead.amount).toEqual(money(500_606n, 'USD'));
    // What is listed counts by the same days.
    const { statements: listed } = await listAccountDocuments(db, await scopeOf(maya.by), 2025);
    expect(listed.map(({ month, entries }) => [month, entries])).toEqual([
      ['2025-12', 1],
      ['2025-11', 2],
      ['2025-10', 1],
    ]);
  });

  /** As a change of the company's settings does. */
  const moveTo = (timeZoneId: TimeZoneId) =>
    withTx(db, async (tx) => {
      const { timeZone } = await updateSettings(tx, services, admin, { timeZoneId });
      await setTimeZone(tx, timeZone);
    });

  it('of a month without entries has the same balance twice', async () => {
    at('2025-12-01T05:00:00.000Z');
    const statement = await make('statement.salary.2025-11');
    expect(amountsOf(statement)).toEqual([]);
    expect(factOf(statement, 'Opening balance')).toEqual(factOf(statement, 'Closing balance'));
    expect(statement.proof).toEqual(['No entries in this month.']);
  });

  it.each([
    ['before the account was opened', 'statement.salary.2025-09'],
    ['that is not over', 'statement.salary.2025-11'],
    ['in the future', 'statement.salary.9999-12'],
    ['of an account that the person has not', 'statement.irs.2025-10'],
  ])('of a month %s is not found', async (_what, id) => {
    at('2025-12-01T04:59:59.999Z');
    await expect(make(id)).rejects.toMatchObject(NOT_FOUND);
  });

  it('after the account was closed is not found', async () => {
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date('2025-10-31T12:00:00Z') })
      .where('id', '=', maya.wallet.id)
      .execute();
    at('2026-01-05T15:00:00.000Z');
    await expect(make('statement.salary.2025-11')).rejects.toMatchObject(NOT_FOUND);
    expect((await make('statement.salary.2025-10')).lead.amount.minor).toBe('500000');
  });

  it('shows the first of very many entries, says how many are left out, and sums all', async () => {
    at('2025-11-05T15:00:00.000Z');
    await postMany(1_203);
    at('2025-12-05T15:00:00.000Z');
    const shown = await make('statement.salary.2025-11', { by: maya.by }, false);
    expect(amountsOf(shown)).toHaveLength(1_000);
    expect(shown.tables[0]?.omitted).toBe(203);
    expect(shown.lead.amount.minor).toBe('501203');
    const whole = await make('statement.salary.2025-11');
    expect(amountsOf(whole)).toHaveLength(1_203);
  });

  it('that has more entries than a document holds is shown, and refused as a whole', async () => {
    at('2025-11-05T15:00:00.000Z');
    await postMany(STATEMENT_MAX_ENTRIES + 1);
    at('2025-12-05T15:00:00.000Z');
    await expect(make('statement.salary.2025-11')).rejects.toMatchObject({
      code: 'statement_too_long',
      details: { entries: STATEMENT_MAX_ENTRIES + 1, most: STATEMENT_MAX_ENTRIES },
    });
    const shown = await make('statement.salary.2025-11', { by: maya.by }, false);
    expect(shown.lead.amount.minor).toBe('510001');
  });

  async function postMany(count: number): Promise<void> {
    const { accountId } = await db
      .selectFrom('ledgerEntry')
      .select('accountId')
      .where('amount', '<', 0n)
      .limit(1)
      .executeTakeFirstOrThrow();
    const postings = Array.from({ length: count }, (_, index) => ({
      kind: 'funding',
      reference: `MANY-${index}`,
      description: 'Bonus',
      actorId: admin.actor.id,
      subjectId: null,
      entries: [
        { accountId, amountMinor: -1n },
        { accountId: maya.wallet.ledgerAccountId, amountMinor: 1n },
      ],
    }));
    await withTx(db, (tx) => post(tx, postings, { effectiveAt: services.clock.now() }));
  }
});
