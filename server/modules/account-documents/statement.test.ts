import { describe, expect, it } from 'vitest';
import { STATEMENT_MAX_ENTRIES } from '#contract/account-documents.ts';
import type { AccountDocument } from '#contract/api.ts';
import type { TimeZoneId } from '#contract/time-zones.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { balanceAt, post, setTimeZone } from '#server/modules/ledger/index.ts';
import { moveMoney } from '#server/modules/payments/index.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import {
  accountDocumentsFixture,
  factOf,
  minorOf,
  NOT_FOUND,
} from '#test/account-documents-fixture.ts';
import { fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { listAccountDocuments } from './list.ts';
import { makeDocument } from './make-document.ts';
import { documentScope } from './scope.ts';

let db: Db;
let admin: CommandContext;
let maya: Payee;
const { services, at, make, scopeOf, deposit } = accountDocumentsFixture((company) => {
  ({ db, admin, maya } = company);
});

/** Amounts of a statement's entries, without the opening and the closing line. */
const amountsOf = ({ tables: [table] }: AccountDocument) =>
  table?.rows.slice(1).map((row) => minorOf(row[3])) ?? [];

describe('a monthly statement', () => {
  it("begins with the opening balance, has every entry and ends with the ledger's balance", async () => {
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
    expect(factOf(statement, 'Address')).toBe('18 Alder Street, Seattle, WA 98101');
    // An admin reads the address in the identity application, where that access is recorded.
    const scope = await documentScope(db, maya.by.actor.id, new Date('2025-12-02T15:00:00.000Z'));
    const opened = await makeDocument(db, scope, { id: statement.id, isWhole: true });
    expect(factOf(opened, 'Address')).toBeUndefined();
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

  it('has the entries of the current month so far and says that it is not final', async () => {
    at('2025-11-05T15:00:00.000Z');
    await deposit(30_000n);
    const soFar = await make('statement.salary.2025-11');
    expect(soFar).toMatchObject({
      title: 'Statement so far',
      subtitle: 'Salary Wallet, November 1 – 5, 2025',
      notice:
        'Not final. This month still runs: entries until Nov 5, 2025, 10:00 AM EST. The statement of the whole month can be opened from Dec 1, 2025.',
      lead: { label: 'Balance so far', amount: money(530_000n, 'USD') },
      reference: expect.stringMatching(/^Salary Wallet ••\d{4}, November 2025, not final$/),
      fileName: 'statement-salary-2025-11-not-final',
    });
    expect(factOf(soFar, 'Closing balance')).toBeUndefined();
    expect(factOf(soFar, 'Balance so far')).toMatchObject({ amount: money(530_000n, 'USD') });
    expect(soFar.tables[0]?.total?.slice(0, 2)).toEqual(['Nov 5', 'Balance so far']);
    expect(soFar.proves).toEqual({ kind: 'balance', account: 'salary', number: '2' });

    // The company's month, in which 04:59 UTC is still the evening before.
    at('2025-12-01T04:59:00.000Z');
    await deposit(1_000n);
    expect(await make('statement.salary.2025-11')).toMatchObject({ title: 'Statement so far' });
    at('2025-12-01T05:00:00.000Z');
    const final = await make('statement.salary.2025-11');
    expect(final).toMatchObject({
      title: 'Statement',
      notice: null,
      fileName: 'statement-salary-2025-11',
      subtitle: 'Salary Wallet, November 1 – 30, 2025',
      lead: { label: 'Closing balance', amount: money(531_000n, 'USD') },
      proves: { kind: 'balance', account: 'salary', number: '3' },
    });
    expect(final.reference).not.toContain('not final');
    // December has no entry yet; the newest one is of November.
    expect(await make('statement.salary.2025-12')).toMatchObject({
      subtitle: 'Salary Wallet, December 1, 2025',
      proof: ['No entries in this month so far.'],
    });
  });

  it('lists a payout that came back separately from money in and out', async () => {
    at('2026-03-05T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
    at('2026-04-02T15:00:00.000Z');
    const statement = await make('statement.salary.2026-03');
    expect(factOf(statement, 'Money in')).toMatchObject({ amount: money(0n, 'USD') });
    expect(factOf(statement, 'Money out')).toMatchObject({ amount: money(-40_000n, 'USD') });
    expect(factOf(statement, 'Returned')).toMatchObject({ amount: money(40_000n, 'USD') });
    expect(amountsOf(statement)).toEqual([-40_000n, 40_000n]);
  });

  it('stays as it was when a payroll line of its month is reversed', async () => {
    at('2025-11-03T15:00:00.000Z');
    const stated = await make('statement.salary.2025-10');
    expect(factOf(stated, 'Money in')).toMatchObject({ amount: money(500_000n, 'USD') });
    const { id } = await db
      .selectFrom('payrollLine')
      .select('id')
      .where('userId', '=', maya.by.actor.id)
      .executeTakeFirstOrThrow();
    const reverse = (minor: bigint, left: bigint) =>
      withTx(db, (tx) =>
        reverseLine(tx, services, admin, {
          id,
          amount: money(minor, 'USD'),
          left: money(left, 'USD'),
          reason: 'wrong_amount',
          message: 'The amount was wrong.',
        }),
      );
    await reverse(1n, 500_000n);
    await reverse(499_999n, 499_999n);
    expect(await make('statement.salary.2025-10')).toEqual(stated);
    at('2025-12-02T15:00:00.000Z');
    expect(await make('statement.salary.2025-10')).toEqual(stated);
    const next = await make('statement.salary.2025-11');
    expect(factOf(next, 'Opening balance')).toMatchObject({ amount: money(500_000n, 'USD') });
    expect(amountsOf(next)).toEqual([-1n, -499_999n]);
    expect(next.lead.amount).toEqual(money(0n, 'USD'));
  });

  it('lists moves between own accounts separately, on the statements of both', async () => {
    at('2026-05-05T15:00:00.000Z');
    const savings = await fundedWallet(db, services, maya.by, 0n, 'savings');
    await withTx(db, (tx) =>
      moveMoney(tx, services, maya.by, {
        fromWalletId: maya.wallet.id,
        toWalletId: savings.id,
        amount: money(700n, 'USD'),
      }),
    );
    at('2026-06-02T15:00:00.000Z');
    for (const [account, minor] of [
      ['salary', -700n],
      ['savings', 700n],
    ] as const) {
      const statement = await make(`statement.${account}.2026-05`);
      expect(factOf(statement, 'Money in')).toMatchObject({ amount: money(0n, 'USD') });
      expect(factOf(statement, 'Money out')).toMatchObject({ amount: money(0n, 'USD') });
      expect(factOf(statement, 'Between own accounts')).toMatchObject({
        amount: money(minor, 'USD'),
      });
      expect(amountsOf(statement)).toEqual([minor]);
    }
  });

  it('begins and ends at midnight of the company, before and after the change of clocks', async () => {
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

  it('has each entry in exactly one month, without gaps, after the company changed its time zone', async () => {
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
    // The list counts by the same days.
    const { statements: listed } = await listAccountDocuments(db, await scopeOf(maya.by), 2025);
    expect(listed.map(({ month, entries }) => [month, entries])).toEqual([
      ['2025-12', 1],
      ['2025-11', 2],
      ['2025-10', 1],
    ]);
  });

  /** Sets the time zone as a change of the company's settings does. */
  const moveTo = (timeZoneId: TimeZoneId) =>
    withTx(db, async (tx) => {
      const { timeZone } = await updateSettings(tx, services, admin, { timeZoneId });
      await setTimeZone(tx, timeZone);
    });

  it('has the same balance twice for a month without entries', async () => {
    at('2025-12-01T05:00:00.000Z');
    const statement = await make('statement.salary.2025-11');
    expect(amountsOf(statement)).toEqual([]);
    expect(factOf(statement, 'Opening balance')).toEqual(factOf(statement, 'Closing balance'));
    expect(statement.proof).toEqual(['No entries in this month.']);
  });

  it.each([
    ['before the account was opened', 'statement.salary.2025-09'],
    ['that has not begun', 'statement.salary.2025-12'],
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

  it('shows the first of very many entries, says how many are omitted, and sums all', async () => {
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

  it('with more entries than a document may have is shown, but refused as a whole', async () => {
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
