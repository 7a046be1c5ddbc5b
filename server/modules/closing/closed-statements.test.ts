import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMonths, dayIn } from '#contract/calendar.ts';
import { newId } from '#server/lib/ids.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BankDesk, csvStatement } from '#test/bank-desk.ts';
import type { BankLine } from '#test/bank-desk.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { tableSums } from '#test/table-sums.ts';

const THIS = `${dayIn('America/New_York', new Date()).slice(0, 7)}-01`;
const LAST = addMonths(THIS, -1);

const { clock } = createTestServices(`${LAST}T15:00:00.000Z`);
let app: TestApp;
let desk: BankDesk;
let matched: BankLine;

/** Matches of a fee and of interest. */
const FEE = { kind: 'fee', itemId: null, minor: '-1500' };
const INTEREST = { kind: 'interest', itemId: null, minor: '200' };

beforeAll(async () => {
  app = await openTestApp({ clock });
  const admin = await createAdmin(app.db, app.services);
  const owner = await createPersonBy(app.db);
  await fundedWallet(app.db, { ...app.services, clock }, owner, 100_000n, 'savings');
  clock.set(new Date().toISOString());
  desk = new BankDesk(app, await app.cookieOf(admin));
  await desk.addAccount('DE89370400440532013000');
  const rows = [
    ['Monthly fee', -1_500n],
    ['Interest paid', 200n],
  ] as const;
  await desk.load(csvStatement(100_000n, rows, LAST));
  desk.closing = 98_700n;
  matched = await desk.open('Monthly fee');
  await desk.match(matched, [FEE]);
  await sql`INSERT INTO month_closing (id, month, closed_by, closed_at, owed_minor)
            VALUES (${newId()}, ${LAST}, ${admin.id}, now(), 0)`.execute(app.db);
});
afterAll(() => app.close());

it('a line of a closed month says why its match stays', async () => {
  const lines = await desk.lines(`?statementId=${matched.statementId}`);
  expect(lines.map(({ id }) => id)).toContain(matched.id);
  for (const { refusal } of lines) {
    expect(refusal).toContain('a month that is closed');
    // It is shown before anybody tries.
    expect(refusal).not.toContain('Nothing was changed');
  }
  expect(await desk.unmatch(matched)).toMatchObject({ title: lines[0]?.refusal });
});

it.each<[what: string, act: () => Promise<object>]>([
  [
    'imports another line',
    () => desk.load(csvStatement(desk.closing, [['Late fee', -100n]], LAST)),
  ],
  ['matches a line', async () => desk.match(await desk.open('Interest paid'), [INTEREST])],
  ['takes a match back', () => desk.unmatch(matched)],
])('nobody %s of a closed month', async (_, act) => {
  const before = await tableSums(app.db);
  expect(await act()).toMatchObject({ code: 'month_closed', status: 409 });
  expect(await tableSums(app.db)).toEqual(before);
});

it('a line of the open month is imported and matched as before', async () => {
  expect(await desk.book([['Fee of this month', -300n]])).toMatchObject({ lines: 1 });
  const line = await desk.open('Fee of this month');
  const item = { kind: 'fee', itemId: null, minor: '-300' };
  expect(line.refusal).toBeNull();
  expect(await desk.match(line, [item])).not.toHaveProperty('code');
  expect(await desk.unmatch(line)).not.toHaveProperty('code');
});
