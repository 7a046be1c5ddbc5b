import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  PayrollBatch,
  PayrollDraft,
  PayrollFileCheck,
  PayrollLine,
  PayrollPreview,
  Recovery,
  RouteReply,
} from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { verifiedBank } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { hoursPass } from '#test/hours-pass.ts';

/** People of the file. */
const PEOPLE = 60;
/** Sum from which two administrators send a payroll, in cents. */
const TWO_FROM = 1_000_000n;
const TIME_ZONE = 'America/New_York';

let now = new Date();
let purser: TestApp;
let renee: TestPerson;
let theo: TestPerson;
/** The people of the file, and one whom only the payroll before it paid. */
let employees: TestPerson[];
const cookies = new Map<string, string>();

beforeAll(async () => {
  purser = await openTestApp({ clock: { now: () => now } });
  const { db, services } = purser;
  renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  theo = await createAdmin(db, services, { firstName: 'Theo', lastName: 'Marchetti' });
  employees = [];
  for (let number = 0; number <= PEOPLE; number += 1) {
    const name = { firstName: 'Ana', lastName: `Number${number}` };
    // oxlint-disable-next-line no-await-in-loop -- each has the next employee number
    employees.push(await createEmployee(db, services, name));
  }
  for (const person of [renee, theo, ...employees]) {
    // oxlint-disable-next-line no-await-in-loop -- one session after the other
    cookies.set(person.id, await purser.cookieOf(person));
  }
  await hoursPass(purser, 1_000);
  const { version } = await ask<RouteReply<'adminGetSettings'>>(renee, 'GET', 'admin/settings');
  const settings = { separatePayroll: money(TWO_FROM, 'USD') };
  await ask(renee, 'PUT', 'admin/settings', { version, settings });
});
afterAll(() => purser.close());

interface Problem {
  code: string;
}

/** The reply to a request of that person; `path` is below `/api/`. Text is a CSV file. */
async function ask<T>(
  { id }: TestPerson,
  method: string,
  path: string,
  body?: object | string,
  { isRefused = false } = {},
): Promise<T> {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie: cookies.get(id) ?? '',
    key: randomUUID(),
    ...(body !== undefined && { body }),
    ...(typeof body === 'string' && { headers: { 'content-type': 'text/csv' } }),
  });
  const json: unknown = await reply.json();
  expect(reply.ok, `${method} ${path}: ${JSON.stringify(json)}`).toBe(!isRefused);
  return json as T;
}

const refusal = async (...[who, method, path, body]: Parameters<typeof ask>) =>
  (await ask<Problem>(who, method, path, body, { isRefused: true })).code;

const DRAFTS = 'admin/payroll/drafts';

const begin = (payOn: string, startFrom?: 'last') =>
  ask<PayrollDraft>(renee, 'POST', DRAFTS, {
    walletType: 'salary',
    department: 'all',
    payOn,
    description: `Pay of ${payOn}`,
    hasOwnAmounts: true,
    ...(startFrom && { startFrom }),
  });

type Compared = Pick<PayrollPreview, 'hash' | 'differences'>;

const groupsOf = ({ differences }: Compared) => differences?.groups.map(({ group }) => group) ?? [];

async function acknowledge(who: TestPerson, compared: Compared): Promise<void> {
  const { hash } = compared;
  for (const group of groupsOf(compared)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does
    await ask(who, 'PUT', 'admin/payroll/acknowledgements', { hash, group, isAcknowledged: true });
  }
}

/** Sends a draft with its differences acknowledged, lets the second administrator approve it, and pays it on its day. */
async function pay(
  { id, payOn }: PayrollDraft,
  groups: readonly PayrollDifference[],
): Promise<PayrollBatch> {
  const preview = await ask<PayrollPreview>(renee, 'POST', `${DRAFTS}/${id}/preview`, {});
  const seen = { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash };
  expect(groupsOf(preview)).toEqual(groups);
  const send = [renee, 'POST', `${DRAFTS}/${id}/send`, seen] as const;
  if (groups.length > 0) expect(await refusal(...send)).toBe('differences_not_acknowledged');
  await acknowledge(renee, preview);
  const sent = await ask<PayrollBatch>(...send);
  expect(sent).toMatchObject({ status: 'pending', payOn, approval: { mayApprove: false } });

  const approve = `admin/payroll/batches/${sent.id}/approve`;
  expect(await refusal(renee, 'POST', approve)).toBe('second_person_needed');
  const compared = await ask<RouteReply<'adminGetPayrollDifferences'>>(
    ...([theo, 'GET', `admin/payroll/batches/${sent.id}/differences`] as const),
  );
  expect(groupsOf(compared)).toEqual(groups);
  if (groups.length > 0)
    expect(await refusal(theo, 'POST', approve)).toBe('differences_not_acknowledged');
  await acknowledge(theo, compared);
  await ask(theo, 'POST', approve);

  const post = () => postPayroll(purser.db, { clock: { now: () => now } }, sent.id);
  const read = () => ask<PayrollBatch>(renee, 'GET', `admin/payroll/batches/${sent.id}`);
  now = at(addDays(payOn ?? '', -1), '23:59');
  await post();
  expect(await read()).toMatchObject({ status: 'pending', paidCount: 0 });
  now = at(payOn ?? '', '12:00');
  await post();
  return read();
}

/** A moment of a day, in UTC; noon is later than six in the morning in each of the company's time zones. */
const at = (day: string, time: string) => new Date(`${day}T${time}:00Z`);

async function lineOf({ id }: PayrollBatch, { name }: TestPerson): Promise<PayrollLine> {
  const path = `admin/payroll/batches/${id}/lines?search=${encodeURIComponent(name)}`;
  const { items } = await ask<{ items: PayrollLine[] }>(renee, 'GET', path);
  const line = items.find(({ employee }) => employee?.name === name);
  if (line === undefined) throw new Error(`no line of ${name}`);
  return line;
}

test('a company pays from a file, takes one payment back, and recovers another over two paydays', async () => {
  const { db, services } = purser;
  const today = dayIn(TIME_ZONE, now);
  const days = [7, 21, 35, 49].map((later) => addDays(today, later));
  const [firstDay = '', fileDay = '', thirdDay = '', fourthDay = ''] = days;
  const inFile = employees.slice(0, PEOPLE);
  const [, nia, lucia] = inFile as [TestPerson, TestPerson, TestPerson];
  const amountOf = (index: number) => 190_000n + BigInt(index) * 1_001n;

  // The payroll before: one of the file has not joined yet, and somebody is paid who is not in it.
  const first = await begin(firstDay);
  const paidFirst = employees.flatMap(({ id }, index) =>
    index === 0 ? [] : [{ id, amount: money(amountOf(index), 'USD') }],
  );
  await ask(renee, 'PUT', `${DRAFTS}/${first.id}`, { version: 1, people: paidFirst });
  const paid = [await pay(first, [])];
  expect(paid[0]).toMatchObject({ status: 'completed', paidCount: PEOPLE });

  // The file, with three errors, then without; Nia and Lucia get much more than last time.
  const netOf = (index: number) => amountOf(index) + (index === 1 || index === 2 ? 100_000n : 0n);
  const cell = (minor: bigint) => `"${(minor / 100n).toLocaleString('en-US')}.${minor % 100n}"`;
  const rows = inFile.map(
    ({ email }, index) => `${email},${cell(100n * (netOf(index) / 100n) + 50n)}`,
  );
  const csv = (some: readonly string[]) => ['Email,Net Pay', ...some].join('\r\n');
  const wrong = csv([
    ...rows.with(4, `${inFile[4]?.email},"1.940,50"`),
    'nobody@x.test,"1,940.50"',
    rows[7] ?? '',
  ]);
  const draft = await begin(fileDay);
  const check = (file: string) =>
    ask<PayrollFileCheck>(renee, 'POST', `${DRAFTS}/${draft.id}/file-check`, file);
  const { problems } = await check(wrong);
  expect(problems.map(({ row }) => row)).toEqual([6, 62, 63]);
  const checked = await check(csv(rows));
  expect(checked).toMatchObject({ problems: [], counts: { employees: PEOPLE, absent: 1 } });
  const fillIn = (file: string, cents: bigint) =>
    [
      ...([renee, 'POST'] as const),
      `${DRAFTS}/${draft.id}/file?version=${draft.version}&hash=${checked.hash}&absentRest=out` +
        `&controlTotal=${BigInt(checked.total.minor) + cents}`,
      file,
    ] as const;
  expect(await refusal(...fillIn(wrong, 0n))).toBe('payroll_file_errors');
  expect(await refusal(...fillIn(csv(rows), 1n))).toBe('payroll_file_total');
  const filled = await ask<PayrollDraft>(...fillIn(csv(rows), 0n));
  expect(filled).toMatchObject({ employees: PEOPLE, total: checked.total });
  const fromFile = await pay(filled, ['new', 'gone', 'changed', 'total']);
  expect(fromFile).toMatchObject({ status: 'completed', paidCount: PEOPLE, total: checked.total });
  paid.push(fromFile);

  // Nia's is taken back whole. Lucia has promised most of hers to her bank.
  const niasLine = await lineOf(fromFile, nia);
  const words = { reason: 'wrong_amount', message: 'The file had last month’s hours.' };
  const amount = niasLine.amount;
  await ask(renee, 'POST', `admin/payroll/lines/${niasLine.id}/reverse`, {
    amount,
    left: amount,
    ...words,
  });
  await approveIdentity(db, services, lucia.by, theo.by);
  const bank = await verifiedBank(db, services, { owner: lucia.by, admin: theo.by });
  const { accounts } = await ask<RouteReply<'listWallets'>>(lucia, 'GET', 'wallets');
  const lineAmount = (await lineOf(fromFile, lucia)).amount;
  const wallet = accounts.find(({ type }) => type === 'salary');
  const kept = 11_840n;
  const spent = BigInt(wallet?.balance.minor ?? 0) - kept;
  await ask(lucia, 'POST', 'withdrawals', {
    walletId: wallet?.id,
    bankAccountId: bank.id,
    amount: money(spent, 'USD'),
    urgency: 'medium',
    reason: 'Rent',
  });

  // The rest is recovered from the next two payrolls, which she accepts.
  const luciasLine = await lineOf(fromFile, lucia);
  const rest = BigInt(lineAmount.minor) - kept;
  const proposed = await ask<Recovery>(
    ...([renee, 'POST', `admin/payroll/lines/${luciasLine.id}/recovery`] as const),
    {
      now: money(kept, 'USD'),
      left: lineAmount,
      percent: 100,
      ...words,
      instalment: money((rest + 1n) / 2n, 'USD'),
      startsOn: thirdDay,
      answerBy: thirdDay,
    },
  );
  await ask(lucia, 'POST', `recoveries/${proposed.id}/accept`);
  // A line that was taken back counts as not paid, so nobody differs from last time.
  paid.push(await pay(await begin(thirdDay, 'last'), []));
  paid.push(await pay(await begin(fourthDay, 'last'), []));
  const { recoveries } = await ask<RouteReply<'getRecoveries'>>(lucia, 'GET', 'recoveries');
  expect(recoveries).toMatchObject([
    { status: 'finished', recovered: money(rest, 'USD'), left: money(0n, 'USD') },
  ]);
  expect(recoveries[0]?.instalments).toHaveLength(2);

  // The payslips, the payrolls and the wallets have the same sums, and the books are sound.
  const slips = { amount: 0n, left: 0n };
  // Today's, too: a payment of a day to come is in the books from the moment at which it is posted.
  const years = [...new Set([today, ...days].map((day) => day.slice(0, 4)))];
  for (const person of employees) {
    for (const year of years) {
      // oxlint-disable-next-line no-await-in-loop -- one person after the other
      const { payslips } = await ask<RouteReply<'listAccountDocuments'>>(
        ...([person, 'GET', `account-documents?year=${year}`] as const),
      );
      slips.left += BigInt(payslips.totalPaid.minor);
      for (const slip of payslips.items) slips.amount += BigInt(slip.amount.minor);
    }
  }
  const sumOf = (minors: readonly string[]) => minors.reduce((sum, one) => sum + BigInt(one), 0n);
  const total = sumOf(paid.map((batch) => batch.paidTotal.minor));
  const reversed = BigInt(amount.minor) + kept;
  expect(slips).toEqual({ amount: total, left: total - reversed });
  const { rows: balances } = await sql<{ posted: bigint }>`
    SELECT sum(posted)::bigint AS posted FROM ledger_account WHERE kind = 'salary'`.execute(db);
  expect(balances[0]?.posted).toBe(total - reversed - rest);
  const verified = await verifyLedger(db, {
    furtherChecks: (tx, scope) => checksFor(tx, businessChecks, scope),
  });
  expect(verified.problems).toEqual([]);
});
