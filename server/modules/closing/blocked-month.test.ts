import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { addDays, addMonths, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { payrollActs } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BankDesk, csvStatement } from '#test/bank-desk.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { returnSteps } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';

const ZONE = 'America/New_York';
const LAST = addMonths(`${dayIn(ZONE, new Date()).slice(0, 7)}-01`, -1);
const MONTH = LAST.slice(0, 7);
const LAST_DAY = addDays(addMonths(LAST, 1), -1);

const { clock } = createTestServices(`${MONTH}-14T15:00:00.000Z`);
let app: TestApp;
let renee: TestPerson;
let desk: BankDesk;
let steps: ReturnType<typeof returnSteps>;
/** The payroll that was to be paid in last month, and a payout file that was sent in it. */
let payroll: string;
let file: { fileId: string; number: string };

beforeAll(async () => {
  app = await openTestApp({ clock });
  const services = { ...app.services, clock };
  renee = await createAdmin(app.db, services, { firstName: 'Renee' });
  const theo = await createAdmin(app.db, services, { firstName: 'Theo' });
  desk = new BankDesk(app, await app.cookieOf(renee));
  await offerDeposits(app.db, services);
  const owner = await createPersonBy(app.db, { firstName: 'Keiko', lastName: 'Tanabe' });
  const wallet = await fundedWallet(app.db, services, owner, 100_000n, 'salary');
  await desk.addAccount('DE89370400440532013000');
  steps = returnSteps(app.db, services, { admin: renee.by, other: theo.by });
  await steps.enterBank();
  // The bank's first statement begins before everything below.
  await desk.load(csvStatement(0n, [['Old fee', -100n]], addDays(LAST, 12)));
  desk.closing = -100n;
  await withTx(app.db, async (tx) => {
    const amount = money(5_000n, 'USD');
    const order = { walletId: wallet.id, method: 'ach', amount } as const;
    const { id } = await requestDeposit(tx, services, owner, order);
    await depositActs.approve(tx, services, renee.by, { id });
  });
  file = await steps.sentOne();
  payroll = await confirmPayroll(app.db, renee.by.actor, { clock, payOn: LAST_DAY });
  clock.set(new Date().toISOString());
  await sql`INSERT INTO verification_run (started_at, finished_at, is_sound, head_height)
            VALUES (now(), now(), true, 0)`.execute(app.db);
});
afterAll(() => app.close());

type Month = RouteReply<'adminGetMonth'>;

async function month(): Promise<Month> {
  const cookie = await app.cookieOf(renee);
  const reply = await app.ask('GET', `/api/admin/closing/${MONTH}`, { cookie });
  return (await reply.json()) as Month;
}
/** Tasks of the month, and the refusal of closing it now. */
async function tasks() {
  const { checks, hash } = await month();
  const cookie = await app.cookieOf(renee);
  const body = { hash, isCompared: true };
  const reply = await app.ask('POST', `/api/admin/closing/${MONTH}/close`, { cookie, body });
  const { code } = (await reply.json()) as { code?: string };
  const open = checks.filter(({ isDone }) => !isDone);
  return { code, tasks: open.map(({ title, detail, place }) => ({ title, detail, place })) };
}

const titles = async () => (await tasks()).tasks.map(({ title }) => title);
const own = (line: { amount: { minor: string } }) => [
  { kind: 'own', itemId: null, minor: line.amount.minor },
];

it('is blocked by a missing statement, a file and money on their way, a payroll and a line without a match', async () => {
  const first = await tasks();
  expect(first.code).toBe('month_blocked');
  expect(first.tasks.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'Import the bank’s statement',
      'Bring “Payouts on their way” to zero',
      'Finish 1 payroll',
    ]),
  );
  const placeOf = (to: string) => first.tasks.find(({ place }) => place?.to === to)?.place;
  // Its page is found by the number as it is written.
  expect(placeOf('payoutFile')).toEqual({
    to: 'payoutFile',
    id: file.number,
    label: `Open File ${file.number}`,
  });
  expect(placeOf('payroll')).toMatchObject({ id: payroll, label: 'Open Payroll' });

  // The file is settled by its line, which the statement of the last day has.
  const { rows: items } = await sql<{ kind: string; itemId: string; minor: string }>`
    SELECT 'payroll' AS kind, id AS item_id, paid_minor::text AS minor FROM payroll_batch WHERE paid_minor > 0
    UNION ALL SELECT 'deposit', id, amount_minor::text FROM deposit`.execute(app.db);
  const received = items.reduce((sum, { minor }) => sum + BigInt(minor), 0n);
  const rows = [
    [`ACH SETTLEMENT ${file.number}`, -40_000n],
    ['TRANSFERS IN', received],
  ] as const;
  await desk.load(csvStatement(desk.closing, rows, LAST_DAY));
  const second = await tasks();
  expect(second.tasks.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Match \d statement lines$/),
    'Bring the clearing accounts to zero',
    'Finish 1 payroll',
    expect.stringMatching(/^Explain a difference of /),
  ]);
  expect(second.tasks[0]?.place).toEqual({ to: 'companyBank', id: 'open', label: 'Open Lines' });
  expect(second.tasks[1]?.detail).toContain('on no statement yet');

  const transfers = await desk.open('TRANSFERS IN');
  expect(await desk.match(transfers, items)).toMatchObject({ status: 'matched' });
  expect(await titles()).not.toContain('Bring the clearing accounts to zero');
  for (const line of await desk.lines()) await desk.match(line, own(line));
  expect(await tasks()).toMatchObject({
    code: 'month_blocked',
    tasks: [{ title: 'Finish 1 payroll' }],
  });
  await withTx(app.db, (tx) =>
    payrollActs.stop(tx, { ...app.services, clock }, renee.by, { id: payroll }),
  );
  expect(await tasks()).toEqual({ code: undefined, tasks: [] });
  expect(await month()).toMatchObject({ status: 'closed' });
});
