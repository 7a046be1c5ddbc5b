import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#contract/calendar.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BANK_DAY, BankDesk, csvStatement, expectSum } from '#test/bank-desk.ts';
import { createAdmin } from '#test/factories/people.ts';
import { camt053, ofx } from '#test/statement-files.ts';

const IBAN = 'DE89370400440532013000';

let app: TestApp;
let desk: BankDesk;

beforeAll(async () => {
  app = await openTestApp();
  const admin = await createAdmin(app.db, app.services, { firstName: 'Renee' });
  desk = new BankDesk(app, await app.cookieOf(admin));
  await desk.addAccount(IBAN);
});
afterAll(() => app.close());

describe('the first statement', () => {
  it('refuses a file of another account or currency, and one that is none', async () => {
    const statement = { iban: IBAN, currency: 'USD' as const, openingMinor: 0n, lines: [] };
    const refusals: [string, string][] = [
      [camt053(8, { ...statement, iban: 'NL26VAYB8060476890' }), 'statement_other_account'],
      [camt053(8, { ...statement, currency: 'EUR' }), 'statement_currency'],
      [ofx(1, statement), 'statement_other_account'],
      ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'statement_unreadable'],
      ['Date,Amount\n12/13/2026,1\u0000', 'import_not_text'],
      ['x'.repeat(10_000_001), 'statement_too_large'],
    ];
    expect(
      await desk.check(camt053(8, statement, { ...statement, iban: 'NL26VAYB8060476890' })),
    ).toMatchObject({
      title: expect.stringContaining('several accounts (••3000, ••6890)') as string,
    });
    for (const [file, code] of refusals) expect(await desk.check(file)).toMatchObject({ code });
    expect((await desk.bank()).statements).toEqual([]);
  });

  it('refuses a file of a later day than tomorrow by its place and day, and keeps nothing', async () => {
    const closing = { iban: IBAN, currency: 'USD' as const, openingMinor: 0n, lines: [] };
    const line = { ...closing, period: { from: BANK_DAY, to: BANK_DAY } };
    const later = addDays(BANK_DAY, 3);
    const entry = { day: later, amountMinor: 100n, text: 'FEE', counterparty: 'Northgate' };
    const written = { ...entry, reference: 'R1', endToEnd: 'E1', trace: 'T1' };
    const csv = `Date,Description,Amount,Balance\n${BANK_DAY},x,1.00,1.00\n${later},y,1.00,2.00`;
    const late = (place: string | RegExp, why: string) => ({
      code: 'statement_unreadable',
      title: expect.stringMatching(
        new RegExp(`${place}.*${why}, which is in the future`),
      ) as string,
    });
    expect(await desk.check(camt053(8, closing))).toMatchObject(
      late('Statement 1', 'it closes on 2039-12-31'),
    );
    expect(await desk.check(camt053(8, { ...line, lines: [written] }))).toMatchObject(
      late(String.raw`Line \d+, Stmt\[1\]/Ntry\[1\]`, `it was booked on ${later}`),
    );
    expect(await desk.check(csv)).toMatchObject(late('Line 3', `it was booked on ${later}`));
    expect(await desk.load(csv)).toMatchObject({ code: 'invalid_request' });
    expect((await desk.bank()).statements).toEqual([]);
  });
});

describe('a further statement', () => {
  beforeAll(() => desk.book([['INTEREST PAID', 1_284n]]));

  it('sees doubles and overlaps, and imports what is new once', async () => {
    const rows = [
      ['CARD FEE', -250n],
      ['CARD FEE', -250n],
    ] as const;
    const { file } = await desk.book(rows);
    expect(await desk.load(file)).toMatchObject({ code: 'statement_nothing_new' });
    const longer = `${file}\n${BANK_DAY},"CARD FEE",-2.50,${decimalAmount(desk.closing - 250n)}`;
    expect(await desk.check(longer)).toMatchObject({
      lines: 1,
      known: 2,
      sum: money(-250n, 'USD'),
    });
    const { hash } = await desk.check(longer);
    const path = `/accounts/${desk.accountId}/statements?fileName=a.csv&hash=${hash}`;
    const both = await Promise.all([
      desk.send('POST', path, longer, 'text/csv'),
      desk.send('POST', path, longer, 'text/csv'),
    ]);
    expect(both.map(({ code }) => code ?? 'imported').toSorted()).toEqual(['conflict', 'imported']);
    desk.closing -= 250n;
    await expectSum(desk, 1_284n - 750n);
  });

  it('imports booked lines alone and says how many others there are', async () => {
    const rows = ['CARD FEE 2,-1.00,Posted', 'TAXI,-20.00,Pending', 'RENT,-30.00,Failed'];
    const file = `Date,Description,Amount,Status\n${rows.map((row) => `${BANK_DAY},${row}`).join('\n')}`;
    const closing = `closing=${desk.closing - 100n}`;
    const notBooked = [
      { status: 'pending', count: 1 },
      { status: 'failed', count: 1 },
    ];
    expect(await desk.check(file, closing)).toMatchObject({ lines: 1, known: 0, notBooked });
    expect(await desk.load(file, closing)).toMatchObject({ lines: 1, notBooked: 2 });
    desk.closing -= 100n;
    await expectSum(desk, 1_284n - 750n - 100n);
  });

  it('refuses a gap, a cell that cannot be read and a choice that is missing, and keeps nothing of them', async () => {
    const before = await desk.bank();
    const gap = csvStatement(desk.closing + 1n, [['FEE', -1n]]);
    expect(await desk.check(gap)).toMatchObject({ code: 'statement_gap' });
    const cells = `Date,Description,Amount,Balance\n${BANK_DAY},x,"-2.310,75",1\n${BANK_DAY},y,"1,000.00",2`;
    expect(await desk.check(cells)).toMatchObject({
      csv: { problemCount: 1, problems: [{ row: 2, column: 'Amount', value: '-2.310,75' }] },
    });
    expect(await desk.load(cells, '').then(({ code }) => code)).toBe('invalid_request');
    const none = `Wann,Was,Wieviel\n${BANK_DAY},x,-1.00`;
    expect(await desk.check(none)).toMatchObject({
      csv: { missing: ['Date', 'Amount, or Money in and Money out'] },
    });
    const chosen = 'bookingDay=0&text=1&amount=2';
    expect(await desk.check(none, chosen)).toMatchObject({ csv: { missing: ['Closing balance'] } });
    expect(await desk.check(none, 'bookingDay=0&amount=0')).toMatchObject({
      code: 'invalid_request',
    });
    const two = `Date,Amount,Balance,Status,Status\n${BANK_DAY},-1.00,0.00,Posted,Pending`;
    expect(await desk.check(two)).toMatchObject({
      csv: { missing: ['Status (columns “Status” and “Status”)'], columns: { status: null } },
    });
    expect(await desk.check(none, `${chosen}&closing=1`)).toMatchObject({
      code: 'statement_unreadable',
    });
    expect(await desk.bank()).toMatchObject({ statements: before.statements });
    const sent = `${chosen}&closing=${desk.closing - 100n}`;
    expect(await desk.load(none, sent)).toMatchObject({ lines: 1 });
    desk.closing -= 100n;
    // The columns are kept for this account.
    const next = `Wann,Was,Wieviel\n${BANK_DAY},z,-2.00`;
    expect(await desk.check(next, `closing=${desk.closing - 200n}`)).toMatchObject({
      lines: 1,
      csv: { missing: [] },
    });
  });

  it('imports what is new of a file without balances that overlaps the last one', async () => {
    const row = (text: string, minor: bigint) => `${BANK_DAY},${text},${decimalAmount(minor)}`;
    const first = ['Date,Description,Amount', row('STAMPS', -110n), row('PAPER', -220n)];
    const closingAfter = (minor: bigint) => `closing=${desk.closing + minor}`;
    expect(await desk.load(first.join('\n'), closingAfter(-330n))).toMatchObject({ lines: 2 });
    desk.closing -= 330n;
    const longer = [...first, row('INK', -440n)].join('\n');
    // Off by a cent, and by the lines that are known.
    for (const minor of [-441n, -770n]) {
      expect(await desk.check(longer, closingAfter(minor))).toMatchObject({
        code: 'statement_unreadable',
      });
    }
    expect(await desk.load(longer, closingAfter(-440n))).toMatchObject({ lines: 1, known: 2 });
    desk.closing -= 440n;
    await expectSum(desk, 1_284n - 750n - 200n - 330n - 440n);
  });

  it('refuses another closing balance of a later day where no line is new', async () => {
    const tomorrow = addDays(BANK_DAY, 1);
    const empty = (minor: bigint) =>
      camt053(8, { iban: IBAN, currency: 'USD', openingMinor: minor, lines: [] }).replaceAll(
        /20(?:20-01-01|39-12-31)/g,
        tomorrow,
      );
    expect(await desk.check(empty(desk.closing + 1n))).toMatchObject({ code: 'statement_gap' });
    expect(await desk.check(empty(desk.closing))).toMatchObject({ lines: 0, known: 0 });
  });
});
