import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { JOURNAL_ACCOUNTS, monthName } from '#contract/closing.ts';
import { decimalAmount } from '#contract/money.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { reverseAll } from '#server/modules/ledger/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import type { TestApp } from '#test/app.ts';
import { FIRST, LAST, THIS, closingFixture } from '#test/closing-fixture.ts';
import type { Month, Refused } from '#test/closing-fixture.ts';
import { readDocsTable, wordsIn } from '#test/docs-table.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';

let app: TestApp;
let renee: TestPerson;
let theo: TestPerson;
let owner: CommandContext;
const { clock, cookieOf, send, get, close, exported, verifyBooks } = closingFixture((company) => {
  ({ app, renee, theo, owner } = company);
});

const list = () => send<RouteReply<'adminListMonths'>>('GET', '');
const undone = ({ checks }: Month) =>
  checks.filter(({ isDone }) => !isDone).map(({ check, title }) => [check, title]);

describe('a month before it is closed', () => {
  it('lists months since the first posting, and what the next one needs', async () => {
    const { months } = await list();
    expect(months.map(({ month, status }) => [month, status])).toEqual([
      [THIS, 'open'],
      [LAST, 'waits'],
      [FIRST, 'blocked'],
    ]);
    expect(months.map(({ checked }) => checked)).toEqual([null, null, { done: 4, all: 5 }]);
  });

  it('names each task, and the month that comes first', async () => {
    expect(undone(await get(FIRST))).toEqual([['verified', 'Verify the books']]);
    expect(undone(await get(LAST))).toEqual([
      ['verified', 'Verify the books'],
      ['order', `Close ${monthName(FIRST)} first`],
    ]);
    expect(await get(THIS)).toMatchObject({ status: 'open', checks: [], position: null });
    expect(await send<Refused>('GET', '/2001-01')).toMatchObject({ code: 'month_not_found' });
  });

  it('refuses to close it, one that is not over and one out of turn', async () => {
    expect(await close(FIRST)).toMatchObject({
      code: 'month_blocked',
      title: `${monthName(FIRST)} cannot be closed yet. Verify the books.`,
    });
    await verifyBooks();
    expect(await close(THIS)).toMatchObject({ code: 'month_wrong_status' });
    expect(await close(LAST)).toMatchObject({ code: 'month_wrong_status' });
    const body = { hash: 'f'.repeat(64), isCompared: true };
    expect(await send<Refused>('POST', `/${FIRST}/close`, body)).toMatchObject({
      code: 'conflict',
    });
    const unread = { hash: (await get(FIRST)).hash, isCompared: false };
    expect(await send<Refused>('POST', `/${FIRST}/close`, unread)).toMatchObject({
      code: 'invalid_request',
    });
    const { rows } = await sql`SELECT FROM month_closing`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it('has a journal whose sides are equal, and whose sums are the ledger’s', async () => {
    const { journal, accounts } = await get(FIRST);
    expect(journal.entries).toEqual([
      {
        kind: 'payroll',
        what: 'Payroll',
        detail: '1 payment',
        lines: [
          { account: 'payroll', debit: { minor: '100000', currency: 'USD' }, credit: null },
          { account: 'wallets', debit: null, credit: { minor: '100000', currency: 'USD' } },
        ],
      },
    ]);
    expect(journal.total).toEqual({ minor: '100000', currency: 'USD' });
    expect(accounts.filter(({ isUsed }) => isUsed).map(({ account }) => account)).toEqual([
      'wallets',
      'payroll',
    ]);
  });
});

describe('the journal as a file', () => {
  it('needs every used account mapped', async () => {
    const reply = await exported(FIRST, 'quickbooks');
    expect(await reply.json()).toMatchObject({
      code: 'chart_incomplete',
      title: 'The journal cannot be exported: map Wallets, Payroll first.',
    });
    const wrong = { code: '=1', name: '' };
    expect(await send<Refused>('PUT', '/accounts/wallets', wrong)).toMatchObject({
      code: 'invalid_request',
    });
    for (const [index, account] of JOURNAL_ACCOUNTS.entries()) {
      const body = { code: `10${index}0`, name: `${account}, old` };
      expect(await send('PUT', `/accounts/${account}`, body)).toEqual({ ok: true });
    }
    await send('PUT', '/accounts/wallets', { code: '2400', name: 'Employee wallets, payable' });
  });

  it('is what QuickBooks, Xero and a spreadsheet read', async () => {
    const [year = '', month = ''] = FIRST.split('-');
    const last = (await get(FIRST)).lastDay.slice(8);
    const name = monthName(FIRST);
    const text = async (format: string) => (await exported(FIRST, format)).text();
    expect(await text('quickbooks')).toBe(
      [
        'JournalNo,JournalDate,AccountName,Debits,Credits,Description,Class',
        `PUR-${FIRST}-01,${month}/${last}/${year},"payroll, old",1000.00,,"Payroll, ${name}",Kitchen`,
        `PUR-${FIRST}-01,${month}/${last}/${year},"Employee wallets, payable",,1000.00,"Payroll, ${name}",Kitchen`,
        '',
      ].join('\r\n'),
    );
    expect(await text('xero')).toBe(
      [
        '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
        `"Payroll, ${name}",${last}/${month}/${year},"payroll, old",1030,Tax Exempt,1000.00,Department,Kitchen,,`,
        `"Payroll, ${name}",${last}/${month}/${year},"Employee wallets, payable",2400,Tax Exempt,-1000.00,Department,Kitchen,,`,
        '',
      ].join('\r\n'),
    );
    expect((await text('csv')).split('\r\n')[1]).toBe(
      `PUR-${FIRST}-01,${FIRST}-${last},Payroll,1030,"payroll, old",Kitchen,1000.00,,USD`,
    );
  });
});

describe('a closed month', () => {
  it('is closed once, with what it had', async () => {
    const [one, other] = await Promise.all([close(FIRST), close(FIRST, theo)]);
    const refused = [one, other].filter(({ code }) => code !== undefined);
    expect(refused.map(({ code }) => code)).toEqual(['month_wrong_status']);
    const month = await get(FIRST);
    expect(month).toMatchObject({
      status: 'closed',
      checks: [],
      closing: { entries: 2, owed: { minor: '100000' }, bank: null, isLast: true },
      journal: { total: { minor: '100000' } },
    });
  });

  it('keeps its journal when people change departments, and its file when accounts change', async () => {
    const before = await Promise.all(
      ['quickbooks', 'xero', 'csv'].map(async (format) => (await exported(FIRST, format)).text()),
    );
    await sql`UPDATE app_user SET department = 'Front' WHERE id = ${owner.actor.id}`.execute(
      app.db,
    );
    await send('PUT', '/accounts/payroll', { code: '6010', name: 'Wages' });
    const after = await Promise.all(
      ['quickbooks', 'xero', 'csv'].map(async (format) => (await exported(FIRST, format)).text()),
    );
    expect(after).toEqual(before);
    expect(after[0]).toContain('Kitchen');
    expect((await get(FIRST)).closing?.exported).toEqual(['csv', 'quickbooks', 'xero']);
  });

  it('keeps the company’s time zone', async () => {
    const cookie = cookieOf(renee);
    const settings = (await (
      await app.ask('GET', '/api/admin/settings', { cookie })
    ).json()) as RouteReply<'adminGetSettings'>;
    const reply = await app.ask('PUT', '/api/admin/settings', {
      cookie,
      body: { version: settings.version, settings: { timeZone: 'pst' } },
    });
    expect(await reply.json()).toMatchObject({ code: 'time_zone_of_closed_months' });
  });

  it('is opened again by two people with a reason, of whom all are notified', async () => {
    await close(LAST);
    const body = { reason: 'A payroll of a person was missing' };
    expect(await send<Refused>('POST', `/${FIRST}/reopen`, body)).toMatchObject({
      code: 'month_wrong_status',
    });
    const { reopening } = await send<Month>('POST', `/${LAST}/reopen`, body);
    expect(reopening).toMatchObject({ isMine: true, proposedBy: 'Renee Albright', ...body });
    const accept = `/reopenings/${reopening?.id}/accept`;
    expect(await send<Refused>('POST', accept)).toMatchObject({ code: 'second_person_needed' });
    expect((await get(LAST)).status).toBe('closed');
    const settled = await app.ask('POST', `/api/admin/settings/proposals/${reopening?.id}/accept`, {
      cookie: cookieOf(theo),
    });
    expect(await settled.json()).toMatchObject({ code: 'proposal_not_found' });
    expect(await send<Month>('POST', accept, undefined, theo)).toMatchObject({ status: 'ready' });
    expect(await noticesOf(app.db, renee.id, 'month-reopened')).toEqual([
      `Theo Marchetti opened ${monthName(LAST)} again, as Renee Albright proposed. Reason: ${body.reason}`,
    ]);
    expect(await noticesOf(app.db, theo.id, 'month-reopening-proposed')).toHaveLength(1);
  });

  it('says what changed since it was closed before', async () => {
    clock.set(`${LAST}-20T15:00:00.000Z`);
    const late = await createPersonBy(app.db, { firstName: 'Ola', lastName: 'Brandt' });
    // The time of this payroll would move on to the last entry of payroll funding, which is before.
    await fundedWallet(app.db, { ...app.services, clock }, late, 1_000n, 'savings');
    clock.set(new Date().toISOString());
    await close(LAST, theo);
    const { changed } = await get(LAST);
    expect(changed).toMatchObject({ proposedBy: 'Renee Albright', reopenedBy: 'Theo Marchetti' });
    expect(
      changed?.lines.map(({ account, debitBefore, creditBefore, debit, credit }) => [
        account,
        ...[debitBefore, creditBefore, debit, credit].map(({ minor }) =>
          decimalAmount(BigInt(minor)),
        ),
      ]),
    ).toEqual([
      ['wallets', '0.00', '250.55', '0.00', '260.55'],
      ['payroll', '250.55', '0.00', '260.55', '0.00'],
    ]);
  });

  it('names what was reversed in later months', async () => {
    expect((await get(FIRST)).closing?.corrections).toEqual([]);
    const posted = await app.db
      .selectFrom('ledgerTransaction')
      .select('id')
      .where('kind', '=', 'payroll')
      .orderBy('effectiveAt')
      .executeTakeFirstOrThrow();
    const reversal = { reference: 'TXN-CORRECTION', description: 'Paid twice', actorId: renee.id };
    await withTx(app.db, (tx) => reverseAll(tx, [{ transactionId: posted.id, ...reversal }]));
    expect((await get(FIRST)).closing?.corrections).toEqual([
      { month: THIS, count: 1, total: { minor: '100000', currency: 'USD' } },
    ]);
    expect((await get(LAST)).closing?.corrections).toEqual([]);
  });

  it('is not opened by a proposal that was discarded', async () => {
    const { reopening } = await send<Month>('POST', `/${LAST}/reopen`, { reason: 'Once more' });
    const path = `/reopenings/${reopening?.id}`;
    expect(await send('POST', `${path}/discard`, undefined, theo)).toEqual({ ok: true });
    expect(await send<Refused>('POST', `${path}/accept`, undefined, theo)).toMatchObject({
      code: 'proposal_not_found',
    });
    expect((await get(LAST)).reopening).toBeNull();
  });
});

describe('verification of closed months', () => {
  const ENTRY = `transaction_id = (
    SELECT transaction_id FROM ledger_entry JOIN month_closing ON effective_at >= begins_at AND effective_at < ends_at
     WHERE reopened_at IS NULL ORDER BY effective_at LIMIT 1)`;

  const find = async (tx: Tx): Promise<string[]> => {
    const problems = await runChecks(tx, businessChecks);
    const names = new Set(problems.map(({ check }) => check));
    return [...names].filter((name) => /clos|journal|chart|proposal/.test(name)).toSorted();
  };

  it('finds nothing while all is as it was closed', async () => {
    expect(await withTx(app.db, find)).toEqual([]);
  });

  const cases: [what: string, statement: string, ...found: string[]][] = [
    [
      'raises a posting of a closed month',
      `UPDATE ledger_entry SET amount = 2 * amount WHERE ${ENTRY}`,
      'closed-month',
    ],
    [
      'moves a posting out of a closed month',
      `UPDATE ledger_entry SET effective_at = now() WHERE ${ENTRY}`,
      'closed-month',
    ],
    [
      'deletes a posting of a closed month',
      `DELETE FROM ledger_entry WHERE ${ENTRY}`,
      'closed-month',
    ],
    [
      'lets the ledger post in closed months',
      'UPDATE ledger_calendar SET closed_until = NULL',
      'closed-until',
    ],
    [
      'opens the last closed month alone',
      `UPDATE month_closing SET reopened_at = now(), reopened_by = closed_by,
         reopened_for = (SELECT id FROM security_proposal LIMIT 1)
        WHERE ends_at = (SELECT closed_until FROM ledger_calendar) AND reopened_at IS NULL`,
      'closed-until',
      'month-closing-record',
    ],
    [
      'opens a closed month before the last',
      `UPDATE month_closing SET reopened_at = now(), reopened_by = closed_by,
         reopened_for = (SELECT id FROM security_proposal LIMIT 1)
        WHERE ends_at < (SELECT closed_until FROM ledger_calendar)`,
      'month-closing-record',
    ],
    [
      'changes what was owed at the end of a closed month',
      'UPDATE month_closing SET owed_minor = 0',
      'month-closing-record',
    ],
    [
      'changes the sum of a closed month',
      'UPDATE month_closing SET debit_minor = 1 WHERE reopened_at IS NULL',
      'closed-month',
      'month-closing-record',
    ],
    [
      'changes the journal of a closed month',
      'UPDATE month_journal_line SET debit_minor = 1',
      'month-closing-record',
    ],
    [
      'deletes the journal of a closed month',
      'DELETE FROM month_journal_line',
      'month-closing-record',
    ],
    [
      'changes the record of an exported journal',
      `UPDATE journal_export SET content_hash = sha256('x')`,
      'journal-export-record',
    ],
    [
      'maps an account of the journal',
      `UPDATE chart_account SET code = '1'`,
      'chart-account-record',
    ],
  ];

  it.each(cases)('finds who %s', async (_, statement, ...found) => {
    const pool = createPool({ url: app.superuserUrl, max: 1 });
    const seen = withTx(createDb(pool), async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      const { numAffectedRows } = await sql.raw(statement).execute(tx);
      expect(numAffectedRows).toBeGreaterThan(0n);
      const names = await find(tx);
      // Nothing of it is to stay.
      throw new Error(names.join(' '));
    });
    await expect(seen).rejects.toThrow(new Error(found.join(' ')));
    await pool.end();
  });

  it('has every case in docs/ledger.md, with the checks that notice it', () => {
    const rows = readDocsTable('### Closed months').map(([what, noticed]) => [
      what,
      ...wordsIn(noticed),
    ]);
    expect(rows).toEqual(cases.map(([what, , ...found]) => [what, ...found]));
  });
});
